//! Bitcoin Core's published vectors, `test/functional/data/rpc_psbt.json`. They are not copied into this
//! repository: `PSBT_VECTORS_DIR` names a folder that has them as `core/rpc_psbt.json`. `tests/differential` compares their fields.

use std::path::PathBuf;

use psbt_wasm::{Error, Keys, Network, ProofFile, decode, read};
use serde_json::Value;

/// Deliberate differences, by position in the list `invalid`: a network transaction is no PSBT, but we read it.
const FINAL_TRANSACTION: usize = 0;

/// By the start of the message in the list `invalid_with_msg`: MuSig2 fields (BIP-0373) are unknown fields to
/// the `bitcoin` crate. They are not looked into, and stripped.
fn is_about_musig2(message: &str) -> bool {
    message.to_lowercase().contains("musig2") || message == "Size of value was not the stated size"
}

fn vectors() -> Option<Value> {
    let Some(directory) = std::env::var_os("PSBT_VECTORS_DIR") else {
        println!(
            "skipped: set PSBT_VECTORS_DIR to a folder with core/rpc_psbt.json, which is \
             test/functional/data/rpc_psbt.json of the repository bitcoin/bitcoin"
        );
        return None;
    };
    let path = PathBuf::from(directory).join("core/rpc_psbt.json");
    let text = std::fs::read_to_string(&path).expect("PSBT_VECTORS_DIR has core/rpc_psbt.json");
    Some(serde_json::from_str(&text).expect("JSON"))
}

fn list<'a>(vectors: &'a Value, name: &str) -> Vec<&'a Value> {
    let list: Vec<&Value> = vectors[name].as_array().expect("a list").iter().collect();
    assert!(list.len() > 20, "{name} has its vectors");
    list
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn valid_files_are_read() {
    let Some(vectors) = vectors() else { return };
    for (index, vector) in list(&vectors, "valid").into_iter().enumerate() {
        match read(text(vector).as_bytes()) {
            Ok(file) => check(index, &file, text(vector)),
            // BIP-0174 allows a transaction without inputs; this product does not.
            Err(error) => assert_eq!(error, Error::NoInputs, "valid {index}"),
        }
    }
}

fn check(index: usize, file: &ProofFile, base64: &str) {
    let binary = decode(base64.as_bytes()).expect("a file");
    let whole = binary.read(Keys::Form).expect("well-formed");
    let report = whole.report(Network::Mainnet);
    report.expect("plausible amounts");
    let minimal = read(&whole.strip()).expect("the stripped file");
    assert_eq!(
        minimal.unsigned_transaction(),
        file.unsigned_transaction(),
        "valid {index}"
    );
}

#[test]
fn invalid_files_are_refused() {
    let Some(vectors) = vectors() else { return };
    for (index, vector) in list(&vectors, "invalid").into_iter().enumerate() {
        let outcome = read(text(vector).as_bytes());
        if index == FINAL_TRANSACTION {
            assert_eq!(outcome.expect("a transaction").psbt_version, None);
            continue;
        }
        assert!(outcome.is_err(), "invalid {index} was read");
    }
    for vector in list(&vectors, "invalid_with_msg") {
        let (base64, message) = (text(&vector[0]), text(&vector[1]));
        if !is_about_musig2(message) {
            assert!(read(base64.as_bytes()).is_err(), "{message}: was read");
        }
    }
}
