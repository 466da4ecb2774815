//! Bitcoin Core's published vectors, `test/functional/data/rpc_psbt.json`. `differential` compares their fields.

use super::*;

/// Published vectors. They are not copied into this repository: `PSBT_VECTORS_DIR` names a folder that has them.
pub(crate) fn file(name: &str) -> Option<Value> {
    let Some(folder) = std::env::var_os("PSBT_VECTORS_DIR") else {
        println!("skipped: PSBT_VECTORS_DIR names no folder with {name}");
        return None;
    };
    let path = std::path::Path::new(&folder).join(name);
    let text = std::fs::read_to_string(path).expect("PSBT_VECTORS_DIR has the vectors");
    Some(serde_json::from_str(&text).expect("JSON"))
}

/// Deliberate differences, by position in the list `invalid`: a network transaction is no PSBT, but we read it.
const FINAL_TRANSACTION: usize = 0;

/// By the start of the message in the list `invalid_with_msg`: MuSig2 fields (BIP-0373) are unknown fields to
/// the `bitcoin` crate. They are not looked into, and stripped.
fn is_about_musig2(message: &str) -> bool {
    message.to_lowercase().contains("musig2") || message == "Size of value was not the stated size"
}

/// The vectors of this list, from the repository bitcoin/bitcoin.
fn list(name: &str) -> Vec<Value> {
    let Some(mut vectors) = file("core/rpc_psbt.json") else {
        return Vec::new();
    };
    let Value::Array(list) = vectors[name].take() else {
        panic!("no list {name}");
    };
    assert!(list.len() > 20, "{name} has its vectors");
    list
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

#[test]
fn valid_files_are_read() {
    for (index, vector) in list("valid").iter().enumerate() {
        let file = match read(text(vector).as_bytes()) {
            Ok(file) => file,
            // BIP-0174 allows a transaction without inputs; this product does not.
            Err(error) => {
                assert_eq!(error, Error::NoInputs, "valid {index}");
                continue;
            }
        };
        let binary = decode(text(vector).as_bytes()).expect("a file");
        let whole = binary.read(Keys::Form).expect("well-formed");
        let report = whole.report(Network::Mainnet);
        report.expect("plausible amounts");
        let minimal = read(&whole.strip()).expect("the stripped file");
        let (minimal, whole) = (minimal.unsigned_transaction(), file.unsigned_transaction());
        assert_eq!(minimal, whole, "valid {index}");
    }
}

#[test]
fn invalid_files_are_refused() {
    for (index, vector) in list("invalid").iter().enumerate() {
        let outcome = read(text(vector).as_bytes());
        if index == FINAL_TRANSACTION {
            assert_eq!(outcome.expect("a transaction").psbt_version, None);
        } else {
            assert!(outcome.is_err(), "invalid {index} was read");
        }
    }
    for vector in list("invalid_with_msg") {
        let (base64, message) = (text(&vector[0]), text(&vector[1]));
        if !is_about_musig2(message) {
            assert!(read(base64.as_bytes()).is_err(), "{message}: was read");
        }
    }
}
