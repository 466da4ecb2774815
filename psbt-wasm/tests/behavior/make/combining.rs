//! The files of several cosigners.

use psbt_wasm::convert;

use super::*;

fn together(files: &[&Psbt]) -> Result<Combined, Error> {
    let bytes: Vec<_> = files.iter().map(|file| file.serialize()).collect();
    let slices: Vec<&[u8]> = bytes.iter().map(Vec::as_slice).collect();
    let combined = combine(&slices);
    if let Err(error) = &combined {
        assert!(error.to_string().ends_with('.'), "{error}");
    }
    combined
}

/// Combines files about one transaction.
fn merged(files: &[&Psbt]) -> Psbt {
    psbt(&together(files).expect("one transaction"))
}

fn psbt(combined: &Combined) -> Psbt {
    Psbt::deserialize(&combined.psbt).expect("a PSBT")
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

fn signatures(files: &[&Psbt]) -> Vec<usize> {
    let inputs = together(files).expect("one transaction").inputs.into_iter();
    inputs.map(|input| input.signatures).collect()
}

/// Asserts that the files contradict each other, and how that is said.
fn assert_conflict(files: &[&Psbt], input: Option<usize>, start: &str) {
    let error = together(files).expect_err("refused");
    assert_eq!((error.code(), error.input()), ("conflict", input));
    assert!(error.to_string().starts_with(start), "{error}");
}

#[test]
fn partial_files_make_a_whole_one() {
    let whole = file(&Kind::ALL, 7);
    let [one, other] = [false, true].map(|second| of_cosigner(&whole, second));
    let combined = together(&[&one, &other]).expect("one transaction");
    assert!(combined.inputs.iter().all(|input| !input.is_final));
    assert_eq!(psbt(&combined), whole);
    assert_eq!(merged(&[&other, &one, &whole, &one]), whole);
    assert_eq!(signatures(&[&one, &other]), [1, 2, 1, 1, 2, 1, 1]);
    assert_eq!(signatures(&[&one]), [1; 7]);
}

#[test]
fn versions_and_encodings_may_differ() {
    let whole = file(&[Kind::P2wshMultisig], 2);
    let [one, other] = [false, true].map(|second| of_cosigner(&whole, second));
    let files = [as_version_2(&one).serialize(), base64(&other)];
    for (first, second) in [(0, 1), (1, 0)] {
        let combined = combine(&[&files[first], &files[second]]).expect("one transaction");
        let plain = convert(&combined.psbt, 0).expect("as version 0").psbt;
        let psbt = Psbt::deserialize(&plain).expect("a PSBT");
        assert_eq!(psbt.inputs, whole.inputs);
        assert_eq!(psbt.unsigned_tx, whole.unsigned_tx);
    }
}

/// BIP-0174: a combiner keeps what it does not know.
#[test]
fn fields_of_all_files_are_united_known_or_not() {
    let mut rich = file(&Kind::ALL, 7);
    let mut poor = rich.clone();
    private::add(&mut rich);
    for input in &mut poor.inputs {
        input.bip32_derivation.clear();
        input.tap_internal_key = None;
        input.redeem_script = None;
    }
    for files in [[&rich, &poor], [&poor, &rich]] {
        assert_eq!(merged(&files), rich);
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
    other.unsigned_tx.lock_time = LockTime::ZERO;
    let error = together(&[&one, &one, &other]).expect_err("refused");
    assert_eq!(error, MakeError::OtherTransaction { file: 2 }.into());
    assert_eq!((error.code(), error.input()), ("other-transaction", None));
    let said = error.to_string();
    assert!(said.starts_with("File 3 is about another transaction"));
}

#[test]
fn conflicts_of_fields_with_one_value_name_input_and_field() {
    let one = file(&Kind::ALL, 7);
    let [other, third] = [1, 0x81].map(|sighash| {
        let mut file = one.clone();
        file.inputs[3].sighash_type = Some(PsbtSighashType::from_u32(sighash));
        file
    });
    together(&[&one, &other]).expect("only one of them says anything");
    let said = "Input 4: PSBT_IN_SIGHASH_TYPE: The files say different things.";
    assert_conflict(&[&one, &other, &third], Some(3), said);

    let message = made(&one, Form::Message);
    let mut forged = message.clone();
    let words = b"another message".to_vec();
    forged.unknown.insert(unknown(SIGNED_MESSAGE), words);
    let said = "PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE: ";
    assert_conflict(&[&message, &forged], None, said);
}

/// Some signers make another signature each time; both are valid.
#[test]
fn of_two_signatures_with_one_key_the_first_counts() {
    let one = file(&[Kind::P2wpkh], 1);
    let mut other = one.clone();
    let elsewhere = file(&[Kind::P2wpkh, Kind::P2pkh], 2);
    let mut signatures_there = elsewhere.inputs[0].partial_sigs.values();
    let signature = *signatures_there.next().expect("signed");
    for own in other.inputs[0].partial_sigs.values_mut() {
        assert_ne!(*own, signature);
        *own = signature;
    }
    for files in [[&one, &other], [&other, &one]] {
        assert_eq!(merged(&files), *files[0]);
        assert_eq!(signatures(&files), [1]);
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
    assert_eq!(merged(&[&one, &other]), one);
}

/// Two files together can be complete where each lacks something.
#[test]
fn what_two_files_make_together_is_read_as_strictly() {
    let mut one = file(&[Kind::P2wpkh], 1);
    let mut other = one.clone();
    one.inputs[0].witness_utxo = None;
    set_coin(&mut other, 0, |coin| coin.value += Amount::ONE_SAT);
    let refused = Err(Error::UtxoMismatch { input: 0 });
    assert_eq!(together(&[&one, &other]), refused);
}

#[test]
fn complete_transactions_and_nothing_are_refused() {
    let final_file = include_bytes!("../../node/fixtures/final.txn");
    let refused = Err(MakeError::FinalTransaction.into());
    assert_eq!(combine(&[final_file]), refused);
    assert_eq!(combine(&[]), Err(MakeError::NoFiles.into()));
    assert_eq!(combine(&[b"something"]), Err(Error::InvalidMagic));
}
