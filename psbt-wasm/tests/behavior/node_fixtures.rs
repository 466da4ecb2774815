//! The files that the tests in `tests/node` read are built here, so that both sides test the same thing.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Amount;
use bitcoin::consensus::encode::serialize_hex;

use crate::current::assert_current;
use crate::fixtures::{P2PKH, final_transaction, mixed, simple};
use crate::version2::as_version_2;

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the files.
#[test]
fn the_files_of_the_node_tests_are_current() {
    let mut mismatch = mixed();
    let previous = mismatch.inputs[P2PKH]
        .non_witness_utxo
        .as_mut()
        .expect("it has one");
    previous.output[1].value = Amount::from_sat(2_100_000_000);
    let files = [
        ("mixed.psbt", STANDARD.encode(mixed().serialize())),
        (
            "mixed-v2.psbt",
            STANDARD.encode(as_version_2(&mixed()).serialize()),
        ),
        (
            "previous-transaction-mismatch.psbt",
            STANDARD.encode(mismatch.serialize()),
        ),
        (
            "outputs-above-inputs.psbt",
            STANDARD.encode(simple(99, 100).serialize()),
        ),
        ("final.txn", serialize_hex(&final_transaction())),
    ];
    for (name, text) in files {
        assert_current(&format!("tests/node/fixtures/{name}"), &format!("{text}\n"));
    }
}
