//! Properties of all inputs. Each function panics when its property does not hold.

use std::collections::HashSet;
use std::sync::LazyLock;

use psbt_wasm::bitcoin::Txid;
use psbt_wasm::{
    Keys, Network, PrivateFields, SignatureStatus, check_signatures, decode, inspect, read,
    recognize, strip,
};

use crate::oracle::{self, Verdict};
use crate::seeds::seeds;

/// The package gives the verdict and the values of the second reader, and warns in sentences about inputs that are there.
pub(crate) fn reading(bytes: &[u8]) {
    if oracle::compare(bytes, 0) != Verdict::Read {
        return;
    }
    let binary = decode(bytes).expect("read before");
    let file = binary.read(Keys::Form).expect("read before");
    let found = file.report(Network::Mainnet).expect("read before");
    for warning in found.warnings(u32::MAX / 2) {
        assert!(warning.message.ends_with('.'), "{}", warning.message);
        let mut inputs = warning.inputs.iter();
        assert!(inputs.all(|input| *input < found.inputs.len()));
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
    assert_eq!(*minimal.unsigned_transaction(), file.transaction);
    assert_eq!(
        strip(&stripped[..]),
        Ok(stripped.clone()),
        "stripping twice"
    );
    let binary = decode(stripped).expect("the result is well-formed");
    let minimal = binary.read(Keys::Curve).expect("the result is well-formed");
    if let Ok(described) = minimal.report(Network::Mainnet) {
        assert_eq!(described.private, PrivateFields::default());
    }
}

/// The txids of the signed seeds, without scriptSigs.
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
    let network = Network::Mainnet;
    let binary = decode(bytes);
    let inspection = match (inspect(bytes, network, false), &binary) {
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
