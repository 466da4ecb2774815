//! Bitcoin Core's `script_tests.json`.

use bitcoin::absolute::LockTime;
use bitcoin::opcodes::OP_0;
use bitcoin::transaction::Version;
use bitcoin::{Sequence, TxIn, Witness};

use super::*;
use crate::forge::{Leaf, pay, script_of};

/// Errors that only nodes' relay rules cause.
const POLICY_ERRORS: &str = "CLEANSTACK DISCOURAGE_OP_SUCCESS DISCOURAGE_UPGRADABLE_NOPS DISCOURAGE_UPGRADABLE_WITNESS_PROGRAM \
    MINIMALDATA MINIMALIF NULLFAIL PUBKEYTYPE SCRIPTNUM SIG_HASHTYPE SIG_HIGH_S SIG_PUSHONLY TAPSCRIPT_MINIMALIF \
    WITNESS_PUBKEYTYPE";

/// A spend as in Core's test: of the only output of a made-up coinbase transaction.
fn spend(witness: Witness, script_sig: ScriptBuf, coin: TxOut) -> Transaction {
    let value = coin.value;
    let transaction = |previous_output, script_sig, witness, output| Transaction {
        version: Version::ONE,
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            previous_output,
            script_sig,
            sequence: Sequence::MAX,
            witness,
        }],
        output: vec![output],
    };
    let zeros = script_of(&[OP_0, OP_0]);
    let funding = transaction(OutPoint::null(), zeros, Witness::new(), coin);
    let output = pay(value.to_sat(), ScriptBuf::new());
    let outpoint = OutPoint::new(funding.compute_txid(), 0);
    transaction(outpoint, script_sig, witness, output)
}

/// `[[witness…, amount]?, scriptSig, scriptPubKey, flags, verdict, comment?]`: the spend, its coin and the verdict.
fn read(vector: &[Value]) -> Option<(Transaction, TxOut, &str)> {
    let (witness, rest) = match vector {
        [Value::Array(witness), rest @ ..] => (witness.as_slice(), rest),
        rest => (&[][..], rest),
    };
    let [script_sig, script, _, verdict, ..] = rest else {
        return None;
    };
    let (value, elements) = match witness.split_last() {
        Some((value, elements)) => (value.as_f64().expect("an amount"), elements),
        None => (0.0, &[][..]),
    };
    let mut texts = elements.iter().map(text);
    let mut leaf = texts.clone();
    let leaf = leaf.find_map(|text| text.strip_prefix("#SCRIPT# "));
    let leaf = leaf.map(|leaf| Leaf::new(asm::parse(leaf)));
    let mut witness = Witness::new();
    texts.by_ref().for_each(|element| match &leaf {
        Some(leaf) if element == "#CONTROLBLOCK#" => witness.push(leaf.control_block()),
        Some(leaf) if element.starts_with('#') => witness.push(&leaf.script),
        _ => witness.push(hex::decode(element).expect("hex")),
    });
    let script_pubkey = leaf.as_ref().map(Leaf::script_pubkey);
    let coin = TxOut {
        value: Amount::from_btc(value).expect("an amount"),
        script_pubkey: script_pubkey.unwrap_or_else(|| asm::parse(text(script))),
    };
    let transaction = spend(witness, asm::parse(text(script_sig)), coin.clone());
    Some((transaction, coin, text(verdict)))
}

#[test]
fn the_engine_agrees_and_no_layer_lets_an_invalid_script_pass() {
    let source = "bitcoin/bitcoin src/test/data";
    let Some(file) = vectors("core/script_tests.json", source) else {
        return;
    };
    let (mut valid, mut invalid, mut proofs) = (0, 0, 0);
    for vector in array(&file).iter().map(array) {
        let Some((transaction, coin, verdict)) = read(vector) else {
            continue;
        };
        let coins = [coin];
        let accepted = scripts::check(scripts::processors(), &transaction, &coins, &no_lock());
        let consensus = accepts(&transaction, &coins, 0);
        if verdict == "OK" {
            // All rules together may forbid a spend that the listed ones allow.
            valid += usize::from(consensus);
            proofs += usize::from(accepted.is_ok());
        } else if !POLICY_ERRORS.split(' ').any(|it| it == verdict) {
            // All rules together forbid every spend that the listed ones forbid.
            assert!(!consensus && accepted.is_err(), "{vector:?}");
            invalid += 1;
        }
    }
    println!("{valid} valid scripts, of which {proofs} would be proofs; {invalid} invalid ones");
    assert!(valid > 600 && invalid > 350, "{valid} and {invalid}");
}
