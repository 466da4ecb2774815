//! Which inputs are validly signed: really signed files of every kind, whole and damaged.

mod bounds;
mod extracting;
#[path = "../../examples/fixtures/finalize.rs"]
mod finalize;
mod finalizing;
mod incomplete;
mod legacy;
mod relative_locks;
mod scene;
mod signing;
mod valid;
mod wrong;

use bitcoin::Psbt;
use psbt_wasm::{
    InputSignatures, Keys, SignatureReport, SignatureStatus, check_signatures, decode,
};

/// What is found in the serialized file.
fn check(psbt: &Psbt) -> SignatureReport {
    let bytes = psbt.serialize();
    let binary = decode(bytes.as_slice()).expect("a PSBT");
    check_signatures(&binary.read(Keys::Curve).expect("well-formed")).expect("checked")
}

fn statuses(psbt: &Psbt) -> Vec<SignatureStatus> {
    check(psbt)
        .inputs
        .iter()
        .map(|input| input.status)
        .collect()
}

fn input(psbt: &Psbt, index: usize) -> InputSignatures {
    check(psbt).inputs.swap_remove(index)
}
