//! One proof in every form that users upload. The package tests the encodings.

use verify::{Refusal, Verified};

use crate::forge::{as_version_2, assert_accepted};
use crate::support::prelude::*;
use crate::verdict::{verdict, verdict_of_bytes};

/// Asserts that a signed PSBT is accepted as version 0 and as version 2, whole and stripped; returns
/// the transaction of the proof.
pub(crate) async fn accepted(node: &Node, psbt: &SomePsbt, what: &str) -> Transaction {
    let whole = accept(verdict(node, psbt.base64()).await, what);
    let v0 = Psbt::deserialize(&psbt.binary()).expect("a PSBT");
    let v2 = as_version_2(&v0).serialize();
    let stripped = |file: &[u8]| psbt_wasm::strip(file).expect("well-formed");
    for file in [
        stripped(&psbt.binary()),
        stripped(&v2),
        v2,
        // The exports of Electrum and Coldcard for a complete transaction.
        serialize(&whole),
    ] {
        let transaction = accept(verdict_of_bytes(node, &file).await, what);
        assert_eq!(transaction, whole, "{what}");
    }
    whole
}

/// The transaction of an accepted file.
#[track_caller]
fn accept(verdict: Result<Verified, Refusal>, what: &str) -> Transaction {
    assert_accepted(&verdict, what);
    verdict.expect("just asserted").transaction
}
