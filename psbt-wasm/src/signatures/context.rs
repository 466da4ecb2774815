//! libsecp256k1 for verification.

use bitcoin::secp256k1::{Secp256k1, Verification};

/// A context that can verify. Making one is cheap, but not free.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn verifier() -> Secp256k1<impl Verification> {
    Secp256k1::verification_only()
}

/// The static context of libsecp256k1. The module has no function that makes contexts, because with it comes the
/// table for signing, which is most of the download (`wasm/no_signing_table.rs`).
#[cfg(target_arch = "wasm32")]
#[allow(
    unsafe_code,
    reason = "only an unsafe function takes the static context"
)]
pub(crate) fn verifier() -> core::mem::ManuallyDrop<Secp256k1<impl Verification>> {
    use bitcoin::secp256k1::ffi::secp256k1_context_no_precomp;
    use core::ptr::NonNull;

    // SAFETY: the pointer is to a constant of libsecp256k1 that lives as long as the program; verification needs
    // nothing but this context, and nothing here randomises or destroys it.
    unsafe {
        let context = NonNull::new(secp256k1_context_no_precomp.cast_mut());
        Secp256k1::from_raw_verification_only(context.expect("a constant has an address"))
    }
}
