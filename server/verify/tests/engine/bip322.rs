//! BIP-0322's official proofs of funds; `psbt-wasm/tests/behavior/messages/official.rs` has the signatures that claim no coins. They are
//! not part of this repository: without `PSBT_VECTORS_DIR` these tests only print a note.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Address;
use verify::binding::{self, NotBound};
use verify::bip322::{Kind, kind};

use super::*;
use crate::vectors;

/// The proofs of funds in all files.
fn proofs_of_funds() -> Vec<Value> {
    let files = ["basic", "generated"].map(|kind| {
        let file = format!("bips/bip-0322_{kind}-test-vectors.json");
        vectors::vectors(&file, "bitcoin/bips bip-0322")
    });
    let lists = files.iter().flatten().map(|all| &all["proof_of_funds"]);
    let lists = lists.filter_map(Value::as_array).flatten();
    let found: Vec<Value> = lists.cloned().collect();
    let skipped = files.iter().all(Option::is_none);
    assert!(skipped || !found.is_empty(), "no vectors");
    found
}

fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vectors::text(&vector[field])
}

/// The file behind the mark of BIP-0322.
fn psbt(signature: &str) -> Psbt {
    let base64 = signature.strip_prefix("pof").expect("a proof of funds");
    let bytes = STANDARD.decode(base64).expect("base64");
    Psbt::deserialize(&bytes).expect("a PSBT")
}

fn challenge(vector: &Value) -> ScriptBuf {
    let address: Address<_> = text(vector, "address").parse().expect("an address");
    address.assume_checked().script_pubkey()
}

/// The coins according to the file.
fn stated_coins(psbt: &Psbt) -> Vec<Coin> {
    let inputs = psbt.unsigned_tx.input.iter().zip(&psbt.inputs).skip(1);
    let coins = inputs.map(|(input, fields)| {
        let outpoint = input.previous_output;
        let from_transaction = || {
            let vout = usize::try_from(outpoint.vout).ok()?;
            // BIP-0322: stated once for all inputs that spend outputs of one transaction.
            let mut all = psbt.inputs.iter();
            let previous = all.find_map(|fields| {
                let previous = fields.non_witness_utxo.as_ref()?;
                (previous.compute_txid() == outpoint.txid).then_some(previous)
            });
            previous?.output.get(vout).cloned()
        };
        let output = fields.witness_utxo.clone().or_else(from_transaction);
        let output = output.expect("a stated coin");
        Coin { outpoint, output }
    });
    coins.collect()
}

/// All steps of a submitted file, with the message that it should carry.
fn prove(vector: &Value, message: &str, signature: &str) -> Option<Verified> {
    let candidate = read(signature, Vec::new()).expect("a file that can be read");
    let signed = candidate.kind.message().expect("a signed message");
    assert_eq!(signed.challenge, challenge(vector));
    if !signed.signs(message.as_bytes()) {
        return None;
    }
    let mut ledger = Ledger::new(&stated_coins(&psbt(signature)));
    ledger.tip.height = 10_000;
    ledger.tip.median_time = 1_790_000_000;
    let verified = ledger.verdict_of_candidate(candidate);
    Some(verified.expect("a valid proof of funds"))
}

#[test]
fn proofs_of_funds_prove_their_coins() {
    for vector in proofs_of_funds() {
        for signature in vector["bip322_signatures"].as_array().expect("a list") {
            let signature = signature.as_str().expect("text");
            let message = text(&vector, "message");
            let verified = prove(&vector, message, signature).expect("the right message");
            assert_eq!(verified.kind.virtual_inputs(), 1);
            let bound = binding::carrier(&verified, &["another line", message]);
            assert_eq!(bound, Ok(psbt_wasm::Carrier::Message));
            let bound = binding::carrier(&verified, &["another line"]);
            assert_eq!(bound, Err(NotBound::OtherStatement));
            let proven = verified.claimed();
            let proven = proven.map(|(_, coin)| coin.output.value.to_sat());
            let groups = vector["additional_inputs"].as_array().expect("a list");
            let expected = groups.iter().filter_map(Value::as_array).flatten();
            let expected: u64 = expected.filter_map(|input| input["value"].as_u64()).sum();
            assert_eq!(proven.sum::<u64>(), expected);
            for other in [String::new(), format!("{message}\n"), format!("x{message}")] {
                assert!(prove(&vector, &other, signature).is_none(), "{other:?}");
            }
        }
    }
}

#[test]
fn what_breaks_the_form_is_recognized() {
    for vector in proofs_of_funds() {
        let signature = vector["bip322_signatures"][0].as_str().expect("text");
        let psbt = psbt(signature);
        type Change = fn(&mut Psbt);
        let version: Change = |it| it.unsigned_tx.version = Version::ONE;
        let more: Change = |it| {
            it.unsigned_tx.output.push(TxOut::NULL);
            it.outputs.push(Default::default());
        };
        let other: Change = |it| it.unsigned_tx.output[0].script_pubkey.push_slice([1]);
        let alone: Change = |it| {
            it.unsigned_tx.input.truncate(1);
            it.inputs.truncate(1);
        };
        for (change, expected) in [
            (version, Fault::Version),
            (more, Fault::Outputs),
            (other, Fault::Outputs),
            (alone, Fault::NoCoins),
        ] {
            let mut changed = psbt.clone();
            change(&mut changed);
            let judged = |psbt: &Psbt| {
                let file = psbt_wasm::read(&psbt.serialize()).expect("a well-formed file");
                kind(&file)
            };
            let without_message = match expected {
                // With any other output it is an ordinary file, and none of its coins is on the chain.
                Fault::Outputs => Ok(Kind::Transaction),
                Fault::NoCoins => Err(Refusal::MessageAlone),
                fault => Err(Refusal::MessageForm(fault)),
            };
            assert_eq!(judged(&changed), without_message);
            let message = text(&vector, "message").as_bytes().to_vec();
            changed.unknown.insert(message_key(), message);
            assert_eq!(judged(&changed), Err(Refusal::MessageForm(expected)));
        }
    }
}
