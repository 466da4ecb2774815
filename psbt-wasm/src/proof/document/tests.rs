use super::*;

const FILES: [&str; 4] = [
    include_str!("../../../tests/node/fixtures/published-message.json"),
    include_str!("../../../tests/node/fixtures/published-transaction.json"),
    include_str!("../../../tests/node/fixtures/reader-message.json"),
    include_str!("../../../tests/node/fixtures/reader-transaction.json"),
];

fn refusal(text: &str) -> Option<&'static str> {
    match ProofDocument::read(text.as_bytes()) {
        Err(Error::MalformedProof(member)) => Some(member),
        Err(error) => panic!("{error}"),
        Ok(_) => None,
    }
}

/// The text after the first place of `from` that is replaced.
fn with(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1)
}

#[test]
fn every_kind_of_file_is_read_in_any_order_and_with_any_space() {
    for text in FILES {
        assert_eq!(refusal(text), None);
        let value: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let document = ProofDocument::read(text.as_bytes());
        let compact = ProofDocument::read(value.to_string().as_bytes());
        assert_eq!(document, compact);
        let document = document.expect("a proof");
        assert_eq!(document.statement.text, value["statement"]["text"]);
        assert_eq!(document.board.is_some(), value.get("id").is_some());
        assert_eq!(
            document.coins.len(),
            value["inputs"].as_array().map_or(0, Vec::len)
        );
    }
}

#[test]
fn a_text_has_its_escapes_read_as_every_parser_reads_them() {
    let text = with(
        FILES[0],
        "\"satoshi\"",
        r#""a\"\\\/\b\f\n\r\t\u00fc\ud83d\ude00ü""#,
    );
    let board = ProofDocument::read(text.as_bytes()).expect("a proof").board;
    let username = board.expect("a board's").username;
    assert_eq!(username, "a\"\\/\u{8}\u{c}\n\r\t\u{fc}\u{1f600}\u{fc}");
}

/// Each of these is read differently by two parsers, or is no proof file.
#[test]
fn ambiguous_files_are_refused() {
    let file = FILES[0];
    for (from, to, member) in [
        // There twice, also when spelled otherwise.
        (
            "\"id\":",
            "\"id\": \"0190d0c2-0000-7000-8000-00000000000b\", \"id\":",
            "id",
        ),
        ("\"id\":", "\"\\u0069d\":", "{}"),
        ("\"nonce\":", "\"nonce\": \"00\", \"nonce\":", "nonce"),
        ("\"text\":", "\"more\": 1, \"text\":", "statement"),
        ("\"height\":", "\"more\": 1, \"height\":", "block"),
        ("\"named\":", "\"more\": 1, \"named\":", "profile"),
        ("\"vout\": 0", "\"vout\": 0, \"vout\": 1", "vout"),
        ("\"note\":", "\"__proto__\": {}, \"note\":", "{}"),
        ("\"note\": \"\",", "", "{}"),
        // Numbers.
        ("\"height\": 0", "\"height\": 0.0", "block"),
        ("\"height\": 0", "\"height\": 1e0", "block"),
        ("\"height\": 0", "\"height\": -0", "height"),
        ("\"height\": 0", "\"height\": 00", "height"),
        ("\"height\": 0", "\"height\": \"0\"", "height"),
        ("\"height\": 0", "\"height\": 4294967296", "height"),
        (
            "\"value_sats\": 0",
            "\"value_sats\": 2100000000000001",
            "value_sats",
        ),
        (
            "\"value_sats\": 0",
            "\"value_sats\": 99999999999999999999999",
            "value_sats",
        ),
        ("\"value_sats\": 0", "\"value_sats\": null", "value_sats"),
        // Values of another form.
        (
            "\"network\": \"mainnet\"",
            "\"network\": \"testnet\"",
            "network",
        ),
        (
            "\"network\": \"mainnet\"",
            "\"network\": \"bitcoin\"",
            "network",
        ),
        (
            "\"binding\": \"message\"",
            "\"binding\": \"unbound\"",
            "binding",
        ),
        (
            "\"binding\": \"message\"",
            "\"binding\": \"transaction\"",
            "counts",
        ),
        ("\"counts\": null", "\"counts\": true", "counts"),
        ("\"counts\": true", "\"counts\": null", "counts"),
        ("\"counts\": true", "\"counts\": 1", "counts"),
        ("2026-11-20T12:00:00Z", "2026-11-20 12:00:00", "created_at"),
        ("-00000000000a", "-00000000000A", "id"),
        ("\"satoshi\"", "\"\\ud800\"", "username"),
        ("\"satoshi\"", "\"a\tb\"", "username"),
        ("0707070707", "070707070G", "nonce"),
        (
            "\"account_id\": \"0190d0c2-0000-7000-8000-000000000001\",",
            "",
            "statement",
        ),
        // Around the object.
        ("{", "\u{feff}{", "{}"),
        ("{", "[{", "{}"),
        ("{", "{} {", "{}"),
        ("https://board.example", "reader", "{}"),
    ] {
        let text = with(file, from, to);
        assert_eq!(refusal(&text), Some(member), "{to}");
    }
    for text in [
        "",
        "null",
        "[]",
        "{}",
        "5",
        "\"",
        "{\"id\"",
        &format!("{file}0"),
        &file[..file.len() - 2],
    ] {
        assert!(refusal(text).is_some(), "{text:?}");
    }
    assert!(ProofDocument::read(b"{\"id\":\"\xff\"}").is_err());
    // A proof for one reader has no member of a board.
    for more in [
        "\"note\": \"\",",
        "\"id\": \"0190d0c2-0000-7000-8000-00000000000a\",",
    ] {
        assert!(refusal(&with(FILES[2], "{", &format!("{{{more}"))).is_some());
    }
    let counts = with(FILES[2], "\"txid\"", "\"counts\": true, \"txid\"");
    assert_eq!(refusal(&counts), Some("counts"));
}

#[test]
fn a_transaction_beyond_a_block_is_too_large() {
    let value: serde_json::Value = serde_json::from_str(FILES[1]).expect("JSON");
    let long = "00".repeat(MAX_TRANSACTION_BYTES + 1);
    let text = FILES[1].replace(value["transaction"].as_str().expect("hex"), &long);
    assert_eq!(
        ProofDocument::read(text.as_bytes()),
        Err(Error::TransactionTooLarge)
    );
}
