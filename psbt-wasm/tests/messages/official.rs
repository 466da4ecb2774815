//! The vectors of BIP-322, version 2. They are no part of this repository: without `PSBT_VECTORS_DIR` this test only says so.

use psbt_wasm::{MessageReason, MessageStatus, verify_message};
use serde_json::Value;

const FILES: [&str; 2] = [
    "bip-0322_basic-test-vectors.json",
    "bip-0322_generated-test-vectors.json",
];

fn vectors(list: &str) -> Vec<Value> {
    let Ok(folder) = std::env::var("PSBT_VECTORS_DIR") else {
        eprintln!(
            "skipped: PSBT_VECTORS_DIR is not set; the vectors are in bip-0322 of github.com/bitcoin/bips"
        );
        return Vec::new();
    };
    let all = FILES.iter().flat_map(|file| {
        let text = std::fs::read_to_string(format!("{folder}/bips/{file}")).expect("the vectors");
        let all: Value = serde_json::from_str(&text).expect("JSON");
        all[list].as_array().cloned().unwrap_or_default()
    });
    all.collect()
}

fn text<'a>(vector: &'a Value, member: &str) -> &'a str {
    vector[member].as_str().expect("text")
}

fn statuses(vector: &Value) -> Vec<(MessageStatus, Option<MessageReason>)> {
    let signatures = vector["bip322_signatures"].as_array().expect("signatures");
    let checks = signatures.iter().map(|signature| {
        verify_message(
            text(vector, "address"),
            text(vector, "message").as_bytes(),
            signature.as_str().expect("text"),
        )
    });
    checks.map(|check| (check.status, check.reason)).collect()
}

#[test]
fn simple_signatures_are_valid() {
    for vector in vectors("simple") {
        for status in statuses(&vector) {
            assert_eq!(status, (MessageStatus::Valid, None), "{vector}");
        }
    }
}

/// Scripts with branches are outside the templates.
#[test]
fn full_signatures_are_valid_with_their_locks() {
    for vector in vectors("full") {
        let locks = vector["sequence"].as_u64().unwrap_or_default()
            + vector["lock_time"].as_u64().unwrap_or_default();
        for (status, reason) in statuses(&vector) {
            if text(&vector, "type").ends_with("time-lock") {
                assert_eq!(reason, Some(MessageReason::UnknownScript), "{vector}");
            } else if locks == 0 {
                assert_eq!(status, MessageStatus::Valid, "{vector}");
            } else {
                assert_eq!(status, MessageStatus::ValidWithLocks, "{vector}");
            }
        }
    }
}

#[test]
fn coins_of_a_proof_of_funds_were_not_looked_up() {
    for vector in vectors("proof_of_funds") {
        for (_, reason) in statuses(&vector) {
            assert_eq!(reason, Some(MessageReason::CoinsNotLookedUp), "{vector}");
        }
    }
}

#[test]
fn no_error_vector_is_valid() {
    for vector in vectors("error") {
        let (address, message) = (text(&vector, "address"), text(&vector, "message"));
        let check = verify_message(address, message.as_bytes(), text(&vector, "signature"));
        assert_eq!(check.status, MessageStatus::Invalid, "{vector}");
    }
}
