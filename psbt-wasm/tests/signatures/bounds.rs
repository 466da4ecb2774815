//! Files that ask for more work than they are long: each is answered, with work in proportion to its signatures, and never more than so much.

use bitcoin::hashes::Hash;
use bitcoin::opcodes::all::{OP_CHECKMULTISIG, OP_CHECKSIG, OP_DROP};
use bitcoin::script::Builder;
use bitcoin::sighash::{EcdsaSighashType, SighashCache};
use bitcoin::{Psbt, ScriptBuf, Witness};
use psbt_wasm::{MAX_CHECKS, Reason, SignatureStatus};

use crate::check;
use crate::scene::*;
use crate::signing::{ecdsa_signature, signed_digest};

/// A signature of the right form that fits nothing.
fn some_signature() -> Vec<u8> {
    ecdsa_signature(&unsigned(), P2WPKH, P2WPKH, EcdsaSighashType::All).to_vec()
}

/// Inputs of an unusual script, which asks to try each of so many signatures with each of so many keys.
fn searched(inputs: usize, signatures: usize, keys: usize) -> Psbt {
    let mut builder = Builder::new();
    for number in 0..keys {
        let key = public(number);
        builder = builder.push_key(&key).push_opcode(OP_DROP);
    }
    let script = builder
        .push_key(&public(0))
        .push_opcode(OP_CHECKSIG)
        .into_script();
    let mut psbt = spending(vec![script.to_p2wsh(); inputs], 1);
    let mut witness = vec![some_signature(); signatures];
    witness.push(script.into_bytes());
    for input in &mut psbt.inputs {
        input.final_script_witness = Some(Witness::from_slice(&witness));
    }
    psbt
}

#[test]
fn hundreds_of_signatures_and_keys_in_one_input_are_not_all_tried() {
    let report = check(&searched(1, 400, 200));
    assert_eq!(report.inputs[0].status, SignatureStatus::Inconclusive);
    assert_eq!(report.inputs[0].reason, Some(Reason::UnknownScript));
    assert_eq!(report.checks, 1_024);
}

/// Whatever else is in the file.
#[test]
fn only_bytes_of_signatures_and_witnesses_buy_checks() {
    let mut psbt = searched(1, 40, 20);
    let without = check(&psbt);
    // The field: its key and its length, an element more than there are signatures, and the length of each.
    let witness = psbt.inputs[0].final_script_witness.as_ref();
    let field = 2
        + 3
        + 1
        + witness
            .expect("final")
            .iter()
            .map(|it| 1 + it.len())
            .sum::<usize>();
    assert!(
        (256 + field / 32).abs_diff(without.checks) <= 1,
        "{}",
        without.checks
    );
    let filler = bitcoin::psbt::raw::Key {
        type_value: 0xf0,
        key: vec![],
    };
    psbt.unknown.insert(filler.clone(), vec![7; 1_000_000]);
    psbt.inputs[0].unknown.insert(filler, vec![7; 1_000_000]);
    assert_eq!(check(&psbt), without);
}

#[test]
fn no_file_gets_more_checks_than_all_files_do() {
    let report = check(&searched(60, 400, 200));
    assert_eq!(report.checks, MAX_CHECKS as usize);
}

/// The most keys of a multisig. None of the signatures fits, so that the first of each input is tried with every key.
#[test]
fn two_thousand_inputs_of_twenty_keys_are_checked_to_the_end() {
    let mut builder = Builder::new().push_int(20);
    for number in 0..20 {
        builder = builder.push_key(&public(number));
    }
    let script = builder
        .push_int(20)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script();
    let mut psbt = spending(vec![script.to_p2wsh(); 2_000], 1);
    let mut witness = vec![vec![]];
    witness.resize(21, some_signature());
    witness.push(script.into_bytes());
    for input in &mut psbt.inputs {
        input.final_script_witness = Some(Witness::from_slice(&witness));
    }
    let report = check(&psbt);
    assert_eq!(report.checks, MAX_CHECKS as usize);
    for input in report.inputs {
        assert_eq!(input.reason, Some(Reason::WrongSignature));
        assert_eq!(input.needed, Some(20));
    }
}

/// Each P2PKH input hashes the whole transaction again.
#[test]
fn what_older_inputs_hash_is_bounded_and_the_others_are_still_checked() {
    let [legacy, segwit] = [P2PKH, P2WPKH].map(|kind| output_scripts()[kind].clone());
    let mut psbt = spending(vec![legacy; 100], 1);
    psbt.unsigned_tx.output[0].script_pubkey = ScriptBuf::from(vec![0x6a; 3_000_000]);
    for input in &mut psbt.inputs[..99] {
        let signature = bitcoin::ecdsa::Signature::from_slice(&some_signature());
        input
            .partial_sigs
            .insert(public(P2PKH), signature.expect("a signature"));
    }
    let output = psbt.inputs[99].witness_utxo.as_mut().expect("stated");
    output.script_pubkey = segwit.clone();
    let value = output.value;
    let digest = SighashCache::new(&psbt.unsigned_tx)
        .p2wpkh_signature_hash(99, &segwit, value, EcdsaSighashType::All)
        .expect("in range");
    let signature = signed_digest(digest.to_byte_array(), P2WPKH, EcdsaSighashType::All);
    psbt.inputs[99]
        .partial_sigs
        .insert(public(P2WPKH), signature);

    let report = check(&psbt);
    let reason = |index: usize| report.inputs[index].reason;
    assert_eq!(reason(0), Some(Reason::WrongSignature));
    assert_eq!(reason(98), Some(Reason::UnknownScript));
    assert_eq!(report.inputs[99].status, SignatureStatus::Valid);
}
