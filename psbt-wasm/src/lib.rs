//! Reads partially signed Bitcoin transactions as wallets export them, says what is in them, checks their
//! signatures, and strips what a verifier does not need.
//!
//! One crate for both sides: the browser runs it as WebAssembly (npm package `psbt-wasm`), a server links it
//! as a library, so a file that one side accepts the other accepts too.
//!
//! ```text
//! bytes ── read ──▶ ProofFile ── report ──▶ Report   what a person sees
//!                        └────── strip ───▶ bytes    the minimal file that verification needs
//! ```
//!
//! [`read`] takes PSBT version 0 (BIP-0174) and 2 (BIP-0370) and final raw transactions, each as binary,
//! base64 or hexadecimal text. It is strict: what it returns is well-formed and consistent in itself. It
//! does **not** check signatures, and nothing a file says about its coins is authoritative: only the chain is.
//!
//! There are two readers. The one above parses with the `bitcoin` crate; a server should use that one. [`light`]
//! points into the bytes instead of copying them and needs no other crate, so that it is what
//! browsers load. A test holds both to the same verdicts and the same values.
//!
//! # Features
//!
//! - `bitcoin` (default): [`read`], [`report`](fn@report), [`ProofFile`].
//! - `signatures` (default): [`check_signatures`].
//! - `report` (default): the functions of [`light`] in the WebAssembly module.

#![cfg_attr(without_std, no_std)]

extern crate alloc;

#[cfg(feature = "bitcoin")]
#[doc(no_inline)]
pub use bitcoin;

mod cursor;
mod error;
mod facts;
#[cfg(feature = "bitcoin")]
mod format;
pub mod light;
#[cfg(feature = "bitcoin")]
mod reader;
#[cfg(feature = "bitcoin")]
mod report;
mod script_type;
#[cfg(feature = "signatures")]
mod signatures;
#[cfg(feature = "bitcoin")]
mod strip;
#[cfg(feature = "bitcoin")]
mod utxo;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use error::{Error, Malformed};
pub use facts::{Encoding, MAX_FILE_BYTES, PrivateFields, Signatures, UtxoSource};
#[cfg(feature = "bitcoin")]
pub use format::{Content, ProofFile, read};
#[cfg(feature = "bitcoin")]
pub use report::{InputReport, OutputReport, Report, report};
pub use script_type::ScriptType;
#[cfg(feature = "signatures")]
pub use signatures::{
    InputSignatures, Reason, Signature, SignatureReport, SignatureStatus, check_signatures,
};

/// The examples of the README compile.
#[cfg(all(doctest, feature = "bitcoin"))]
#[doc = include_str!("../README.md")]
struct Readme;
