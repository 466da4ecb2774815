//! The files of several cosigners.

use bitcoin::psbt::PsbtSighashType;
use bitcoin::psbt::raw::Key;
use bitcoin::{Psbt, Witness};
use psbt_wasm::{Combined, Error, Form, MakeError, combine};

use crate::kind::Kind;
use crate::private;
use crate::scene::{base64, file, made};
use crate::version2::as_version_2;

fn together(files: &[&Psbt]) -> Result<Combined, Error> {
    let bytes: Vec<_> = files.iter().map(|file| file.serialize()).collect();
    let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let combined = combine(&slices);
    if let Err(error) = &combined {
        assert!(error.to_string().ends_with('.'), "{error}");
    }
    combined
}

/// A file with only the first or only the second signature of each multisig input.
fn of_cosigner(file: &Psbt, second: bool) -> Psbt {
    let mut file = file.clone();
    for input in &mut file.inputs {
        let mut place = 0;
        input.partial_sigs.retain(|_, _| {
            place += 1;
            (place == 2) == second
        });
    }
    file
}

fn psbt(combined: &Combined) -> Psbt {
    Psbt::deserialize(&combined.psbt).expect("a PSBT")
}

fn signatures(combined: &Combined) -> Vec<usize> {
    combined
        .inputs
        .iter()
        .map(|input| input.signatures)
        .collect()
}

#[test]
fn partial_files_make_a_whole_one() {
    let whole = file(&Kind::ALL, 7);
    let [one, other] = [false, true].map(|second| of_cosigner(&whole, second));
    let combined = together(&[&one, &other]).expect("one transaction");
    assert_eq!(signatures(&combined), [1, 2, 1, 1, 2, 1, 1]);
    assert!(combined.inputs.iter().all(|input| !input.is_final));
    assert_eq!(psbt(&combined), whole);
    let again = together(&[&other, &one, &whole, &one]).expect("one transaction");
    assert_eq!(psbt(&again), whole);
    assert_eq!(signatures(&together(&[&one]).expect("one file")), [1; 7]);
}

#[test]
fn versions_and_encodings_may_differ() {
    let whole = file(&[Kind::P2wshMultisig], 2);
    let [one, other] = [false, true].map(|second| of_cosigner(&whole, second));
    let files = [as_version_2(&one).serialize(), base64(&other)];
    let combined = combine(&[&files[0], &files[1]]).expect("one transaction");
    let psbt = psbt(&combined);
    assert_eq!(psbt.inputs, whole.inputs);
    assert_eq!(psbt.unsigned_tx, whole.unsigned_tx);
}

/// BIP-0174: a combiner keeps what it does not know.
#[test]
fn fields_of_all_files_are_united_known_or_not() {
    let plain = file(&Kind::ALL, 7);
    let mut rich = plain.clone();
    private::add(&mut rich);
    let mut poor = plain.clone();
    for input in &mut poor.inputs {
        input.bip32_derivation.clear();
        input.tap_internal_key = None;
        input.redeem_script = None;
    }
    for files in [[&rich, &poor], [&poor, &rich]] {
        let combined = together(&files).expect("one transaction");
        assert_eq!(psbt(&combined), rich);
    }
}

#[test]
fn a_finalized_input_says_so() {
    let mut one = file(&[Kind::P2tr], 2);
    let other = one.clone();
    let signature = one.inputs[1].tap_key_sig.take().expect("signed");
    one.inputs[1].final_script_witness = Some(Witness::p2tr_key_spend(&signature));
    let combined = together(&[&other, &one]).expect("one transaction");
    let finals: Vec<_> = combined.inputs.iter().map(|input| input.is_final).collect();
    assert_eq!(finals, [false, true]);
}

#[test]
fn files_of_another_transaction_are_named() {
    let one = made(&file(&Kind::ALL, 7), Form::Transaction);
    let mut other = one.clone();
    other.unsigned_tx.lock_time = bitcoin::absolute::LockTime::ZERO;
    let error = together(&[&one, &one, &other]).expect_err("refused");
    assert_eq!(error, MakeError::OtherTransaction { file: 2 }.into());
    assert_eq!((error.code(), error.input()), ("other-transaction", None));
    assert!(
        error
            .to_string()
            .starts_with("File 3 is about another transaction")
    );
}

#[test]
fn conflicts_of_fields_with_one_value_name_input_and_field() {
    let one = file(&Kind::ALL, 7);
    let mut other = one.clone();
    other.inputs[3].sighash_type = Some(PsbtSighashType::from_u32(1));
    together(&[&one, &other]).expect("only one of them says anything");
    let mut third = one.clone();
    third.inputs[3].sighash_type = Some(PsbtSighashType::from_u32(0x81));
    let error = together(&[&one, &other, &third]).expect_err("refused");
    assert_eq!((error.code(), error.input()), ("conflict", Some(3)));
    let sentence = error.to_string();
    assert!(
        sentence.starts_with("Input 4: PSBT_IN_SIGHASH_TYPE: The files say different things."),
        "{sentence}"
    );

    let message = made(&one, Form::Message);
    let mut forged = message.clone();
    let key = Key {
        type_value: 0x09,
        key: Vec::new(),
    };
    forged.unknown.insert(key, b"another message".to_vec());
    let error = together(&[&message, &forged]).expect_err("refused");
    assert_eq!((error.code(), error.input()), ("conflict", None));
    assert!(
        error
            .to_string()
            .starts_with("PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE: ")
    );
}

/// Signing again makes another signature with some signers, and either is right.
#[test]
fn of_two_signatures_with_one_key_the_first_counts() {
    let one = file(&[Kind::P2wpkh], 1);
    let mut other = one.clone();
    let elsewhere = file(&[Kind::P2wpkh, Kind::P2pkh], 2);
    let signature = *elsewhere.inputs[0]
        .partial_sigs
        .values()
        .next()
        .expect("signed");
    for own in other.inputs[0].partial_sigs.values_mut() {
        assert_ne!(*own, signature);
        *own = signature;
    }
    for files in [[&one, &other], [&other, &one]] {
        let combined = together(&files).expect("one transaction");
        assert_eq!(psbt(&combined), *files[0]);
        assert_eq!(signatures(&combined), [1]);
    }
}

/// Some wallets leave the witnesses of previous transactions out.
#[test]
fn previous_transactions_may_differ_in_their_witnesses() {
    let one = file(&[Kind::P2wpkh], 1);
    let mut other = one.clone();
    let previous = other.inputs[0].non_witness_utxo.as_mut().expect("there");
    assert!(!previous.input[0].witness.is_empty());
    previous.input[0].witness = Witness::new();
    let combined = together(&[&one, &other]).expect("one transaction");
    assert_eq!(psbt(&combined), one);
}

/// What no file says alone, both can say together.
#[test]
fn what_two_files_make_together_is_read_as_strictly() {
    let mut one = file(&[Kind::P2wpkh], 1);
    let mut other = one.clone();
    one.inputs[0].witness_utxo = None;
    other.inputs[0].non_witness_utxo = None;
    let coin = other.inputs[0].witness_utxo.as_mut().expect("a coin");
    coin.value += bitcoin::Amount::ONE_SAT;
    assert_eq!(
        together(&[&one, &other]),
        Err(Error::UtxoMismatch { input: 0 })
    );
}

#[test]
fn complete_transactions_and_nothing_are_refused() {
    let final_file = include_bytes!("../node/fixtures/final.txn");
    assert_eq!(
        combine(&[final_file]),
        Err(MakeError::FinalTransaction.into())
    );
    assert_eq!(combine(&[]), Err(MakeError::NoFiles.into()));
    assert_eq!(combine(&[b"something"]), Err(Error::InvalidMagic));
}
