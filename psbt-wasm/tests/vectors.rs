//! The published vectors of Bitcoin Core, which are not copied into this repository.

use std::path::PathBuf;

#[test]
fn probe() {
    let dir = PathBuf::from(std::env::var("PSBT_VECTORS_DIR").unwrap());
    let text = std::fs::read_to_string(dir.join("core/rpc_psbt.json")).unwrap();
    let v: serde_json::Value = serde_json::from_str(&text).unwrap();
    for k in ["invalid", "invalid_with_msg", "valid"] {
        for (i, e) in v[k].as_array().unwrap().iter().enumerate() {
            let (s, m) = match e {
                serde_json::Value::String(s) => (s.as_str(), ""),
                a => (a[0].as_str().unwrap(), a[1].as_str().unwrap()),
            };
            let r = psbt_wasm::read(s.as_bytes());
            let p = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, s)
                .ok()
                .map(|b| {
                    std::panic::catch_unwind(|| {
                        psbt_v2::v2::Psbt::deserialize(&b)
                            .map(|_| ())
                            .map_err(|e| format!("{e:?}").chars().take(150).collect::<String>())
                    })
                });
            println!(
                "{k} {i} {m} -> {:?} | v2 crate {p:?}",
                r.map(|f| (f.psbt_version, f.unsigned_transaction().input.len()))
                    .map_err(|e| e)
            );
        }
    }
}
