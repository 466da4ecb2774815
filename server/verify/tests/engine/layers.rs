//! Each of the three layers by itself: what it catches, and what it leaves to the others.

use verify::commitment::Alterations;
use verify::consensus::Spend;
use verify::policy;

use super::*;
use crate::forge::{coins, der};
use crate::ledger::no_lock;

fn engine(transaction: &Transaction, coins: &[Coin], input: usize) -> bool {
    let spend = Spend::new(transaction, &outputs(coins)).expect("it can be asked");
    spend.accepts(input).expect("a verdict")
}

fn oracle(transaction: &Transaction, coins: &[Coin], input: usize) -> Result<(), Refusal> {
    let alterations = Alterations::new(transaction, &outputs(coins)).expect("it can be asked");
    alterations.check(input)
}

fn types(transaction: &Transaction, coins: &[Coin], input: usize) -> Result<(), Refusal> {
    let script = &coins[input].output.script_pubkey;
    policy::signature_types(input, &transaction.input[input], script)
}

fn signers(transaction: &Transaction, coins: &[Coin], input: usize) -> Result<(), Refusal> {
    let script = &coins[input].output.script_pubkey;
    policy::conditions(input, transaction, script, &no_lock())
}

#[test]
fn good_signatures_pass_all_of_them() {
    for single in Single::all() {
        let coins = coins(&[single.script_pubkey(), single.script_pubkey()]);
        let mut transaction = spend(&coins);
        for byte in if single.lock.is_taproot() {
            vec![0, 1]
        } else {
            vec![1]
        } {
            single.sign(&mut transaction, &coins, 1, byte);
            assert!(engine(&transaction, &coins, 1));
            assert_eq!(types(&transaction, &coins, 1), Ok(()));
            assert_eq!(oracle(&transaction, &coins, 1), Ok(()));
            assert_eq!(signers(&transaction, &coins, 1), Ok(()));
        }
    }
}

/// The engine accepts every type; the oracle detects each without knowing types, for
/// any number of inputs and outputs; so do both readings of the types.
#[test]
fn the_oracle_needs_no_types() {
    for single in Single::all() {
        for (inputs, outputs, own) in [
            (1, 1, 0),
            (2, 2, 1),
            (3, 3, 0),
            (3, 2, 1),
            (2, 1, 1),
            (1, 3, 0),
        ] {
            let coins = coins(&vec![single.script_pubkey(); inputs]);
            let mut transaction = spend(&coins);
            while transaction.output.len() < outputs {
                transaction.output.push(transaction.output[0].clone());
            }
            transaction.output.truncate(outputs);
            for byte in FOREIGN {
                // BIP-0341: there is no SINGLE without an output of the input's index.
                if single.lock.is_taproot() && byte & 3 == 3 && own >= outputs {
                    continue;
                }
                single.sign(&mut transaction, &coins, own, byte);
                let what = format!("{:?} {byte:#x} {inputs} {outputs} {own}", single.lock);
                assert!(engine(&transaction, &coins, own), "{what}");
                let refusal = Err(Refusal::NotCommitted { input: own });
                assert_eq!(oracle(&transaction, &coins, own), refusal, "{what}");
                for refusal in [
                    types(&transaction, &coins, own),
                    signers(&transaction, &coins, own),
                ] {
                    let code = refusal.map_err(|refusal| refusal.code());
                    assert_eq!(code, Err("foreign-sighash"), "{what}");
                }
            }
        }
    }
}

/// A7: a second signature, of the type ALL, hides from the oracle that the first leaves everything open.
#[test]
fn the_oracle_alone_misses_a_leaked_signature() {
    let keys = [Key::random(), Key::random()];
    let script = Builder::new()
        .push_opcode(OP_PUSHNUM_2)
        .push_key(&keys[0].public())
        .push_key(&keys[1].public())
        .push_opcode(OP_PUSHNUM_2)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script();
    let coins = coins(&[p2wsh(&script)]);
    let mut transaction = spend(&coins);
    let [leaked, own] = [(0, 0x82), (1, 0x01)].map(|(key, byte)| {
        let sighash = Sighash::new(&transaction, &coins, 0, byte);
        der(sighash.segwit(&script), &keys[key], byte)
    });
    in_p2wsh(&mut transaction.input[0], &[vec![], leaked, own], &script);
    assert!(engine(&transaction, &coins, 0));
    assert_eq!(oracle(&transaction, &coins, 0), Ok(()));
    assert!(types(&transaction, &coins, 0).is_err());
    assert!(signers(&transaction, &coins, 0).is_err());
}

/// A9: engine, oracle and types accept the thief's own signature.
#[test]
fn only_the_interpreter_sees_that_no_key_was_committed() {
    let thief = Key::random();
    let script = Builder::new().push_opcode(OP_CHECKSIG).into_script();
    let coins = coins(&[p2wsh(&script)]);
    let mut transaction = spend(&coins);
    let sighash = Sighash::new(&transaction, &coins, 0, 0x01);
    let signature = der(sighash.segwit(&script), &thief, 0x01);
    let elements = [signature, thief.public().to_bytes()];
    in_p2wsh(&mut transaction.input[0], &elements, &script);
    assert!(engine(&transaction, &coins, 0));
    assert_eq!(types(&transaction, &coins, 0), Ok(()));
    assert_eq!(oracle(&transaction, &coins, 0), Ok(()));
    let refusal = Err(Refusal::KeyNotCommitted { input: 0 });
    assert_eq!(signers(&transaction, &coins, 0), refusal);
}

/// A9: the interpreter can read this one, and finds no signature in it.
#[test]
fn a_puzzle_is_signed_by_nobody() {
    let answer = [7; 32];
    let script = Builder::new()
        .push_opcode(OP_SIZE)
        .push_int(32)
        .push_opcode(OP_EQUALVERIFY)
        .push_opcode(OP_SHA256)
        .push_slice(sha256::Hash::hash(&answer).to_byte_array())
        .push_opcode(OP_EQUAL)
        .into_script();
    let coins = coins(&[p2wsh(&script)]);
    let mut transaction = spend(&coins);
    in_p2wsh(&mut transaction.input[0], &[answer.to_vec()], &script);
    assert!(engine(&transaction, &coins, 0));
    let refusal = Err(Refusal::KeyNotCommitted { input: 0 });
    assert_eq!(signers(&transaction, &coins, 0), refusal);
}

/// The interpreter assumes that signatures are valid: the engine must refuse a garbage one.
#[test]
fn the_interpreter_alone_believes_every_signature() {
    let single = Single::new(Lock::Wpkh);
    let coins = coins(&[single.script_pubkey()]);
    let mut transaction = spend(&coins);
    single.place(
        &mut transaction.input[0],
        vec![0x30, 6, 2, 1, 1, 2, 1, 1, 0x01],
    );
    assert_eq!(signers(&transaction, &coins, 0), Ok(()));
    assert_eq!(oracle(&transaction, &coins, 0), Ok(()));
    assert!(!engine(&transaction, &coins, 0));
}

/// As witness script or leaf, the script of a single-key coin is just two pushes.
#[test]
fn a_script_that_looks_like_a_coin_of_one_key_is_none() {
    for lock in [Lock::Wpkh, Lock::TrKey] {
        let script = Single::new(lock).script_pubkey();
        let (nested, leaf) = (p2wsh(&script), Leaf::new(script.clone()));
        let scripts = [nested.clone(), p2sh(&nested), leaf.script_pubkey()];
        let coins = coins(&scripts);
        let mut transaction = spend(&coins);
        in_p2wsh(&mut transaction.input[0], &[], &script);
        in_p2sh(&mut transaction.input[1], &[], &nested);
        in_p2wsh(&mut transaction.input[1], &[], &script);
        leaf.place(&mut transaction.input[2], &[]);
        for input in 0..scripts.len() {
            let code = signers(&transaction, &coins, input).map_err(|refusal| refusal.code());
            assert!(
                matches!(code, Err("key-not-committed" | "inconclusive")),
                "{lock:?} {input}: {code:?}"
            );
        }
    }
}
