//! The tools, from bytes to bytes: several values cross the boundary as [`frames`] or as [`json`] text.

#[cfg(psbt_wasm_package)]
pub(super) mod binding;
#[cfg(psbt_wasm_package)]
pub(super) mod date;
pub(super) mod derivations;
pub(super) mod for_reader;
mod frames;
pub(super) mod inspect;
#[cfg(psbt_wasm_package)]
pub(super) mod joined;
mod json;
pub(super) mod make;
pub(super) mod proof;
#[cfg(psbt_wasm_package)]
pub(super) mod reader_coins;
pub(super) mod running;
mod signatures;
pub(super) mod signed_message;
