//! Leaves libsecp256k1's table for signing out of the module: 64 kB that do not compress, half of the download.
//!
//! The crate `secp256k1-sys` exports a function that creates signing contexts from every module, whether it is
//! used or not, and with it the table. `build.rs` makes the linker take the function below instead. Nothing
//! here signs, and keys are parsed without a context; code that checks signatures must use the static
//! context of libsecp256k1, which needs no creation.
#![allow(
    unsafe_code,
    reason = "the linker finds the replacement by its unmangled name"
)]

use core::ffi::{c_uint, c_void};

/// Stands in for `secp256k1_context_preallocated_create`. Traps, so that a mistake shows at once.
#[unsafe(no_mangle)]
extern "C" fn __wrap_rustsecp256k1_v0_10_0_context_preallocated_create(
    _memory: *mut c_void,
    _flags: c_uint,
) -> *mut c_void {
    core::arch::wasm32::unreachable()
}
