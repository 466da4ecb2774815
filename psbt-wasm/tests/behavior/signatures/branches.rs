//! Scripts with an absolute lock (BIP-0065), and of one key in either of two branches.

use psbt_wasm::SignatureStatus::{Inconclusive, Invalid, Valid};

use super::*;

const HEIGHT: u32 = 840_000;
const TIME: u32 = 1_800_000_000;
/// A day of blocks.
const BLOCKS: u32 = 144;
const FIRST: usize = 3;
const SECOND: usize = 4;

/// The lock time of a transaction, and the sequence of its input.
#[derive(Clone, Copy)]
struct Spent {
    lock_time: u32,
    sequence: u32,
}

fn psbt(script_pubkey: ScriptBuf, spent: Spent) -> Psbt {
    let mut psbt = coins(&[script_pubkey], 1);
    psbt.unsigned_tx.lock_time = LockTime::from_consensus(spent.lock_time);
    psbt.unsigned_tx.input[0].sequence = Sequence(spent.sequence);
    psbt
}

/// The verdict on a final input with this witness.
fn spends(mut psbt: Psbt, elements: &[Vec<u8>]) -> SignatureStatus {
    psbt.inputs[0] = Input {
        witness_utxo: psbt.inputs[0].witness_utxo.take(),
        final_script_witness: Some(Witness::from_slice(elements)),
        ..Input::default()
    };
    input(&psbt, 0).status
}

/// The verdicts on a witness script before and after finalizing; `top` chooses a branch.
fn signed(
    script: &ScriptBuf,
    signer: usize,
    top: Option<&[u8]>,
    spent: Spent,
) -> [SignatureStatus; 2] {
    let mut psbt = psbt(script.to_p2wsh(), spent);
    psbt.inputs[0].witness_script = Some(script.clone());
    let signature = signature(&psbt, 0, &own(signer), 1);
    sign(&mut psbt, 0, &own(signer), 1);
    let elements = [
        Some(signature),
        top.map(<[u8]>::to_vec),
        Some(script.to_bytes()),
    ];
    let elements: Vec<_> = elements.into_iter().flatten().collect();
    [input(&psbt, 0).status, spends(psbt, &elements)]
}

fn locked(lock: u32) -> Builder {
    let lock = Builder::new().push_int(lock.into());
    lock.push_opcode(OP_CLTV).push_opcode(OP_DROP)
}

#[test]
fn an_absolute_lock_is_met_by_a_lock_time_of_its_kind_that_counts() {
    for lock in [1, 16, HEIGHT, TIME, u32::MAX] {
        let before = locked(lock)
            .push_key(&own(FIRST).public())
            .push_opcode(OP_CHECKSIG)
            .into_script();
        let after = Builder::new()
            .push_key(&own(FIRST).public())
            .push_opcode(OP_CHECKSIGVERIFY);
        let after = after
            .push_int(lock.into())
            .push_opcode(OP_CLTV)
            .into_script();
        for script in [before, after] {
            let of = |lock_time, sequence| {
                signed(
                    &script,
                    FIRST,
                    None,
                    Spent {
                        lock_time,
                        sequence,
                    },
                )[1]
            };
            assert_eq!(of(lock, 0xffff_fffe), Valid, "{script}");
            assert_eq!(of(lock, u32::MAX), Invalid);
            assert_eq!(of(lock - 1, 0), Invalid);
            let other_kind = if lock < 500_000_000 {
                TIME
            } else {
                499_999_999
            };
            assert_eq!(of(other_kind, 0), Invalid);
            let other_key = Spent {
                lock_time: lock,
                sequence: 0,
            };
            assert_eq!(signed(&script, SECOND, None, other_key), [Invalid; 2]);
        }
    }
}

/// `IF <first> ELSE <lock> CHECKSEQUENCEVERIFY DROP <second> ENDIF CHECKSIG`, by the keys that a script of this kind has.
fn branches(first: &[u8], second: &[u8]) -> ScriptBuf {
    let push = |bytes: &[u8]| PushBytesBuf::try_from(bytes.to_vec()).expect("short");
    let script = Builder::new().push_opcode(OP_IF).push_slice(push(first));
    let script = script.push_opcode(OP_ELSE).push_int(BLOCKS.into());
    let script = script
        .push_opcode(OP_CSV)
        .push_opcode(OP_DROP)
        .push_slice(push(second));
    script
        .push_opcode(OP_ENDIF)
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

#[test]
fn the_top_of_the_stack_chooses_the_branch_that_must_be_signed() {
    let [first, second] = [FIRST, SECOND].map(|number| own(number).public().to_bytes());
    let script = branches(&first, &second);
    let late = Spent {
        lock_time: 0,
        sequence: BLOCKS,
    };
    let early = Spent {
        lock_time: 0,
        sequence: BLOCKS - 1,
    };
    for (signer, top, spent, expected) in [
        (FIRST, &[1][..], early, Valid),
        (SECOND, &[], late, Valid),
        (SECOND, &[], early, Invalid),
        // The key of the other branch.
        (FIRST, &[], late, Invalid),
        (SECOND, &[1], late, Invalid),
        // Policy requires exactly 1 (MINIMALIF).
        (FIRST, &[2], late, Inconclusive),
        (SECOND, &[0], late, Inconclusive),
    ] {
        assert_eq!(
            signed(&script, signer, Some(top), spent)[1],
            expected,
            "{signer} {top:?}"
        );
    }
    // Before it is finalized, either key may sign whose lock is met.
    assert_eq!(signed(&script, FIRST, None, early)[0], Valid);
    assert_eq!(signed(&script, SECOND, None, late)[0], Valid);
    assert_eq!(signed(&script, SECOND, None, early)[0], Inconclusive);
    assert_eq!(signed(&script, 5, None, late)[0], Invalid);
}

#[test]
fn a_leaf_may_have_branches_too() {
    let [first, second] = [FIRST, SECOND].map(|number| own(number).x_only().serialize());
    let script = branches(&first, &second);
    let tree = tree(std::slice::from_ref(&script));
    for (signer, top, sequence, expected) in [
        (FIRST, &[1][..], 0, Valid),
        (SECOND, &[], BLOCKS, Valid),
        (SECOND, &[], 0, Invalid),
        (FIRST, &[], BLOCKS, Invalid),
    ] {
        let spent = Spent {
            lock_time: 0,
            sequence,
        };
        let mut psbt = psbt(ScriptBuf::new_p2tr_tweaked(tree.output_key()), spent);
        show(&mut psbt.inputs[0], &tree, &script);
        let signature = signature(&psbt, 0, &own(signer), 0);
        let (control, _) = psbt.inputs[0].tap_scripts.pop_first().expect("shown");
        let elements = [
            signature,
            top.to_vec(),
            script.to_bytes(),
            control.serialize(),
        ];
        assert_eq!(
            spends(psbt, &elements),
            expected,
            "{signer} {top:?} {sequence}"
        );
    }
}
