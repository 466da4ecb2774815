//! What is refused, with which code and which words.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hex::DisplayHex;
use bitcoin::{Amount, OutPoint, Psbt, TxOut};
use psbt_wasm::{Error, Keys, MAX_FILE_BYTES, Network, decode, read};

use crate::fixtures::{P2PKH, P2SH_P2WPKH, final_transaction, key, mixed, simple, spending, txid};

fn refused(bytes: &[u8]) -> Error {
    read(bytes).expect_err("this file must be refused")
}

fn refused_psbt(psbt: &Psbt) -> Error {
    refused(&psbt.serialize())
}

fn refused_report(psbt: &Psbt) -> Error {
    let binary = decode(psbt.serialize()).expect("a PSBT");
    let file = binary.read(Keys::Curve).expect("well-formed");
    let report = file.report(Network::Mainnet);
    report.expect_err("the amounts must be refused")
}

#[test]
fn a_file_shorter_than_the_magic_number_is_too_short() {
    for bytes in [&b""[..], b"psbt", &[1, 2, 3]] {
        assert_eq!(refused(bytes).code(), "file-too-short");
        assert_eq!(refused(bytes).to_string(), "Invalid PSBT: File too short");
    }
}

#[test]
fn a_file_that_is_something_else_has_no_magic_number() {
    let html = b"<!doctype html><title>Not Found</title>";
    let base64_of_something_else = b"aGVsbG8gd29ybGQ=";
    let cut_transaction = &serialize(&final_transaction())[..40];
    let cases: [&[u8]; 7] = [
        &[1, 2, 3, 4, 5],
        b"PSBT\xff",
        b"     ",
        html,
        base64_of_something_else,
        b"deadbeefdeadbeef",
        cut_transaction,
    ];
    for bytes in cases {
        assert_eq!(refused(bytes).code(), "invalid-magic");
        assert_eq!(
            refused(bytes).to_string(),
            "Invalid PSBT: Invalid magic number"
        );
    }
}

#[test]
fn a_file_above_the_limit_is_too_large() {
    let error = refused(&vec![0; MAX_FILE_BYTES + 1]);
    assert_eq!(error.code(), "file-too-large");
    assert_eq!(
        error.to_string(),
        "The file is too large: at most 32 MiB can be read."
    );
    assert_eq!(refused(&vec![0; MAX_FILE_BYTES]).code(), "invalid-magic");
}

#[test]
fn a_psbt_cut_anywhere_is_refused() {
    let whole = mixed().serialize();
    for length in 5..whole.len() {
        let error = refused(&whole[..length]);
        assert_eq!(error.code(), "could-not-parse", "cut to {length}");
        assert!(
            error
                .to_string()
                .starts_with("Invalid PSBT: Could not parse. "),
            "{error}"
        );
    }
    assert_eq!(
        refused(&whole[..whole.len() / 2]).to_string(),
        "Invalid PSBT: Could not parse. Input 2: The file, or a field in it, ends too early."
    );
}

#[test]
fn bytes_after_the_end_are_refused() {
    for extra in [0_u8, 1, 0xff] {
        let mut bytes = mixed().serialize();
        bytes.push(extra);
        let error = refused(&bytes);
        assert_eq!(error.code(), "could-not-parse");
        assert!(
            error
                .to_string()
                .ends_with("There is unexpected data after the end."),
            "{error}"
        );
    }
}

#[test]
fn damaged_text_is_refused() {
    let binary = mixed().serialize();
    let base64 = format!("{}!", STANDARD.encode(&binary));
    assert!(
        refused(base64.as_bytes())
            .to_string()
            .ends_with("The base64 text is damaged.")
    );
    let hex = format!("{}0", binary.to_lower_hex_string());
    assert!(
        refused(hex.as_bytes())
            .to_string()
            .ends_with("The hexadecimal text is damaged.")
    );
}

#[test]
fn no_message_repeats_the_file() {
    // A damaged key: the crate's own message would show it.
    let mut bytes = mixed().serialize();
    let path = [0xde, 0xad, 0xbe, 0xef];
    let position = bytes
        .windows(4)
        .position(|window| window == path)
        .expect("a fingerprint");
    bytes.remove(position);
    let error = refused(&bytes);
    assert!(error.to_string().len() < 120, "{error}");
    assert!(!error.to_string().contains("deadbe"), "{error}");
}

#[test]
fn a_transaction_that_spends_or_pays_nothing_is_refused() {
    let output = TxOut {
        value: Amount::from_sat(1),
        script_pubkey: key(1).segwit(),
    };
    let no_inputs = Psbt::from_unsigned_tx(spending(&[], vec![output])).expect("unsigned");
    assert_eq!(refused_psbt(&no_inputs), Error::NoInputs);
    assert_eq!(Error::NoInputs.to_string(), "No inputs found");
    let spent = OutPoint::new(txid(1), 0);
    let no_outputs = Psbt::from_unsigned_tx(spending(&[spent], vec![])).expect("unsigned");
    assert_eq!(refused_psbt(&no_outputs), Error::NoOutputs);
    assert_eq!(Error::NoOutputs.to_string(), "No outputs found");
}

#[test]
fn null_outpoints_and_outpoints_spent_twice_are_refused() {
    let mut twice = mixed();
    twice.unsigned_tx.input[3].previous_output = twice.unsigned_tx.input[0].previous_output;
    assert_eq!(refused_psbt(&twice), Error::DuplicateInput { input: 3 });
    let mut coinbase = final_transaction();
    coinbase.input[0].previous_output = OutPoint::null();
    assert_eq!(
        refused(&serialize(&coinbase)),
        Error::NullOutpoint { input: 0 }
    );
}

#[test]
fn a_previous_transaction_that_is_another_one_is_refused() {
    let mut psbt = mixed();
    let previous = psbt.inputs[P2PKH]
        .non_witness_utxo
        .as_mut()
        .expect("it has one");
    previous.output[1].value = Amount::from_sat(2_100_000_000);
    let error = refused_psbt(&psbt);
    assert_eq!(error.code(), "previous-transaction-mismatch");
    assert_eq!(error.input(), Some(P2PKH));
}

#[test]
fn an_output_index_past_the_end_is_refused() {
    let mut psbt = mixed();
    psbt.unsigned_tx.input[P2PKH].previous_output.vout = 2;
    assert_eq!(
        refused_psbt(&psbt),
        Error::PreviousOutputMissing { input: P2PKH }
    );
}

#[test]
fn a_witness_utxo_that_contradicts_the_previous_transaction_is_refused() {
    let mut value = mixed();
    let utxo = value.inputs[P2SH_P2WPKH]
        .witness_utxo
        .as_mut()
        .expect("it has one");
    utxo.value += Amount::from_sat(1);
    assert_eq!(
        refused_psbt(&value),
        Error::UtxoMismatch { input: P2SH_P2WPKH }
    );
    let mut script = mixed();
    let utxo = script.inputs[P2SH_P2WPKH]
        .witness_utxo
        .as_mut()
        .expect("it has one");
    utxo.script_pubkey = key(9).segwit();
    assert_eq!(
        refused_psbt(&script),
        Error::UtxoMismatch { input: P2SH_P2WPKH }
    );
}

#[test]
fn amounts_that_cannot_be_are_refused() {
    const ALL_COINS: u64 = 2_100_000_000_000_000;
    assert_eq!(refused_report(&simple(99, 100)), Error::OutputsAboveInputs);
    let input = Error::AmountOutOfRange { input: Some(0) };
    assert_eq!(refused_report(&simple(ALL_COINS + 1, 100)), input);
    assert_eq!(refused_report(&simple(u64::MAX, 100)), input);
    let output = Error::AmountOutOfRange { input: None };
    assert_eq!(refused_report(&simple(ALL_COINS, ALL_COINS + 1)), output);
    let mut sum = mixed();
    sum.unsigned_tx.output[0].value = Amount::from_sat(u64::MAX);
    sum.unsigned_tx.output[1].value = Amount::from_sat(2);
    assert_eq!(refused_report(&sum), output);
}
