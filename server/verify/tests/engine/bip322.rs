//! BIP-0322's official vectors. They are not part of this repository: without
//! `PSBT_VECTORS_DIR` these tests only print a note.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::deserialize;
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{Address, Amount, OutPoint, Psbt, ScriptBuf, Transaction, TxIn, TxOut, Witness};
use serde_json::Value;
use verify::binding::{self, NotBound};
use verify::bip322::{Fault, Kind, kind, message_hash, message_key, to_spend};
use verify::{Refusal, Verified, consensus, read, scripts};

use crate::forge::Coin;
use crate::ledger::{Ledger, no_lock};
use crate::vectors;

const FILES: [&str; 2] = [
    "bips/bip-0322_basic-test-vectors.json",
    "bips/bip-0322_generated-test-vectors.json",
];

/// The vectors of this list in all files.
fn vectors(list: &str) -> Vec<Value> {
    let files = FILES.map(|file| vectors::vectors(file, "bitcoin/bips bip-0322"));
    let found: Vec<Value> = files
        .iter()
        .flatten()
        .flat_map(|all| all[list].as_array().cloned().unwrap_or_default())
        .collect();
    let skipped = files.iter().all(Option::is_none);
    assert!(skipped || !found.is_empty(), "no vectors in {list}");
    found
}

fn text<'a>(vector: &'a Value, field: &str) -> &'a str {
    vectors::text(&vector[field])
}

fn challenge(vector: &Value) -> ScriptBuf {
    let address: Address<_> = text(vector, "address").parse().expect("an address");
    address.assume_checked().script_pubkey()
}

/// The unsigned `to_sign` of a simple signature.
fn plain_to_sign(spent: &Transaction) -> Transaction {
    Transaction {
        version: Version(0),
        lock_time: bitcoin::absolute::LockTime::ZERO,
        input: vec![TxIn {
            previous_output: OutPoint::new(spent.compute_txid(), 0),
            sequence: bitcoin::Sequence::ZERO,
            ..TxIn::default()
        }],
        output: vec![TxOut {
            value: Amount::ZERO,
            script_pubkey: Builder::new()
                .push_opcode(bitcoin::opcodes::all::OP_RETURN)
                .into_script(),
        }],
    }
}

/// `to_spend`, and the signed `to_sign` of a signature without further inputs.
fn decode(vector: &Value, signature: &str) -> Option<(Transaction, Transaction)> {
    let spent = to_spend(text(vector, "message").as_bytes(), &challenge(vector));
    // Before the prefixes there was only the simple variant.
    let (variant, encoded) = match signature.split_at_checked(3)? {
        (variant @ ("smp" | "ful"), encoded) => (variant, encoded),
        _ => ("smp", signature),
    };
    let bytes = STANDARD.decode(encoded).ok()?;
    let to_sign = if variant == "ful" {
        deserialize(&bytes).ok()?
    } else {
        let mut to_sign = plain_to_sign(&spent);
        to_sign.input[0].witness = deserialize::<Witness>(&bytes).ok()?;
        to_sign
    };
    Some((spent, to_sign))
}

/// Whether Bitcoin Core's engine accepts the signature.
fn accepted(spent: &Transaction, to_sign: &Transaction) -> bool {
    let expected = OutPoint::new(spent.compute_txid(), 0);
    to_sign.input[0].previous_output == expected
        && consensus::structure(to_sign, &spent.output).is_ok()
        && consensus::Spend::new(to_sign, &spent.output)
            .and_then(|spend| spend.accepts(0))
            .expect("the engine answers")
}

#[test]
fn hashes_are_those_of_the_vectors() {
    for vector in vectors("tx_hashes") {
        let message = text(&vector, "message").as_bytes();
        assert_eq!(
            hex::encode(message_hash(message)),
            text(&vector, "message_hash")
        );
        let spent = to_spend(message, &challenge(&vector));
        assert_eq!(
            spent.compute_txid().to_string(),
            text(&vector, "to_spend_tx_hash")
        );
        let to_sign = plain_to_sign(&spent);
        assert_eq!(
            to_sign.compute_txid().to_string(),
            text(&vector, "to_sign_tx_hash")
        );
    }
}

/// Only a proof of funds claims coins, so these are not submitted; the engine and the signed
/// data are the same.
#[test]
fn simple_and_full_signatures_are_accepted() {
    for vector in [vectors("simple"), vectors("full")].concat() {
        let kind = text(&vector, "type");
        for signature in vector["bip322_signatures"].as_array().expect("a list") {
            let signature = signature.as_str().expect("text");
            let (spent, to_sign) = decode(&vector, signature).expect("a signature");
            assert!(accepted(&spent, &to_sign), "{kind}");
            // The scripts with time locks are not miniscript, so their signers are inconclusive.
            if !kind.ends_with("time-lock") {
                assert_eq!(
                    scripts::check(&to_sign, &spent.output, &no_lock()),
                    Ok(()),
                    "{kind}"
                );
            }
        }
    }
}

#[test]
fn wrong_signatures_are_refused() {
    for vector in vectors("error") {
        let decoded = decode(&vector, text(&vector, "signature"));
        let accepted = decoded.is_some_and(|(spent, to_sign)| accepted(&spent, &to_sign));
        assert!(!accepted, "{}", text(&vector, "description"));
    }
}

/// The coins according to the file.
fn stated(psbt: &Psbt) -> Vec<Coin> {
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
        Coin {
            outpoint,
            output: output.expect("a stated coin"),
        }
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
    let file = psbt_wasm::read(signature.as_bytes()).expect("a file that can be read");
    let psbt_wasm::Content::Psbt(psbt) = file.content else {
        panic!("no PSBT");
    };
    let mut ledger = Ledger::new(&stated(&psbt));
    ledger.tip.height = 10_000;
    ledger.tip.median_time = 1_790_000_000;
    let verified = ledger.verdict_of_candidate(candidate);
    Some(verified.expect("a valid proof of funds"))
}

#[test]
fn proofs_of_funds_prove_their_coins() {
    for vector in vectors("proof_of_funds") {
        for signature in vector["bip322_signatures"].as_array().expect("a list") {
            let signature = signature.as_str().expect("text");
            assert!(signature.starts_with("pof"));
            let message = text(&vector, "message");
            let verified = prove(&vector, message, signature).expect("the right message");
            assert_eq!(verified.kind.virtual_inputs(), 1);
            let bound = binding::carrier(&verified, &["another line", message]);
            assert_eq!(bound, Ok(psbt_wasm::Carrier::Message));
            let bound = binding::carrier(&verified, &["another line"]);
            assert_eq!(bound, Err(NotBound::OtherStatement));
            let proven: u64 = verified
                .claimed()
                .map(|(_, coin)| coin.output.value.to_sat())
                .sum();
            let groups = vector["additional_inputs"].as_array().expect("a list");
            let expected = groups.iter().filter_map(Value::as_array).flatten();
            let expected: u64 = expected.filter_map(|input| input["value"].as_u64()).sum();
            assert_eq!(proven, expected);
            for other in [String::new(), format!("{message}\n"), format!("x{message}")] {
                assert!(prove(&vector, &other, signature).is_none(), "{other:?}");
            }
        }
    }
}

#[test]
fn what_breaks_the_form_is_recognized() {
    for vector in vectors("proof_of_funds") {
        let signature = vector["bip322_signatures"][0].as_str().expect("text");
        let bytes = STANDARD.decode(&signature[3..]).expect("base64");
        let psbt = Psbt::deserialize(&bytes).expect("a PSBT");
        type Change = fn(&mut Psbt);
        let changes: [(Change, Fault); 4] = [
            (|it| it.unsigned_tx.version = Version::ONE, Fault::Version),
            (
                |it| {
                    it.unsigned_tx.output.push(TxOut::NULL);
                    it.outputs.push(Default::default());
                },
                Fault::Outputs,
            ),
            (
                |it| it.unsigned_tx.output[0].script_pubkey.push_slice([1]),
                Fault::Outputs,
            ),
            (
                |it| {
                    it.unsigned_tx.input.truncate(1);
                    it.inputs.truncate(1);
                },
                Fault::NoCoins,
            ),
        ];
        for (change, expected) in changes {
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
