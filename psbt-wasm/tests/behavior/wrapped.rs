//! Files within other text: what the reader takes out of it, and what is named instead.

use psbt_wasm::{Recognized, recognize};

use super::*;

fn file() -> Vec<u8> {
    mixed().serialize()
}

fn utf_16(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

fn base64url(bytes: &[u8]) -> String {
    STANDARD.encode(bytes).replace('+', "-").replace('/', "_")
}

/// A file whose base64 text has all characters in which the alphabets differ.
fn with_all_digits() -> Vec<u8> {
    let mut psbt = mixed();
    let every = (unknown(0x78), vec![0xfb, 0xef, 0xbe, 0xff, 0xff, 0xff]);
    psbt.unknown.extend([every]);
    psbt.serialize()
}

#[test]
fn a_file_in_json_or_in_quotes_is_read() {
    let bytes = file();
    let [text, hex] = [STANDARD.encode(&bytes), bytes.to_lower_hex_string()];
    let transaction = serialize(&final_transaction()).to_lower_hex_string();
    let escaped = text.replace('/', "\\/").replace('=', "\\u003d");
    let lines: Vec<String> = text
        .as_bytes()
        .chunks(76)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    for wrapped in [
        // bitcoin-cli: walletcreatefundedpsbt, walletprocesspsbt, an unfinished finalizepsbt, and the whole RPC response.
        format!("{{\n  \"psbt\": \"{text}\",\n  \"fee\": 0.00001410,\n  \"changepos\": 1\n}}\n"),
        format!("{{\"psbt\": \"{text}\", \"complete\": true, \"hex\": \"{transaction}\"}}"),
        format!("{{\"hex\": \"{transaction}\", \"complete\": true, \"psbt\": \"{text}\"}}"),
        format!("{{\"result\":\"{text}\",\"error\":null,\"id\":\"curltest\"}}"),
        // lncli wallet psbt fund, and the REST interface.
        format!(
            "{{\n    \"psbt\": \"{text}\",\n    \"change_output_index\": 0,\n    \"locks\": [{{\"id\": \"{}\"}}]\n}}",
            "ab".repeat(32)
        ),
        format!("{{\"funded_psbt\":\"{text}\",\"change_output_index\":0,\"locked_utxos\":[]}}"),
        format!("[\"{hex}\"]"),
        format!("[\"{text}\",\"{text}\"]"),
        format!("{{\"psbt\":\"{escaped}\"}}"),
        format!("{{\"psbt\":\"{}\"}}", lines.join("\\n")),
        format!("\"{{\\\"psbt\\\":\\\"{text}\\\"}}\""),
        format!("\"psbt\": \"{text}\","),
        format!("\"{text}\""),
        format!(" '{text}'\n"),
        format!("\"{hex}\""),
        format!("`{text}`"),
        format!("```\n{}\n```", lines.join("\r\n")),
        format!("\u{201c}{text}\u{201d}"),
        format!("\"pof{text}\""),
    ] {
        let found = decode(wrapped.as_bytes()).unwrap_or_else(|error| panic!("{error}: {wrapped}"));
        assert_eq!(found.as_bytes(), bytes, "{wrapped}");
    }
    let signed = format!("{{\n  \"hex\": \"{transaction}\",\n  \"complete\": true\n}}");
    let found = decode(signed.as_bytes()).expect("a transaction");
    assert_eq!(found.as_bytes(), serialize(&final_transaction()));
}

#[test]
fn both_alphabets_and_utf_16_without_a_mark_are_read() {
    let bytes = with_all_digits();
    let text = STANDARD.encode(&bytes);
    let url = base64url(&bytes);
    assert!(url.contains('-') && url.contains('_') && !url.contains(['+', '/']));
    for written in [
        &text,
        &url,
        &url.trim_end_matches('=').to_owned(),
        &format!("\"{url}\""),
    ] {
        let units = [
            written.clone().into_bytes(),
            utf_16(written, u16::to_le_bytes),
            utf_16(written, u16::to_be_bytes),
            utf_16(&format!("\u{feff}{written}\r\n"), u16::to_le_bytes),
        ];
        for wrapped in units {
            let found = decode(wrapped.as_slice()).expect("read");
            assert_eq!(
                (found.as_bytes(), found.encoding()),
                (&bytes[..], Encoding::Base64)
            );
        }
    }
    let hex = utf_16(&bytes.to_lower_hex_string(), u16::to_le_bytes);
    assert_eq!(decode(hex).expect("read").encoding(), Encoding::Hex);
}

#[test]
fn damage_within_quotes_is_damage() {
    let text = STANDARD.encode(file());
    let wrapped = format!("{{\"psbt\": \"{}!\"}}", &text[..400]);
    let error = decode(wrapped.as_bytes()).expect_err("damaged");
    assert_eq!(error, Fault::Base64.into());
}

/// In base 43, as Electrum writes it.
fn base43(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$*+-./:";
    let mut digits: Vec<usize> = Vec::new();
    for byte in bytes {
        let mut carry = usize::from(*byte);
        for digit in &mut digits {
            carry += *digit * 256;
            *digit = carry % 43;
            carry /= 43;
        }
        while carry > 0 {
            digits.push(carry % 43);
            carry /= 43;
        }
    }
    digits
        .iter()
        .rev()
        .map(|digit| char::from(DIGITS[*digit]))
        .collect()
}

#[test]
fn other_text_around_a_file_is_named() {
    let bytes = file();
    let [text, hex] = [STANDARD.encode(&bytes), bytes.to_lower_hex_string()];
    let raw = serialize(&final_transaction()).to_lower_hex_string();
    let lines = |ends: &str, starts: &str| -> String {
        let lines = text.as_bytes().chunks(64);
        lines
            .map(|line| format!("{starts}{}{ends}\n", String::from_utf8_lossy(line)))
            .collect()
    };
    let other = STANDARD.encode(simple(5, 4).serialize());
    let cases = [
        (Recognized::HexPrefix, format!("0x{hex}")),
        (
            Recognized::HexPrefix,
            format!("\"0X{}\"", hex.to_uppercase()),
        ),
        (Recognized::HexPrefix, format!("0x{raw}")),
        (
            Recognized::DataUrl,
            format!("data:application/octet-stream;base64,{text}"),
        ),
        (
            Recognized::DataUrl,
            format!("data:text/plain,{}", text.replace('+', "%2B")),
        ),
        (
            Recognized::Pem,
            format!(
                "-----BEGIN PSBT-----\n{}-----END PSBT-----\n",
                lines("", "")
            ),
        ),
        (
            Recognized::Pem,
            format!(
                "-----BEGIN BITCOIN TRANSACTION-----\r\n\r\n{text}\r\n-----END BITCOIN TRANSACTION-----"
            ),
        ),
        (Recognized::QuotedMail, lines("", "> ")),
        (
            Recognized::QuotedMail,
            format!("On Monday Jo wrote:\n{}", lines("", ">> ")),
        ),
        (Recognized::QuotedMail, lines("=", "")),
        (
            Recognized::QuotedMail,
            format!("{}=3D=3D", text.trim_end_matches('=')),
        ),
        (Recognized::ElectrumQr, base43(&bytes)),
        (
            Recognized::ElectrumQr,
            base43(&serialize(&final_transaction())),
        ),
        (Recognized::ElectrumQr, base43(&simple(5, 4).serialize())),
        (
            Recognized::HexOfBase64,
            text.as_bytes().to_lower_hex_string(),
        ),
        (
            Recognized::HexOfBase64,
            text.as_bytes().to_upper_hex_string(),
        ),
        (
            Recognized::Json,
            format!("{{\"psbts\":[\"{text}\",\"{other}\"]}}"),
        ),
        (
            Recognized::Json,
            "{\n \"tx\": {\"txid\": \"00\"}, \"inputs\": [], \"fee\": 0.1\n}".to_owned(),
        ),
        (
            Recognized::PsbtInText,
            format!("Please sign this PSBT: {text}"),
        ),
        (Recognized::PsbtInText, format!("<psbt>{hex}</psbt>")),
    ];
    for (kind, wrapped) in cases {
        let error = decode(wrapped.as_bytes()).and_then(|file| file.read(Keys::Form).map(drop));
        let code = error.expect_err(&wrapped).code();
        assert!(
            matches!(code, "invalid-magic" | "could-not-parse"),
            "{code}: {wrapped}"
        );
        assert_eq!(recognize(wrapped.as_bytes()), Some(kind), "{wrapped}");
        let utf_16 = utf_16(&wrapped, u16::to_le_bytes);
        assert_eq!(recognize(&utf_16), Some(kind), "{wrapped}");
        assert!(!kind.is_secret());
    }
    assert_eq!(
        recognize(b"0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef"),
        None
    );
    assert_eq!(recognize("A LINE IN CAPITALS. ".repeat(9).as_bytes()), None);
}
