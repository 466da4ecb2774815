//! Reads partially signed Bitcoin transactions as wallets export them, says what is in them, and strips
//! what a verifier does not need.
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

mod error;
mod format;
mod reader;
mod report;
mod script_type;
mod strip;
mod utxo;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use bitcoin;
pub use error::{Error, Malformed};
pub use format::{Content, Encoding, MAX_FILE_BYTES, ProofFile, read};
pub use report::{InputReport, OutputReport, PrivateFields, Report, Signatures, report};
pub use script_type::ScriptType;
pub use utxo::UtxoSource;

/// The examples of the README compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
