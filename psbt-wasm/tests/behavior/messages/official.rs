//! The vectors of BIP-322, version 2. They are no part of this repository: without `PSBT_VECTORS_DIR` this test only says so.

use psbt_wasm::{MessageOptions, verify_message_with};

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

#[test]
fn full_signatures_are_valid_with_their_locks() {
    each("full", |vector| {
        let locks = ["sequence", "lock_time"].map(|lock| vector[lock].as_u64());
        for (status, reason) in statuses(vector) {
            assert_eq!(reason, None, "{vector}");
            if locks.iter().all(|lock| lock.unwrap_or_default() == 0) {
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

/// The coins are those that the vectors state.
#[test]
fn proofs_of_funds_are_valid_with_their_coins() {
    each("proof_of_funds", |vector| {
        let signature = vector["bip322_signatures"][0].as_str().expect("text");
        let file = read(signature.as_bytes()).expect("a PSBT");
        let inputs = file.unsigned_transaction().input.iter().skip(1);
        let stated = vector["additional_inputs"].as_array().expect("a list");
        let stated = stated
            .iter()
            .flat_map(|group| group.as_array().expect("a list"));
        let coins = inputs.zip(stated).map(|(input, coin)| {
            let script = ScriptBuf::from_hex(text(coin, "pk_script")).expect("hex");
            let value = coin["value"].as_u64().expect("a number");
            (input.previous_output, output(value, script))
        });
        let coins: Vec<_> = coins.collect();
        let check = |coins: &[(OutPoint, TxOut)]| {
            let options = MessageOptions {
                coins,
                ..MessageOptions::default()
            };
            let (address, message) = (text(vector, "address"), text(vector, "message"));
            verify_message_with(address, message.as_bytes(), signature, &options)
        };
        let found = check(&coins);
        assert_eq!(
            (found.status, found.reason),
            (MessageStatus::ValidWithLocks, None),
            "{vector}"
        );
        let amount = coins
            .iter()
            .map(|(_, coin)| coin.value.to_sat())
            .sum::<u64>();
        assert_eq!(found.amount_sats, amount);
        // One of them was not looked up.
        assert_eq!(
            check(&coins[1..]).reason,
            Some(MessageReason::CoinsNotLookedUp)
        );
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
