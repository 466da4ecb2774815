//! With which words files are refused. Which ones are, the differential tests say.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hex::DisplayHex;
use bitcoin::{Amount, OutPoint, Psbt, TxOut};
use psbt_wasm::{Error, MAX_FILE_BYTES, read};

use crate::fixtures::{final_transaction, key, mixed, spending, txid};

fn refused(bytes: &[u8]) -> Error {
    read(bytes).expect_err("this file must be refused")
}

#[test]
fn refusals_say_what_is_wrong() {
    let whole = mixed().serialize();
    let half = &whole[..whole.len() / 2];
    let output = TxOut {
        value: Amount::from_sat(1),
        script_pubkey: key(1).segwit(),
    };
    let unsigned = |inputs: &[OutPoint], outputs| {
        let psbt = Psbt::from_unsigned_tx(spending(inputs, outputs));
        psbt.expect("unsigned").serialize()
    };
    let no_inputs = unsigned(&[], vec![output]);
    let no_outputs = unsigned(&[OutPoint::new(txid(1), 0)], vec![]);
    let continued = [&whole[..], &[0]].concat();
    let base64 = format!("{}!", STANDARD.encode(&whole));
    let hex = format!("{}0", whole.to_lower_hex_string());
    let large = vec![0; MAX_FILE_BYTES + 1];
    let cut_transaction = &serialize(&final_transaction())[..40];
    let magic = "Invalid PSBT: Invalid magic number";
    let parse = |why: &str| format!("Invalid PSBT: Could not parse. {why}");
    let cases: [(&[u8], &str, &str); 15] = [
        (b"", "file-too-short", "Invalid PSBT: File too short"),
        (b"psbt", "file-too-short", "Invalid PSBT: File too short"),
        (b"PSBT\xff", "invalid-magic", magic),
        (b"     ", "invalid-magic", magic),
        (
            b"<!doctype html><title>Not Found</title>",
            "invalid-magic",
            magic,
        ),
        (b"aGVsbG8gd29ybGQ=", "invalid-magic", magic),
        (b"deadbeefdeadbeef", "invalid-magic", magic),
        (cut_transaction, "invalid-magic", magic),
        (&large[1..], "invalid-magic", magic),
        (
            &large,
            "file-too-large",
            "The file is too large: at most 32 MiB can be read.",
        ),
        (&no_inputs, "no-inputs", "No inputs found"),
        (&no_outputs, "no-outputs", "No outputs found"),
        (
            half,
            "could-not-parse",
            &parse("Input 2: The file, or a field in it, ends too early."),
        ),
        (
            base64.as_bytes(),
            "could-not-parse",
            &parse("The base64 text is damaged."),
        ),
        (
            hex.as_bytes(),
            "could-not-parse",
            &parse("The hexadecimal text is damaged."),
        ),
    ];
    for (bytes, code, words) in cases {
        let error = refused(bytes);
        assert_eq!((error.code(), error.to_string().as_str()), (code, words));
    }
    let words = refused(&continued).to_string();
    assert!(
        words.ends_with("There is unexpected data after the end."),
        "{words}"
    );
}

#[test]
fn no_message_repeats_the_file() {
    // A damaged key: the crate's own message would show it.
    let mut bytes = mixed().serialize();
    let path = [0xde, 0xad, 0xbe, 0xef];
    let at = bytes.windows(4).position(|window| window == path);
    bytes.remove(at.expect("a fingerprint"));
    let words = refused(&bytes).to_string();
    assert!(words.len() < 120 && !words.contains("deadbe"), "{words}");
}
