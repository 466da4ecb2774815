//! The messages of refusals. The differential tests check which files are refused.

use super::*;

fn refused(bytes: &[u8]) -> Error {
    read(bytes).expect_err("this file must be refused")
}

#[track_caller]
fn assert_refused(bytes: &[u8], code: &str, words: &str) {
    let error = refused(bytes);
    assert_eq!((error.code(), &*error.to_string()), (code, words));
}

#[test]
fn refusals_say_what_is_wrong() {
    let whole = mixed().serialize();
    let no_inputs = unsigned(&[], vec![output(1, key(1).segwit())]).serialize();
    let no_outputs = unsigned(&[OutPoint::new(txid(1), 0)], vec![]).serialize();
    let continued = [&whole[..], &[0]].concat();
    let base64 = format!("{}!", STANDARD.encode(&whole));
    let hex = format!("{}0", whole.to_lower_hex_string());
    let large = vec![0; MAX_FILE_BYTES + 1];
    let cut_transaction = &serialize(&final_transaction())[..40];
    for file in [&b""[..], b"psbt"] {
        assert_refused(file, "file-too-short", "Invalid PSBT: File too short");
    }
    for file in [
        &b"PSBT\xff"[..],
        b"     ",
        b"<!doctype html><title>Not Found</title>",
        b"aGVsbG8gd29ybGQ=",
        b"deadbeefdeadbeef",
        cut_transaction,
        &large[1..],
    ] {
        assert_refused(file, "invalid-magic", "Invalid PSBT: Invalid magic number");
    }
    let words = "The file is too large: at most 32 MiB can be read.";
    assert_refused(&large, "file-too-large", words);
    assert_refused(&no_inputs, "no-inputs", "No inputs found");
    assert_refused(&no_outputs, "no-outputs", "No outputs found");
    let half = whole.len() / 2;
    let early = "Input 2: The file, or a field in it, ends too early.";
    for (file, why) in [
        (&whole[..half], early),
        (base64.as_bytes(), "The base64 text is damaged."),
        (hex.as_bytes(), "The hexadecimal text is damaged."),
        (&continued, "There is unexpected data after the end."),
    ] {
        let words = format!("Invalid PSBT: Could not parse. {why}");
        assert_refused(file, "could-not-parse", &words);
    }
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
