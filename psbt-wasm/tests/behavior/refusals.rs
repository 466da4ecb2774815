//! With which words files are refused. Which ones are, the differential tests say.

use super::*;

fn refused(bytes: &[u8]) -> Error {
    read(bytes).expect_err("this file must be refused")
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
    let parse = "Invalid PSBT: Could not parse. ";
    type Files<'a> = &'a [&'a [u8]];
    let cases: [(Files<'_>, &str, &str, &str); 9] = [
        (
            &[b"", b"psbt"],
            "file-too-short",
            "Invalid PSBT: File too short",
            "",
        ),
        (
            &[
                b"PSBT\xff",
                b"     ",
                b"<!doctype html><title>Not Found</title>",
                b"aGVsbG8gd29ybGQ=",
                b"deadbeefdeadbeef",
                cut_transaction,
                &large[1..],
            ],
            "invalid-magic",
            "Invalid PSBT: Invalid magic number",
            "",
        ),
        (
            &[&large],
            "file-too-large",
            "The file is too large: at most 32 MiB can be read.",
            "",
        ),
        (&[&no_inputs], "no-inputs", "No inputs found", ""),
        (&[&no_outputs], "no-outputs", "No outputs found", ""),
        (
            &[&whole[..whole.len() / 2]],
            "could-not-parse",
            parse,
            "Input 2: The file, or a field in it, ends too early.",
        ),
        (
            &[base64.as_bytes()],
            "could-not-parse",
            parse,
            "The base64 text is damaged.",
        ),
        (
            &[hex.as_bytes()],
            "could-not-parse",
            parse,
            "The hexadecimal text is damaged.",
        ),
        (
            &[&continued],
            "could-not-parse",
            parse,
            "There is unexpected data after the end.",
        ),
    ];
    for (files, code, words, why) in cases {
        for file in files {
            let error = refused(file);
            assert_eq!(
                (error.code(), error.to_string()),
                (code, [words, why].concat())
            );
        }
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
