//! What signers take, as read from their sources in November 2026. Each limit is a refusal of a device or a wallet.

use psbt_wasm::{Derivations, Form, MakeOptions, NoteCode};

use crate::kind::Kind;
use crate::scene::{STATEMENT, file, made, made_with, notes, spent};
use crate::version2::as_version_2;

/// From 76 bytes on Trezor signs another output than it should, and Electrum refuses.
#[test]
fn the_statement_is_one_direct_push() {
    for length in [1, 20, 75] {
        let line = "s".repeat(length);
        let coins = file(&[Kind::P2wpkh], 1).serialize();
        let (_, proof) = made_with(&coins, &MakeOptions::new(&line, Form::Transaction));
        let script = proof.unsigned_tx.output[1].script_pubkey.as_bytes();
        assert_eq!(script[..2], [0x6a, u8::try_from(length).expect("short")]);
        assert_eq!(&script[2..], line.as_bytes());
    }
}

/// Ledger and Sparrow refuse a witness UTXO at an input without a witness.
#[test]
fn legacy_inputs_carry_no_witness_utxo() {
    for kind in [Kind::P2pkh, Kind::P2shMultisig] {
        let mut file = file(&[kind], 1);
        file.inputs[0].witness_utxo = Some(spent(&file)[0].1.clone());
        for form in Form::ALL {
            for input in made(&file, form).inputs {
                assert_eq!(input.witness_utxo, None);
                assert!(input.non_witness_utxo.is_some());
            }
        }
    }
}

/// Ledger refuses an input with a witness that shows only its previous transaction.
#[test]
fn inputs_with_a_witness_show_the_output_that_they_spend() {
    for kind in [
        Kind::P2wpkh,
        Kind::P2shP2wpkh,
        Kind::P2wshMultisig,
        Kind::P2tr,
        Kind::P2trScript,
    ] {
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
    let of = |inputs| file(&[Kind::P2wpkh], inputs).serialize();
    let mut options = MakeOptions::new(STATEMENT, Form::Transaction);
    assert_eq!(made_with(&of(10), &options).0.notes, []);
    let (eleven, proof) = made_with(&of(11), &options);
    assert_eq!(eleven.notes.len(), 1);
    assert_eq!(
        (eleven.notes[0].code, eleven.notes[0].input),
        (NoteCode::ManyScripts, None)
    );
    assert!(
        eleven.notes[0].message.contains(" 11 scripts"),
        "{}",
        eleven.notes[0].message
    );
    let says = |proof: &bitcoin::Psbt| {
        let outputs = proof.outputs.iter();
        outputs
            .filter(|output| !output.bip32_derivation.is_empty())
            .count()
    };
    assert_eq!(says(&proof), 11);

    options.derivations = Derivations::FirstTen;
    let (quiet, quieter) = made_with(&of(11), &options);
    assert_eq!(quiet.notes, []);
    assert_eq!(says(&quieter), 10);
    assert!(quieter.outputs[10].bip32_derivation.is_empty());
    assert_eq!(quieter.unsigned_tx, proof.unsigned_tx);
    assert_eq!(quieter.inputs, proof.inputs);

    options = MakeOptions::new(STATEMENT, Form::Message);
    assert_eq!(
        made_with(&of(11), &options).0.notes,
        [],
        "a message has one output"
    );
}

/// Bitcoin Core 32 writes version 2 by default, whatever it was given.
#[test]
fn a_proof_that_comes_back_as_version_2_is_the_same_proof() {
    let proof = made(&file(&Kind::ALL, 7), Form::Transaction);
    let back = as_version_2(&proof).serialize();
    let together = psbt_wasm::combine(&[&proof.serialize(), &back]).expect("one transaction");
    let together = bitcoin::Psbt::deserialize(&together.psbt).expect("a PSBT");
    assert_eq!(together.unsigned_tx, proof.unsigned_tx);
    let (again, _) = made_with(&back, &MakeOptions::new(STATEMENT, Form::Transaction));
    assert_eq!(again.psbt.len(), proof.serialize().len());
}

/// A device finds its keys by their fingerprints and paths alone.
#[test]
fn inputs_that_do_not_say_whose_they_are_are_named() {
    let mut file = file(&[Kind::P2wpkh, Kind::P2tr], 4);
    file.inputs[0].bip32_derivation.clear();
    file.inputs[3].tap_key_origins.clear();
    let expected = [0, 3].map(|at| (NoteCode::NoDerivation, Some(at)));
    for form in Form::ALL {
        assert_eq!(notes(&file, form), expected);
    }
}

#[test]
fn inputs_that_do_not_show_their_script_are_named() {
    let mut file = file(&[Kind::P2shMultisig, Kind::P2wshMultisig], 2);
    file.inputs[0].redeem_script = None;
    file.inputs[1].witness_script = None;
    let expected = [0, 1].map(|at| (NoteCode::NoScript, Some(at)));
    for form in Form::ALL {
        assert_eq!(notes(&file, form), expected);
    }
}
