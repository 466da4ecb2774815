//! The files that the tests in `tests/node` read are built here, so that both sides test the same thing.

use super::*;

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the files.
#[test]
fn the_files_of_the_node_tests_are_current() {
    let mut mismatch = mixed();
    let previous = mismatch.inputs[P2PKH].non_witness_utxo.as_mut();
    previous.expect("it has one").output[1].value = Amount::from_sat(2_100_000_000);
    let version_2 = as_version_2(&mixed()).serialize();
    for (name, psbt) in [
        ("mixed", mixed().serialize()),
        ("mixed-v2", version_2),
        ("previous-transaction-mismatch", mismatch.serialize()),
        ("outputs-above-inputs", simple(99, 100).serialize()),
    ] {
        let file = format!("tests/node/fixtures/{name}.psbt");
        assert_current(&file, &(STANDARD.encode(psbt) + "\n"));
    }
    let transaction = serialize_hex(&final_transaction()) + "\n";
    assert_current("tests/node/fixtures/final.txn", &transaction);
}
