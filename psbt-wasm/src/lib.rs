//! Reads partially signed Bitcoin transactions as wallets export them, says what is in them, checks their
//! signatures, and strips what a verifier does not need.
//!
//! One crate for both sides: the browser runs it as WebAssembly (npm package `psbt-wasm`), a server links it
//! as a library, and both read by the same code.
//!
//! ```text
//! bytes ── decode ──▶ Binary ── read ──▶ File ── report ───────────▶ Report   what a person sees
//!                                         ├───── strip ────────────▶ bytes    the minimal file that verification needs
//!                                         └───── check_signatures ─▶ SignatureReport
//! ```
//!
//! [`make_proof`] turns a PSBT into a proof of reserves to sign, which moves nothing. [`combine`](fn@combine) merges the files that
//! several signers give back. [`check_proof`] checks such a proof once it is signed and published.
//!
//! [`decode`] takes PSBT version 0 (BIP-0174) and 2 (BIP-0370) and final raw transactions, each as binary,
//! base64 or hexadecimal text. [`Binary::read`] is strict: the files that it returns are well-formed and consistent in themselves. It
//! does **not** check signatures, and nothing a file says about its coins is authoritative: only the chain is.
//!
//! ```
//! use psbt_wasm::{Keys, Network, decode};
//!
//! # fn main() -> Result<(), psbt_wasm::Error> {
//! # let text = include_bytes!("../tests/node/fixtures/mixed.psbt");
//! let binary = decode(text.as_slice())?;
//! let file = binary.read(Keys::Form)?;
//! let report = file.report(Network::Mainnet)?;
//! assert_eq!(report.fee_sats, Some(1_010_000));
//! assert!(file.strip().starts_with(b"psbt\xff"));
//! # Ok(())
//! # }
//! # main().unwrap();
//! ```
//!
//! A server that relies on a file calls [`read`] instead: the same, then the `bitcoin` crate as a second opinion. It returns
//! the types of that crate. Tests hold the two to the same verdicts and the same values on published vectors and on many
//! thousands of damaged files.
//!
//! # Features
//!
//! The reader needs none, and no C compiler.
//!
//! - `tools`: [`read`], [`check_signatures`], [`check_proof`], [`verify_message`], [`make_proof`], [`combine`](fn@combine). Compiles libsecp256k1.
//! - `exports`: the JavaScript functions of those, where a WebAssembly module is built.

#![cfg_attr(psbt_wasm_package, no_std)]
#![cfg_attr(
    not(feature = "tools"),
    allow(
        dead_code,
        reason = "the reader has what the tools need, and linkers leave it out"
    )
)]
#![warn(missing_docs)]

extern crate alloc;

#[cfg(feature = "tools")]
#[doc(no_inline)]
pub use bitcoin;

mod address;
mod amount;
#[cfg(feature = "tools")]
pub mod binding;
#[cfg(feature = "tools")]
mod convert;
#[cfg(feature = "tools")]
pub mod date;
#[cfg(feature = "tools")]
mod derivations;
mod error;
#[cfg(feature = "tools")]
mod extract;
mod facts;
mod hash;
#[cfg(feature = "tools")]
mod inspect;
#[cfg(feature = "tools")]
pub mod joined;
#[cfg(feature = "tools")]
mod make;
#[cfg(feature = "tools")]
mod proof;
#[cfg(feature = "tools")]
mod proof_file;
mod read;
#[cfg(feature = "tools")]
mod recognize;
mod report;
mod script;
#[cfg(feature = "tools")]
mod signatures;
#[cfg(feature = "tools")]
mod signed_message;
pub mod statement;
mod strip;
mod warnings;
mod wasm;
mod weight;
mod write;

pub use address::Network;
pub use error::{Error, Fault, Malformed, Map};
pub use facts::{Encoding, MAX_FILE_BYTES, PrivateFields, Signatures, UtxoSource};
pub use read::{Binary, File, Keys, SilentPayment, decode, is_key};
pub use report::{InputReport, OutputReport, Report};
pub use script::ScriptType;
pub use strip::strip;
pub use warnings::{Warning, WarningCode};
#[cfg(feature = "tools")]
pub use {
    convert::{Converted, Lost, convert},
    derivations::{Derivation, KeyDerivations, derivations},
    extract::extract,
    inspect::{InspectedField, Inspection, Problem, inspect},
    make::{
        Combined, CombinedInput, Derivations, Form, MadeProof, MakeError, MakeOptions, MakerNote,
        NoteCode, combine, make_proof,
    },
    proof::finished::psbt as finished_psbt,
    proof::{
        BoardMembers, Carrier, DocumentCoin, DocumentStatement, FurtherFault, FurtherSignature,
        ProofCheck, ProofDocument, ProofFault, PublishedCoin, PublishedProof, SpendingConditions,
        check_proof, further_signatures,
    },
    proof_file::{Content, ProofFile, read},
    recognize::{Recognized, recognize},
    signatures::{
        InputSignatures, MAX_CHECKS, Reason, Signature, SignatureReport, SignatureStatus,
        check_signatures,
    },
    signed_message::{
        LineEndings, MessageCheck, MessageFormat, MessageOptions, MessageReason, MessageStatus,
        OtherText, verify_message, verify_message_with,
    },
};

/// The examples of the README compile.
#[cfg(all(doctest, feature = "tools"))]
#[doc = include_str!("../README.md")]
struct Readme;
