//! What holds for all bytes whatever. Each is a function that panics when it does not.

use std::collections::HashSet;
use std::sync::LazyLock;

use psbt_wasm::bitcoin::{Network, Txid};
use psbt_wasm::light::{self, Keys};
use psbt_wasm::{Error, PrivateFields, SignatureStatus, check_signatures, read, report};

use crate::seeds::seeds;

/// Both readers give the same verdict, and what they read can be described or has impossible amounts.
pub(crate) fn reading(bytes: &[u8]) {
    let whole = read(bytes);
    let binary = light::decode(bytes);
    let curve = binary.as_ref().map_err(Error::clone);
    let curve = curve.and_then(|binary| binary.read(Keys::Curve));
    // A file that breaks several rules of the format may be refused for another of them.
    let verdict = |error: &Error| (error.code(), error.input());
    assert_eq!(
        whole.as_ref().err().map(verdict),
        curve.as_ref().err().map(verdict),
        "the readers disagree"
    );
    let form = binary.as_ref().map_err(Error::clone);
    let form = form.and_then(|binary| binary.read(Keys::Form));
    assert!(
        form.is_ok() || curve.is_err(),
        "the quick reader is stricter"
    );
    let (Ok(whole), Ok(quick)) = (whole, form) else {
        return;
    };
    let described = report(&whole, Network::Bitcoin);
    let quick = quick.report(light::Network::Mainnet);
    let (described, quick) = match (described, quick) {
        (Ok(described), Ok(quick)) => (described, quick),
        (described, quick) => {
            let error = described.err();
            assert_eq!(error, quick.err(), "the reports disagree");
            assert!(matches!(
                error,
                Some(Error::AmountOutOfRange { .. } | Error::OutputsAboveInputs)
            ));
            return;
        }
    };
    assert_eq!(described.inputs.len(), quick.inputs.len());
    assert_eq!(described.total_output_sats, quick.total_output_sats);
    assert_eq!(described.total_input_sats, quick.total_input_sats);
    assert_eq!(described.private, quick.private);
    if let (Some(inputs), Some(fee)) = (described.total_input_sats, described.fee_sats) {
        assert_eq!(inputs, described.total_output_sats + fee);
    }
}

/// What is left after stripping is readable, about the same transaction, not longer, and has nothing private.
pub(crate) fn stripping(bytes: &[u8]) {
    let Ok(file) = read(bytes) else { return };
    let stripped = file.strip();
    let binary = light::decode(bytes).expect("the other reader took it");
    let quick = binary.read(Keys::Form).expect("the other reader took it");
    assert!(stripped == *quick.strip(), "the readers strip differently");

    let minimal = read(&stripped).expect("the result is well-formed");
    assert_eq!(minimal.unsigned_transaction(), file.unsigned_transaction());
    assert_eq!(minimal.strip(), stripped, "stripping twice");
    if let Ok(described) = report(&minimal, Network::Bitcoin) {
        assert_eq!(described.private, PrivateFields::default());
    }
}

/// The txids, without what signing may add to them, that the seeds have signatures for.
static SIGNED: LazyLock<HashSet<Txid>> = LazyLock::new(|| {
    let files = seeds();
    files.iter().map(|file| bare_txid(file)).collect()
});

fn bare_txid(file: &[u8]) -> Txid {
    let file = read(file).expect("well-formed");
    let mut transaction = file.unsigned_transaction().clone();
    for input in &mut transaction.input {
        input.script_sig = Default::default();
    }
    transaction.compute_txid()
}

/// Only what was really signed is found to be completely signed.
pub(crate) fn signatures(bytes: &[u8]) {
    let Ok(binary) = light::decode(bytes) else {
        return;
    };
    let Ok(file) = binary.read(Keys::Form) else {
        return;
    };
    let Ok(checked) = check_signatures(&file) else {
        return;
    };
    for input in &checked.inputs {
        let is_valid = input.status == SignatureStatus::Valid;
        assert_eq!(is_valid, input.reason.is_none());
        let wrong = input
            .signatures
            .iter()
            .filter(|signature| signature.valid == Some(false));
        assert!(
            !is_valid || wrong.count() == 0,
            "valid with a wrong signature"
        );
    }
    if checked.is_complete() && read(bytes).is_ok() {
        assert!(SIGNED.contains(&bare_txid(bytes)), "this was never signed");
    }
}
