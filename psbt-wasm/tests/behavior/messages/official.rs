//! The vectors of BIP-322, version 2. They are no part of this repository: without `PSBT_VECTORS_DIR` this test only says so.

use super::*;

fn each(list: &str, check: impl Fn(&Value)) {
    for kind in ["basic", "generated"] {
        let vectors = vectors::file(&format!("bips/bip-0322_{kind}-test-vectors.json"));
        let list = vectors.as_ref().and_then(|all| all[list].as_array());
        list.into_iter().flatten().for_each(&check);
    }
}

fn text<'a>(vector: &'a Value, member: &str) -> &'a str {
    vector[member].as_str().expect("text")
}

fn statuses(vector: &Value) -> Vec<(MessageStatus, Option<MessageReason>)> {
    let signatures = vector["bip322_signatures"].as_array().expect("signatures");
    let (address, message) = (text(vector, "address"), text(vector, "message"));
    let checks = signatures.iter().map(|signature| {
        let signature = signature.as_str().expect("text");
        verify_message(address, message.as_bytes(), signature)
    });
    checks.map(|check| (check.status, check.reason)).collect()
}

#[test]
fn simple_signatures_are_valid() {
    each("simple", |vector| {
        for status in statuses(vector) {
            assert_eq!(status, (MessageStatus::Valid, None), "{vector}");
        }
    });
}

/// Scripts with branches are outside the templates.
#[test]
fn full_signatures_are_valid_with_their_locks() {
    each("full", |vector| {
        let locks = ["sequence", "lock_time"].map(|lock| vector[lock].as_u64());
        for (status, reason) in statuses(vector) {
            if text(vector, "type").ends_with("time-lock") {
                assert_eq!(reason, Some(MessageReason::UnknownScript), "{vector}");
            } else if locks.iter().all(|lock| lock.unwrap_or_default() == 0) {
                assert_eq!(status, MessageStatus::Valid, "{vector}");
            } else {
                assert_eq!(status, MessageStatus::ValidWithLocks, "{vector}");
            }
        }
    });
}

#[test]
fn coins_of_a_proof_of_funds_were_not_looked_up() {
    each("proof_of_funds", |vector| {
        for (_, reason) in statuses(vector) {
            assert_eq!(reason, Some(MessageReason::CoinsNotLookedUp), "{vector}");
        }
    });
}

#[test]
fn no_error_vector_is_valid() {
    each("error", |vector| {
        let (address, message) = (text(vector, "address"), text(vector, "message"));
        let check = verify_message(address, message.as_bytes(), text(vector, "signature"));
        assert_eq!(check.status, MessageStatus::Invalid, "{vector}");
    });
}
