//! Scripts with a relative lock before or after the keys (BIP-0112).

use bitcoin::hashes::Hash;
use bitcoin::opcodes::Opcode;
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKMULTISIGVERIFY, OP_CHECKSIG, OP_CHECKSIGVERIFY, OP_CSV, OP_DROP,
    OP_VERIFY,
};
use bitcoin::script::Builder;
use bitcoin::sighash::{EcdsaSighashType, SighashCache, TapSighashType};
use bitcoin::taproot::{LeafVersion, TaprootBuilder};
use bitcoin::transaction::Version;
use bitcoin::{Amount, Psbt, ScriptBuf, Sequence, Witness};
use psbt_wasm::SignatureStatus::{self, Inconclusive, Invalid, Valid};

use crate::scene::{multisig, pair, public, secp, spending};
use crate::signing::{schnorr_signature_of_leaf, signed_digest};

const KEY: usize = 3;
/// A day of blocks.
const BLOCKS: u32 = 144;
/// BIP-0068: in units of 512 seconds.
const TIME: u32 = 1 << 22 | 20;

/// What an input has.
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

fn push(lock: u32) -> Builder {
    Builder::new().push_int(i64::from(lock))
}

fn before(lock: u32, then: Opcode) -> ScriptBuf {
    let builder = push(lock).push_opcode(OP_CSV).push_opcode(then);
    builder
        .push_key(&public(KEY))
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

fn after(lock: u32, check: Opcode) -> ScriptBuf {
    let builder = Builder::new().push_key(&public(KEY)).push_opcode(check);
    let builder = builder.push_int(i64::from(lock)).push_opcode(OP_CSV);
    builder.into_script()
}

fn psbt(script_pubkey: ScriptBuf, spent: Spent) -> Psbt {
    let mut psbt = spending(vec![script_pubkey], 1);
    psbt.unsigned_tx.version = Version(spent.version);
    psbt.unsigned_tx.input[0].sequence = Sequence(spent.sequence);
    psbt
}

/// The verdicts on a witness script that these have signed, before and after finalizing.
fn signed(script: &ScriptBuf, signers: &[usize], spent: Spent) -> [SignatureStatus; 2] {
    let mut partial = psbt(script.to_p2wsh(), spent);
    partial.inputs[0].witness_script = Some(script.clone());
    let value = Amount::from_sat(10_000);
    let digest = SighashCache::new(&partial.unsigned_tx)
        .p2wsh_signature_hash(0, script, value, EcdsaSighashType::All)
        .expect("in range");
    let mut elements = if signers.len() > 1 {
        vec![vec![]]
    } else {
        vec![]
    };
    for signer in signers {
        let signature = signed_digest(digest.to_byte_array(), *signer, EcdsaSighashType::All);
        elements.push(signature.to_vec());
        let signatures = &mut partial.inputs[0].partial_sigs;
        signatures.insert(public(*signer), signature);
    }
    elements.push(script.to_bytes());
    let mut done = psbt(script.to_p2wsh(), spent);
    done.inputs[0].final_script_witness = Some(Witness::from_slice(&elements));
    [&partial, &done].map(|psbt| crate::input(psbt, 0).status)
}

/// The same of a final tapscript.
fn signed_leaf(script: &ScriptBuf, spent: Spent) -> SignatureStatus {
    let builder = TaprootBuilder::new().add_leaf(0, script.clone());
    let tree = builder.expect("one leaf");
    let internal = pair(20).x_only_public_key().0;
    let tree = tree.finalize(&secp(), internal).expect("a whole tree");
    let leaf = (script.clone(), LeafVersion::TapScript);
    let control = tree.control_block(&leaf).expect("a leaf of the tree");
    let mut done = psbt(ScriptBuf::new_p2tr_tweaked(tree.output_key()), spent);
    let default = TapSighashType::Default;
    let signature = schnorr_signature_of_leaf(&done, 0, Some(script), spent.signer, default);
    let elements = [signature.to_vec(), script.to_bytes(), control.serialize()];
    done.inputs[0].final_script_witness = Some(Witness::from_slice(&elements));
    crate::input(&done, 0).status
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
                assert_eq!(signed(&script, &[KEY], spent), [Valid; 2], "{script}");
            }
        }
    }
}

/// Consensus refuses them, or the script is not read: never valid.
#[test]
fn a_lock_that_the_input_does_not_meet_is_not_valid() {
    let of = |version, sequence| Spent {
        version,
        sequence,
        ..ENOUGH
    };
    for spent in [
        of(2, BLOCKS - 1),
        of(2, BLOCKS | 1 << 22),
        of(2, BLOCKS | 1 << 31),
        of(2, 0xffff_fffd),
        of(1, BLOCKS),
        of(0, BLOCKS),
    ] {
        for script in [before(BLOCKS, OP_DROP), after(BLOCKS, OP_CHECKSIGVERIFY)] {
            assert_eq!(
                signed(&script, &[KEY], spent),
                [Inconclusive; 2],
                "{script}"
            );
        }
    }
    // Core compares the version as a number without a sign.
    let script = before(BLOCKS, OP_DROP);
    assert_eq!(signed(&script, &[KEY], of(-1, BLOCKS)), [Valid; 2]);
    assert_eq!(signed(&script, &[KEY + 1], ENOUGH), [Invalid; 2]);
}

#[test]
fn what_only_looks_like_a_lock_is_inconclusive() {
    let long = |bytes: &[u8]| {
        let bytes = <&bitcoin::script::PushBytes>::try_from(bytes).expect("short");
        let builder = Builder::new().push_slice(bytes).push_opcode(OP_CSV);
        let builder = builder.push_opcode(OP_DROP).push_key(&public(KEY));
        builder.push_opcode(OP_CHECKSIG).into_script()
    };
    for script in [
        // Zero in three forms, negative, bit 31, and too long.
        before(0, OP_DROP),
        long(&[0]),
        long(&[0x80]),
        long(&[0x81]),
        long(&[0, 0, 0, 0x80]),
        long(&[0, 0, 0, 0x80, 0]),
        long(&[5, 0, 0, 0, 0, 0]),
        // The check does not verify, or verifies and leaves nothing.
        after(BLOCKS, OP_CHECKSIG),
        Builder::new()
            .push_key(&public(KEY))
            .push_opcode(OP_CHECKSIGVERIFY)
            .into_script(),
        // Two locks.
        [
            push(BLOCKS)
                .push_opcode(OP_CSV)
                .push_opcode(OP_DROP)
                .into_bytes(),
            after(BLOCKS, OP_CHECKSIGVERIFY).into_bytes(),
        ]
        .concat()
        .into(),
    ] {
        let [_, done] = signed(&script, &[KEY], ENOUGH);
        assert_eq!(done, Inconclusive, "{script}");
    }
}

#[test]
fn several_keys_may_have_a_lock_too() {
    let keys = multisig().into_bytes();
    let lock = push(BLOCKS).push_opcode(OP_CSV);
    let first = [lock.push_opcode(OP_DROP).into_bytes(), keys.clone()].concat();
    let last = push(BLOCKS).push_opcode(OP_CSV).into_bytes();
    let mut verified = keys.clone();
    assert_eq!(verified.pop(), Some(OP_CHECKMULTISIG.to_u8()));
    verified.push(OP_CHECKMULTISIGVERIFY.to_u8());
    for script in [first, [verified, last.clone()].concat()] {
        let script = ScriptBuf::from(script);
        assert_eq!(signed(&script, &[10, 12], ENOUGH), [Valid; 2], "{script}");
        let early = Spent {
            sequence: BLOCKS - 1,
            ..ENOUGH
        };
        let verdicts = signed(&script, &[10, 12], early);
        assert_eq!(verdicts, [Inconclusive; 2], "{script}");
    }
    let script = ScriptBuf::from([keys, last].concat());
    assert_eq!(signed(&script, &[10, 12], ENOUGH)[1], Inconclusive);
}

#[test]
fn a_leaf_may_have_a_relative_lock() {
    let key = pair(KEY).x_only_public_key().0;
    let first = push(BLOCKS).push_opcode(OP_CSV).push_opcode(OP_DROP);
    let first = first.push_x_only_key(&key).push_opcode(OP_CHECKSIG);
    let last = Builder::new().push_x_only_key(&key);
    let last = last.push_opcode(OP_CHECKSIGVERIFY).push_int(BLOCKS.into());
    for script in [first.into_script(), last.push_opcode(OP_CSV).into_script()] {
        assert_eq!(signed_leaf(&script, ENOUGH), Valid, "{script}");
        let other = Spent {
            signer: KEY + 1,
            ..ENOUGH
        };
        assert_eq!(signed_leaf(&script, other), Invalid, "{script}");
        let early = Spent {
            sequence: BLOCKS - 1,
            ..ENOUGH
        };
        assert_eq!(signed_leaf(&script, early), Inconclusive, "{script}");
    }
}
