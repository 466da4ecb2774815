//! The still transaction.

use bitcoin::script::PushBytesBuf;
use bitcoin::{Amount, ScriptBuf, Sequence};
use psbt_wasm::{Form, MakeOptions, statement};

use crate::kind::Kind;
use crate::scene::{STATEMENT, base64, file, made, made_with, set_coin, spent};
use crate::version2::as_version_2;

#[test]
fn each_script_gets_back_exactly_what_it_had_and_the_statement_comes_last() {
    let file = file(&Kind::ALL, 7);
    let proof = made(&file, Form::Transaction);
    let [back @ .., last] = &proof.unsigned_tx.output[..] else {
        panic!("no output");
    };
    let expected: Vec<_> = spent(&file).into_iter().map(|(_, output)| output).collect();
    assert_eq!(back, expected);
    let line = PushBytesBuf::try_from(STATEMENT.as_bytes().to_vec()).expect("short");
    assert_eq!(last.script_pubkey, ScriptBuf::new_op_return(line));
    assert_eq!(last.value, Amount::ZERO);
}

#[test]
fn coins_of_one_script_share_an_output() {
    let mut file = file(&[Kind::P2wpkh], 4);
    // The first and the third coin are of one script, and so are the others.
    for at in [2, 3] {
        let script = spent(&file)[at - 2].1.script_pubkey.clone();
        set_coin(&mut file, at, |coin| {
            coin.script_pubkey = script;
            coin.value = Amount::from_sat(7 + at as u64);
        });
    }
    let proof = made(&file, Form::Transaction);
    let outputs = &proof.unsigned_tx.output;
    assert_eq!(outputs.len(), 3);
    let values: Vec<_> = outputs.iter().map(|output| output.value.to_sat()).collect();
    assert_eq!(values, [100_009, 100_010, 0]);
    assert_eq!(outputs[0].script_pubkey, spent(&file)[0].1.script_pubkey);
    assert_eq!(outputs[1].script_pubkey, spent(&file)[1].1.script_pubkey);
}

#[test]
fn no_node_takes_it_for_some_eight_thousand_years() {
    let proof = made(&file(&Kind::ALL, 7), Form::Transaction);
    let transaction = proof.unsigned_tx;
    assert_eq!(
        transaction.lock_time.to_consensus_u32(),
        statement::LOCK_TIME
    );
    assert!(transaction.lock_time.is_block_height());
    assert!(transaction.is_lock_time_enabled());
    assert_eq!(transaction.version.0, 2);
}

#[test]
fn relative_locks_stay_and_other_sequences_do_not() {
    let mut file = file(&[Kind::P2wpkh], 5);
    let locks = [144, 0x0040_0010, u32::MAX, 0xffff_fffe, 0x8000_0001];
    for (input, lock) in file.unsigned_tx.input.iter_mut().zip(locks) {
        input.sequence = Sequence(lock);
    }
    let sequences = |proof: &bitcoin::Psbt| -> Vec<u32> {
        let inputs = proof.unsigned_tx.input.iter();
        inputs.map(|input| input.sequence.0).collect()
    };
    let free = 0xffff_fffd;
    let proof = made(&file, Form::Transaction);
    assert_eq!(sequences(&proof), [144, 0x0040_0010, free, free, free]);
    // BIP-0068 gives them a meaning from version 2 on.
    file.unsigned_tx.version = bitcoin::transaction::Version::ONE;
    assert_eq!(sequences(&made(&file, Form::Transaction)), [free; 5]);
}

/// An output without value is the statement's alone.
#[test]
fn a_script_without_value_gets_no_output() {
    let mut file = file(&[Kind::P2wpkh], 2);
    set_coin(&mut file, 0, |coin| coin.value = Amount::ZERO);
    let proof = made(&file, Form::Transaction);
    assert_eq!(proof.unsigned_tx.input.len(), 2);
    assert_eq!(proof.unsigned_tx.output.len(), 2);
    assert_eq!(
        proof.outputs[0].bip32_derivation,
        file.inputs[1].bip32_derivation
    );
}

#[test]
fn every_version_and_encoding_of_a_file_makes_the_same_proof() {
    let file = file(&Kind::ALL, 7);
    let options = MakeOptions::new(STATEMENT, Form::Transaction);
    let (expected, _) = made_with(&file.serialize(), &options);
    assert_eq!(
        (expected.inputs, expected.scripts, expected.parts),
        (7, 7, 1)
    );
    assert_eq!(expected.amount_sats, 700_000);
    let mut unsigned = file.clone();
    for input in &mut unsigned.inputs {
        input.partial_sigs.clear();
        input.tap_script_sigs.clear();
        input.tap_key_sig = None;
    }
    for other in [
        as_version_2(&file).serialize(),
        base64(&file),
        file.serialize_hex().into_bytes(),
        unsigned.serialize(),
    ] {
        assert_eq!(made_with(&other, &options).0, expected);
    }
}

/// A holder who lost the file, or wants the other form, can start from any proof.
#[test]
fn a_proof_can_be_made_of_a_proof_in_either_form() {
    let file = file(&Kind::ALL, 7);
    for form in Form::ALL {
        let expected = made(&file, form);
        for of in Form::ALL {
            let again = made(&made(&file, of), form);
            assert_eq!(again, expected, "{of:?} {form:?}");
        }
    }
}
