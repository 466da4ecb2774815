//! The seeds of the fuzz target `messages`: a signed message for each kind of address and each format.

use std::path::Path;

use psbt_wasm::{MessageStatus, verify_message};

use crate::scene::*;

const TEXT: &str = "I hold these coins.\nAll of them.";

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the files.
#[test]
fn the_seeds_of_the_fuzz_target_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds-messages");
    let (own, other) = (key(1), key(2));
    for kind in KINDS {
        let signer = address(&script_pubkey(kind, &own, &other));
        let signed = sign(kind, (&own, &other), &own, TEXT.as_bytes(), PLAIN);
        let mut formats = vec![("full", full(&signed))];
        if !signed.input[0].witness.is_empty() {
            formats.push(("simple", simple(&signed)));
        }
        for (format, signature) in formats {
            let check = verify_message(&signer, TEXT.as_bytes(), &signature);
            assert_eq!(check.status, MessageStatus::Valid, "{kind:?} {format}");
            let path = folder.join(format!("{kind:?}-{format}.txt").to_lowercase());
            let expected = format!("{signer}\n{signature}\n{TEXT}");
            if std::env::var_os("UPDATE_FIXTURES").is_some() {
                std::fs::create_dir_all(&folder).expect("writable");
                std::fs::write(&path, &expected).expect("writable");
            }
            let found = std::fs::read_to_string(&path).expect("readable");
            assert!(
                found == expected,
                "run with UPDATE_FIXTURES=1: {}",
                path.display()
            );
        }
    }
}
