//! The still transaction.

use super::*;

#[test]
fn each_script_gets_back_exactly_what_it_had_and_the_statement_comes_last() {
    let file = file(&Kind::ALL, 7);
    let proof = made(&file, Form::Transaction);
    let mut expected: Vec<_> = spent(&file).into_iter().map(|(_, output)| output).collect();
    let line = PushBytesBuf::try_from(STATEMENT.as_bytes().to_vec()).expect("short");
    expected.push(output(0, ScriptBuf::new_op_return(line)));
    assert_eq!(proof.unsigned_tx.output, expected);
}

#[test]
fn coins_of_one_script_share_an_output() {
    let mut file = file(&[Kind::P2wpkh], 4);
    let scripts = [0, 1].map(|at: usize| spent(&file)[at].1.script_pubkey.clone());
    // Coins 1 and 3 have one script, coins 2 and 4 another.
    for (at, script) in (2..).zip(scripts.clone()) {
        set_coin(&mut file, at, |coin| *coin = output(7 + at as u64, script));
    }
    let [first, second] = scripts;
    let outputs = made(&file, Form::Transaction).unsigned_tx.output;
    let back = [output(100_009, first), output(100_010, second)];
    assert_eq!(outputs[..2], back);
    assert_eq!((outputs.len(), outputs[2].value), (3, Amount::ZERO));
}

#[test]
fn no_node_takes_it_for_some_eight_thousand_years() {
    let transaction = made(&file(&Kind::ALL, 7), Form::Transaction).unsigned_tx;
    let lock_time = transaction.lock_time;
    assert_eq!(lock_time.to_consensus_u32(), statement::LOCK_TIME);
    assert!(lock_time.is_block_height());
    assert!(transaction.is_lock_time_enabled());
    assert_eq!(transaction.version, Version::TWO);
}

#[test]
fn relative_locks_stay_and_other_sequences_do_not() {
    let mut file = file(&[Kind::P2wpkh], 5);
    let locks = [144, 0x0040_0010, u32::MAX, 0xffff_fffe, 0x8000_0001];
    for (input, lock) in file.unsigned_tx.input.iter_mut().zip(locks) {
        input.sequence = Sequence(lock);
    }
    let free = 0xffff_fffd;
    let proof = made(&file, Form::Transaction);
    assert_eq!(sequences(&proof), [144, 0x0040_0010, free, free, free]);
    // BIP-0068: relative locks count from version 2 on.
    file.unsigned_tx.version = Version::ONE;
    assert_eq!(sequences(&made(&file, Form::Transaction)), [free; 5]);
}

/// Only the statement's output has no value.
#[test]
fn a_script_without_value_gets_no_output() {
    let mut file = file(&[Kind::P2wpkh], 2);
    set_coin(&mut file, 0, |coin| coin.value = Amount::ZERO);
    let proof = made(&file, Form::Transaction);
    assert_eq!((proof.inputs.len(), proof.outputs.len()), (2, 2));
    let said = &proof.outputs[0].bip32_derivation;
    assert_eq!(*said, file.inputs[1].bip32_derivation);
}

#[test]
fn every_version_and_encoding_of_a_file_makes_the_same_proof() {
    let file = file(&Kind::ALL, 7);
    let options = options(Form::Transaction);
    let (expected, _) = made_with(&file.serialize(), &options);
    let counts = (expected.inputs, expected.scripts, expected.parts);
    assert_eq!((counts, expected.amount_sats), ((7, 7, 1), 700_000));
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
