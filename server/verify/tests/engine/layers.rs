//! Each of the layers by itself: what it catches, and what it leaves to the others.

use verify::commitment::Alterations;
use verify::consensus::Spend;
use verify::policy;

use super::*;
use crate::ledger::no_lock;

/// The rule by which each layer refuses an input: engine, signature types, oracle, signers.
pub(crate) type Verdicts = [Option<&'static str>; 4];

pub(crate) fn layers(transaction: &Transaction, coins: &[TxOut], input: usize) -> Verdicts {
    let spend = Spend::new(transaction, coins).expect("it can be asked");
    let accepted = spend.accepts(input).expect("a verdict");
    let oracle = Alterations::new(transaction, coins).expect("it can be asked");
    let (spending, script) = (&transaction.input[input], &coins[input].script_pubkey);
    let code = |verdict: Result<(), Refusal>| {
        let refusal = verdict.err()?;
        assert_eq!(refusal.input(), Some(input));
        Some(refusal.code())
    };
    [
        (!accepted).then_some("invalid-signature"),
        code(policy::signature_types(input, spending, script)),
        code(oracle.check(input)),
        code(policy::conditions(input, transaction, script, &no_lock())),
    ]
}

/// The engine accepts every type; the oracle detects each without knowing types, for
/// any number of inputs and outputs; so do both readings of the types.
#[test]
fn the_oracle_needs_no_types() {
    for single in Single::all() {
        for (inputs, paid, own) in [
            (1, 1, 0),
            (2, 2, 1),
            (3, 3, 0),
            (3, 2, 1),
            (2, 1, 1),
            (1, 3, 0),
        ] {
            let coins = coins(&vec![single.script_pubkey(); inputs]);
            let mut transaction = spend(&coins);
            let more = transaction.output[0].clone();
            transaction.output.resize(paid, more);
            for byte in FOREIGN {
                // BIP-0341: there is no SINGLE without an output of the input's index.
                if single.lock.is_taproot() && byte & 3 == 3 && own >= paid {
                    continue;
                }
                single.sign(&mut transaction, &coins, own, byte);
                let what = format!("{:?} {byte:#x} {inputs} {paid} {own}", single.lock);
                let refused = ["foreign-sighash", "not-committed", "foreign-sighash"].map(Some);
                let [engine, others @ ..] = layers(&transaction, &outputs(&coins), own);
                assert_eq!((engine, others), (None, refused), "{what}");
            }
        }
    }
}

/// The verdict of each layer on a coin with this witness script, spent with the elements that `elements` makes.
fn spent(
    script: &Script,
    elements: impl FnOnce(&dyn Fn(&Key, u8) -> Vec<u8>) -> Vec<Vec<u8>>,
) -> Verdicts {
    let coins = coins(&[script.to_p2wsh()]);
    let mut transaction = spend(&coins);
    let elements = elements(&|key, byte| {
        let sighash = Sighash::new(&transaction, &coins, 0, byte);
        Container::Wsh.signature(&sighash, script, key)
    });
    in_p2wsh(&mut transaction.input[0], &elements, script);
    layers(&transaction, &outputs(&coins), 0)
}

/// A7: a second signature, of the type ALL, hides from the oracle that the first leaves everything open.
#[test]
fn the_oracle_alone_misses_a_leaked_signature() {
    let keys = [Key::random(), Key::random()];
    let script = Container::Wsh.multisig(&keys);
    let verdicts = spent(&script, |sign| {
        vec![vec![], sign(&keys[0], 0x82), sign(&keys[1], 0x01)]
    });
    let foreign = Some("foreign-sighash");
    assert_eq!(verdicts, [None, foreign, None, foreign]);
}

/// A9: engine, oracle and types accept the thief's own signature.
#[test]
fn only_the_interpreter_sees_that_no_key_was_committed() {
    let thief = Key::random();
    let verdicts = spent(&script_of(&[OP_CHECKSIG]), |sign| {
        vec![sign(&thief, 0x01), thief.public().to_bytes()]
    });
    assert_eq!(verdicts, [None, None, None, Some("key-not-committed")]);
}

/// A9: the interpreter can read this one, and finds no signature in it.
#[test]
fn a_hash_puzzle_has_no_signer() {
    let answer = [7; 32];
    let script = Builder::new().push_opcode(OP_SIZE).push_int(32);
    let script = script.push_opcode(OP_EQUALVERIFY).push_opcode(OP_SHA256);
    let script = script.push_slice(sha256::Hash::hash(&answer).to_byte_array());
    let script = script.push_opcode(OP_EQUAL).into_script();
    let [engine, _, _, signers] = spent(&script, |_| vec![answer.to_vec()]);
    assert_eq!((engine, signers), (None, Some("key-not-committed")));
}

/// The interpreter assumes that signatures are valid: the engine must refuse a garbage one.
#[test]
fn the_interpreter_alone_believes_every_signature() {
    let single = Single::new(Lock::Wpkh);
    let coins = coins(&[single.script_pubkey()]);
    let mut transaction = spend(&coins);
    let garbage = vec![0x30, 6, 2, 1, 1, 2, 1, 1, 0x01];
    single.place(&mut transaction.input[0], garbage);
    let [engine, _, oracle, signers] = layers(&transaction, &outputs(&coins), 0);
    assert_eq!(engine, Some("invalid-signature"));
    assert_eq!((oracle, signers), (None, None));
}

/// As witness script or leaf, the script of a single-key coin is just two pushes.
#[test]
fn a_script_that_looks_like_a_coin_of_one_key_is_none() {
    for lock in [Lock::Wpkh, Lock::TrKey] {
        let script = Single::new(lock).script_pubkey();
        let containers = [Container::Wsh, Container::ShWsh, Container::Leaf];
        let coins = coins(&containers.map(|container| container.script_pubkey(&script)));
        let mut transaction = spend(&coins);
        for (input, container) in containers.into_iter().enumerate() {
            container.place(&mut transaction.input[input], &[], &script);
            let spent = &coins[input].output.script_pubkey;
            let refused = policy::conditions(input, &transaction, spent, &no_lock());
            let code = refused.map_err(|refusal| refusal.code());
            let is_refused = matches!(code, Err("key-not-committed" | "inconclusive"));
            assert!(is_refused, "{lock:?} {input}: {code:?}");
        }
    }
}
