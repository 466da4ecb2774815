//! What holds for all bytes whatever. Each is a function that panics when it does not.

use std::collections::HashSet;
use std::sync::LazyLock;

use psbt_wasm::bitcoin::{Network, Txid};
use psbt_wasm::{
    Error, Fault, Keys, PrivateFields, SignatureStatus, check_signatures, decode, inspect, read,
    recognize, strip,
};

use crate::oracle::{self, Refused};
use crate::seeds::seeds;

/// The package gives the verdict of the second reader, and what it reads can be described or has impossible amounts.
pub(crate) fn reading(bytes: &[u8]) {
    let expected = oracle::read(bytes);
    let binary = decode(bytes);
    let curve = binary.as_ref().map_err(Error::clone);
    let curve = curve.and_then(|binary| binary.read(Keys::Curve));
    let refused = |error: &Error| Refused::from(*error);
    assert_eq!(
        expected.as_ref().err(),
        curve.as_ref().err().map(refused).as_ref(),
        "the readers disagree"
    );
    let server = read(bytes);
    assert_eq!(
        expected.as_ref().err(),
        server.as_ref().err().map(refused).as_ref(),
        "the readers disagree"
    );
    assert_ne!(server.err(), Some(Error::from(Fault::Disputed)));
    let form = binary.as_ref().map_err(Error::clone);
    let form = form.and_then(|binary| binary.read(Keys::Form));
    assert!(
        form.is_ok() || curve.is_err(),
        "reading by form is stricter"
    );
    let (Ok(expected), Ok(found)) = (expected, form) else {
        return;
    };
    let expected = oracle::report(&expected, Network::Bitcoin);
    let (expected, found) = match (expected, found.report(psbt_wasm::Network::Mainnet)) {
        (Ok(expected), Ok(found)) => (expected, found),
        (expected, found) => {
            let error = found.err();
            assert_eq!(
                expected.err(),
                error.as_ref().map(refused),
                "the reports disagree"
            );
            assert!(matches!(
                error,
                Some(Error::AmountOutOfRange { .. } | Error::OutputsAboveInputs)
            ));
            return;
        }
    };
    assert_eq!(expected.inputs.len(), found.inputs.len());
    assert_eq!(expected.total_output_sats, found.total_output_sats);
    assert_eq!(expected.total_input_sats, found.total_input_sats);
    assert_eq!(expected.private, found.private);
    if let (Some(inputs), Some(fee)) = (found.total_input_sats, found.fee_sats) {
        assert_eq!(inputs, found.total_output_sats + fee);
    }
    for warning in found.warnings(u32::MAX / 2) {
        assert!(warning.message.ends_with('.'), "{}", warning.message);
        assert!(
            warning
                .inputs
                .iter()
                .all(|input| *input < found.inputs.len())
        );
    }
}

/// What is left after stripping is what the second reader leaves: readable, about the same transaction, not longer, and
/// with nothing private.
pub(crate) fn stripping(bytes: &[u8]) {
    let Ok(file) = oracle::read(bytes) else {
        return;
    };
    let stripped = strip(bytes).expect("the other reader took it");
    assert!(stripped == file.strip(), "the readers strip differently");

    let minimal = read(&stripped).expect("the result is well-formed");
    assert_eq!(minimal.unsigned_transaction(), file.unsigned_transaction());
    assert_eq!(
        strip(&stripped[..]),
        Ok(stripped.clone()),
        "stripping twice"
    );
    let binary = decode(stripped).expect("the result is well-formed");
    let minimal = binary.read(Keys::Curve).expect("the result is well-formed");
    if let Ok(described) = minimal.report(psbt_wasm::Network::Mainnet) {
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
    let Ok(binary) = decode(bytes) else {
        return;
    };
    let Ok(file) = binary.read(Keys::Form) else {
        return;
    };
    let Ok(checked) = check_signatures(&file) else {
        return;
    };
    assert!(checked.checks <= 256 + bytes.len() / 32, "too much work");
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

/// Whatever is a file by its start is shown, and whatever the strict reader refuses it for is among the problems. Nothing that can be read
/// is taken for something else.
pub(crate) fn inspecting(bytes: &[u8]) {
    let network = psbt_wasm::Network::Mainnet;
    let binary = decode(bytes);
    let inspection = match (inspect(bytes, network), &binary) {
        (Ok(inspection), Ok(_)) => inspection,
        (Err(found), Err(expected)) => {
            let _ = recognize(bytes);
            return assert_eq!(found, *expected);
        }
        (found, _) => panic!("{found:?}"),
    };
    let file = binary
        .as_ref()
        .map(|binary| binary.read_in_progress(Keys::Curve));
    let strict = file
        .expect("decoded")
        .and_then(|file| file.report(network).map(drop));
    if let Err(error) = strict {
        let message = error.to_string();
        assert!(
            inspection
                .problems
                .iter()
                .any(|problem| problem.message == message)
        );
    } else {
        assert!(!inspection.is_cut && !inspection.fields.is_empty());
        assert_eq!(recognize(bytes), None);
    }
}
