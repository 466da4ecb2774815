//! The same file in every dress that wallets, editors and shells put it into.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hex::DisplayHex;
use psbt_wasm::{Content, Encoding, read};

use crate::fixtures::{final_transaction, mixed};

fn wrapped(text: &str, line_end: &str) -> String {
    let lines = text
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line));
    lines
        .flat_map(|line| [line.into_owned(), line_end.to_owned()])
        .collect()
}

fn utf16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xfeff)
        .chain(text.encode_utf16())
        .flat_map(unit)
        .collect()
}

#[test]
fn a_psbt_is_found_in_every_encoding() {
    let psbt = mixed();
    let binary = psbt.serialize();
    let base64 = STANDARD.encode(&binary);
    let hex = binary.to_lower_hex_string();
    let cases: [(&str, Encoding, Vec<u8>); 12] = [
        ("binary", Encoding::Binary, binary.clone()),
        ("base64", Encoding::Base64, base64.clone().into()),
        (
            "base64, BIP-0322 proof of funds",
            Encoding::Base64,
            format!("pof{base64}").into(),
        ),
        (
            "base64, final line end",
            Encoding::Base64,
            format!("{base64}\n").into(),
        ),
        (
            "base64, wrapped",
            Encoding::Base64,
            wrapped(&base64, "\n").into(),
        ),
        (
            "base64, wrapped by Windows",
            Encoding::Base64,
            wrapped(&base64, "\r\n").into(),
        ),
        (
            "base64, byte order mark",
            Encoding::Base64,
            format!("\u{feff}{base64}").into(),
        ),
        (
            "base64, indented",
            Encoding::Base64,
            format!(" \t{base64} ").into(),
        ),
        (
            "base64, no padding",
            Encoding::Base64,
            base64.trim_end_matches('=').into(),
        ),
        (
            "base64, UTF-16",
            Encoding::Base64,
            utf16(&base64, u16::to_le_bytes),
        ),
        ("hex", Encoding::Hex, format!("{hex}\n").into()),
        (
            "hex, upper case",
            Encoding::Hex,
            wrapped(&hex.to_uppercase(), "\r\n").into(),
        ),
    ];
    for (name, encoding, bytes) in cases {
        let file = read(&bytes).expect(name);
        assert_eq!(file.encoding, encoding, "{name}");
        assert_eq!(file.psbt_version, Some(0), "{name}");
        assert_eq!(
            file.content,
            Content::Psbt(Box::new(psbt.clone())),
            "{name}"
        );
    }
}

#[test]
fn a_final_transaction_is_found_in_every_encoding() {
    let transaction = final_transaction();
    let binary = serialize(&transaction);
    let base64 = STANDARD.encode(&binary);
    let cases: [(Encoding, Vec<u8>); 5] = [
        (Encoding::Binary, binary.clone()),
        (Encoding::Base64, base64.clone().into()),
        // BIP-0322, a signature in the form "full".
        (Encoding::Base64, format!("ful{base64}\n").into()),
        (
            Encoding::Hex,
            format!("{}\n", binary.to_lower_hex_string()).into(),
        ),
        (
            Encoding::Hex,
            utf16(&binary.to_lower_hex_string(), u16::to_be_bytes),
        ),
    ];
    for (encoding, bytes) in cases {
        let file = read(&bytes).expect("a transaction");
        assert_eq!(file.encoding, encoding);
        assert_eq!(file.psbt_version, None);
        assert_eq!(file.unsigned_transaction(), &transaction);
    }
}
