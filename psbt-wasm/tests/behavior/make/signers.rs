//! What signers take, as read from their sources in November 2026. Each limit is a refusal of a device or a wallet.

use super::*;

/// Ledger and Sparrow refuse a witness UTXO at an input without a witness.
#[test]
fn legacy_inputs_carry_no_witness_utxo() {
    for kind in [Kind::P2pkh, Kind::P2shMultisig] {
        let mut file = file(&[kind], 1);
        file.inputs[0].witness_utxo = Some(spent(&file)[0].1.clone());
        for input in Form::ALL.map(|form| made(&file, form).inputs).concat() {
            assert_eq!(input.witness_utxo, None);
            assert!(input.non_witness_utxo.is_some());
        }
    }
}

/// Ledger refuses an input with a witness that shows only its previous transaction.
#[test]
fn inputs_with_a_witness_show_the_output_that_they_spend() {
    for kind in Kind::ALL.into_iter().filter(|kind| !kind.is_legacy()) {
        let whole = file(&[kind], 1);
        let mut file = whole.clone();
        file.inputs[0].witness_utxo = None;
        for form in Form::ALL {
            assert_eq!(made(&file, form), made(&whole, form));
        }
    }
}

/// Trezor and BitBox ask for previous transactions, and Sparrow's QR codes leave them out.
#[test]
fn segwit_inputs_without_their_previous_transaction_are_named() {
    let mut file = file(&Kind::ALL, 7);
    for input in &mut file.inputs[2..] {
        input.non_witness_utxo = None;
    }
    for form in Form::ALL {
        let expected = [2, 3, 4].map(|at| (NoteCode::NoPreviousTransaction, Some(at)));
        assert_eq!(notes(&file, form), expected, "not those of taproot");
        let proof = made(&file, form);
        let coins = &proof.inputs[proof.inputs.len() - 7..];
        for (input, before) in coins.iter().zip(&file.inputs) {
            assert_eq!(input.non_witness_utxo, before.non_witness_utxo);
        }
    }
}

/// Ledger takes ten outputs that say whose they are.
#[test]
fn more_than_ten_scripts_are_named_and_the_rest_can_be_left_unsaid() {
    let of = |inputs, options| made_with(&file(&[Kind::P2wpkh], inputs).serialize(), &options);
    let still = options(Form::Transaction);
    assert_eq!(of(10, still).0.notes, []);
    let (eleven, proof) = of(11, still);
    let [note] = &eleven.notes[..] else {
        panic!("{:?}", eleven.notes);
    };
    assert_eq!((note.code, note.input), (NoteCode::ManyScripts, None));
    assert!(note.message.contains(" 11 scripts"), "{}", note.message);
    let says = |proof: &Psbt| {
        let outputs = proof.outputs.iter();
        let says = outputs.map(|output| !output.bip32_derivation.is_empty());
        says.collect::<Vec<_>>()
    };
    // The last output is the statement.
    let mut expected = [vec![true; 11], vec![false]].concat();
    assert_eq!(says(&proof), expected);

    let mut quiet = still;
    quiet.derivations = Derivations::FirstTen;
    let (quiet, quieter) = of(11, quiet);
    assert_eq!(quiet.notes, []);
    expected[10] = false;
    assert_eq!(says(&quieter), expected);
    assert_eq!(quieter.unsigned_tx, proof.unsigned_tx);
    assert_eq!(quieter.inputs, proof.inputs);

    let (message, _) = of(11, options(Form::Message));
    assert_eq!(message.notes, [], "a message has one output");
}

/// A device finds its keys by their fingerprints and paths alone, and needs the scripts.
#[test]
fn inputs_that_do_not_say_whose_they_are_or_show_their_script_are_named() {
    let mut whose = file(&[Kind::P2wpkh, Kind::P2tr], 4);
    whose.inputs[0].bip32_derivation.clear();
    whose.inputs[3].tap_key_origins.clear();
    let mut script = file(&[Kind::P2shMultisig, Kind::P2wshMultisig], 2);
    script.inputs[0].redeem_script = None;
    script.inputs[1].witness_script = None;
    for form in Form::ALL {
        let expected = [0, 3].map(|at| (NoteCode::NoDerivation, Some(at)));
        assert_eq!(notes(&whose, form), expected);
        let expected = [0, 1].map(|at| (NoteCode::NoScript, Some(at)));
        assert_eq!(notes(&script, form), expected);
    }
}
