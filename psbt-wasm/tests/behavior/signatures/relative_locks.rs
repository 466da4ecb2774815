//! Scripts with a relative lock before or after the keys (BIP-0112).

use psbt_wasm::SignatureStatus::{Inconclusive, Invalid, Valid};

use super::*;

const KEY: usize = 3;
/// A day of blocks.
const BLOCKS: u32 = 144;
/// BIP-0068: in units of 512 seconds.
const TIME: u32 = 1 << 22 | 20;

/// The version of a transaction, the sequence of its input, and who signs.
#[derive(Clone, Copy, Debug)]
struct Spent {
    version: i32,
    sequence: u32,
    signer: usize,
}

const ENOUGH: Spent = Spent {
    version: 2,
    sequence: BLOCKS,
    signer: KEY,
};

const EARLY: Spent = Spent {
    sequence: BLOCKS - 1,
    ..ENOUGH
};

/// A script followed by a lock.
fn locked(script: Builder, lock: u32) -> Builder {
    script.push_int(i64::from(lock)).push_opcode(OP_CSV)
}

fn before(lock: u32, then: Opcode) -> ScriptBuf {
    let script = locked(Builder::new(), lock).push_opcode(then);
    let script = script.push_key(&own(KEY).public());
    script.push_opcode(OP_CHECKSIG).into_script()
}

fn after(lock: u32, check: Opcode) -> ScriptBuf {
    let script = Builder::new().push_key(&own(KEY).public());
    locked(script.push_opcode(check), lock).into_script()
}

fn psbt(script_pubkey: ScriptBuf, spent: Spent) -> Psbt {
    let mut psbt = coins(&[script_pubkey], 1);
    psbt.unsigned_tx.version = Version(spent.version);
    psbt.unsigned_tx.input[0].sequence = Sequence(spent.sequence);
    psbt
}

/// What is found when the input is final.
fn spends(mut psbt: Psbt, elements: &[Vec<u8>]) -> SignatureStatus {
    psbt.inputs[0] = Input {
        witness_utxo: psbt.inputs[0].witness_utxo.take(),
        final_script_witness: Some(Witness::from_slice(elements)),
        ..Input::default()
    };
    input(&psbt, 0).status
}

/// The verdicts on a witness script that these have signed, before and after finalizing.
fn signed_by(script: &ScriptBuf, signers: &[usize], spent: Spent) -> [SignatureStatus; 2] {
    let mut psbt = psbt(script.to_p2wsh(), spent);
    psbt.inputs[0].witness_script = Some(script.clone());
    // The element too many that OP_CHECKMULTISIG takes.
    let mut elements = vec![vec![]; usize::from(signers.len() > 1)];
    for signer in signers {
        elements.push(signature(&psbt, 0, &own(*signer), 1));
        sign(&mut psbt, 0, &own(*signer), 1);
    }
    elements.push(script.to_bytes());
    [input(&psbt, 0).status, spends(psbt, &elements)]
}

/// The same by the one key.
fn signed(script: &ScriptBuf, spent: Spent) -> [SignatureStatus; 2] {
    signed_by(script, &[spent.signer], spent)
}

/// The same of a final tapscript.
fn signed_leaf(script: &ScriptBuf, spent: Spent) -> SignatureStatus {
    let tree = tree(std::slice::from_ref(script));
    let mut psbt = psbt(ScriptBuf::new_p2tr_tweaked(tree.output_key()), spent);
    show(&mut psbt.inputs[0], &tree, script);
    let signature = signature(&psbt, 0, &own(spent.signer), 0);
    let (control, _) = psbt.inputs[0].tap_scripts.pop_first().expect("shown");
    spends(psbt, &[signature, script.to_bytes(), control.serialize()])
}

#[test]
fn a_key_with_a_relative_lock_is_valid_when_the_sequence_is_high_enough() {
    for lock in [1, 16, 17, 127, 128, BLOCKS, 0xffff, TIME] {
        for sequence in [lock, lock | 0xffff] {
            let spent = Spent { sequence, ..ENOUGH };
            for script in [
                before(lock, OP_DROP),
                before(lock, OP_VERIFY),
                after(lock, OP_CHECKSIGVERIFY),
            ] {
                assert_eq!(signed(&script, spent), [Valid; 2], "{script}");
            }
        }
    }
}

/// The verdicts on a lock that is not met: consensus refuses the final input.
const UNMET: [SignatureStatus; 2] = [Inconclusive, Invalid];

#[test]
fn a_lock_that_the_input_does_not_meet_is_not_valid() {
    let of = |version, sequence| Spent {
        version,
        sequence,
        ..ENOUGH
    };
    for spent in [
        EARLY,
        of(2, BLOCKS | 1 << 22),
        of(2, BLOCKS | 1 << 31),
        of(2, 0xffff_fffd),
        of(1, BLOCKS),
        of(0, BLOCKS),
    ] {
        for script in [before(BLOCKS, OP_DROP), after(BLOCKS, OP_CHECKSIGVERIFY)] {
            assert_eq!(signed(&script, spent), UNMET, "{script}");
        }
    }
    // Core compares the version as a number without a sign.
    let script = before(BLOCKS, OP_DROP);
    assert_eq!(signed(&script, of(-1, BLOCKS)), [Valid; 2]);
    assert_eq!(signed_by(&script, &[KEY + 1], ENOUGH), [Invalid; 2]);
}

#[test]
fn what_only_looks_like_a_lock_is_inconclusive() {
    let long = |bytes: &[u8]| {
        let script = pushes(vec![bytes.to_vec()]).into_bytes();
        let after = Builder::new().push_opcode(OP_CSV).push_opcode(OP_DROP);
        let after = after.push_key(&own(KEY).public()).push_opcode(OP_CHECKSIG);
        ScriptBuf::from([script, after.into_bytes()].concat())
    };
    let dropped = locked(Builder::new(), BLOCKS).push_opcode(OP_DROP);
    let twice = after(BLOCKS, OP_CHECKSIGVERIFY).into_bytes();
    let verified = Builder::new().push_key(&own(KEY).public());
    for script in [
        // Zero in three forms, negative, bit 31, and too long.
        before(0, OP_DROP),
        long(&[0]),
        long(&[0x80]),
        long(&[0x81]),
        long(&[0, 0, 0, 0x80]),
        long(&[0, 0, 0, 0x80, 0]),
        long(&[5, 0, 0, 0, 0, 0]),
        // The lock check leaves a wrong stack.
        after(BLOCKS, OP_CHECKSIG),
        verified.push_opcode(OP_CHECKSIGVERIFY).into_script(),
        // Two locks.
        [dropped.into_bytes(), twice].concat().into(),
    ] {
        assert_eq!(signed(&script, ENOUGH)[1], Inconclusive, "{script}");
    }
}

#[test]
fn several_keys_may_have_a_lock_too() {
    let keys = two_of_three().into_bytes();
    let last = locked(Builder::new(), BLOCKS).into_bytes();
    let first = [&last[..], &[OP_DROP.to_u8()], &keys].concat();
    let mut verified = keys.clone();
    assert_eq!(verified.pop(), Some(OP_CHECKMULTISIG.to_u8()));
    verified.push(OP_CHECKMULTISIGVERIFY.to_u8());
    for script in [first, [&verified[..], &last].concat()] {
        let script = ScriptBuf::from(script);
        for (spent, expected) in [(ENOUGH, [Valid; 2]), (EARLY, UNMET)] {
            let verdicts = signed_by(&script, &[10, 12], spent);
            assert_eq!(verdicts, expected, "{script}");
        }
    }
    let script = ScriptBuf::from([keys, last].concat());
    assert_eq!(signed_by(&script, &[10, 12], ENOUGH)[1], Inconclusive);
}

#[test]
fn a_leaf_may_have_a_relative_lock() {
    let key = own(KEY).x_only();
    let first = locked(Builder::new(), BLOCKS).push_opcode(OP_DROP);
    let first = first.push_x_only_key(&key).push_opcode(OP_CHECKSIG);
    let last = Builder::new().push_x_only_key(&key);
    let last = locked(last.push_opcode(OP_CHECKSIGVERIFY), BLOCKS);
    let signer = KEY + 1;
    let other = Spent { signer, ..ENOUGH };
    for script in [first.into_script(), last.into_script()] {
        for (spent, status) in [(ENOUGH, Valid), (other, Invalid), (EARLY, Invalid)] {
            assert_eq!(signed_leaf(&script, spent), status, "{script}");
        }
    }
}
