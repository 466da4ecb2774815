//! What the bytes are: a PSBT or a final transaction; binary, base64 or hexadecimal text.
//!
//! The name of a file is never trusted. Wallets put base64 text into `.psbt` files, editors add byte order
//! marks and line ends, and a shell may even store text as UTF-16.

use base64::Engine;
use base64::alphabet;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use bitcoin::consensus::encode;
use bitcoin::hex::FromHex;
use bitcoin::{Psbt, Transaction};

use psbt_wasm::{Encoding, MAX_FILE_BYTES};

use super::maps::Malformed;
use super::{MAGIC, Refused, reader, utxo};

/// What the file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Content {
    /// A PSBT; version 2 is converted to the equal version 0.
    Psbt(Box<Psbt>),
    /// A final transaction, as some wallets export it once it is complete.
    Transaction(Transaction),
}

/// A file that [`read`] found well-formed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ProofFile {
    /// How the file held its bytes.
    pub(crate) encoding: Encoding,
    /// What it holds.
    pub(crate) content: Content,
    /// The PSBT version that the file states, 0 or 2; none for a transaction.
    pub(crate) psbt_version: Option<u8>,
    /// The file as binary; a PSBT as version 0, without the extended public keys that the crate does not know.
    pub(crate) binary: Vec<u8>,
    /// How many those are.
    pub(crate) foreign_extended_keys: usize,
}

impl ProofFile {
    /// The transaction that the file is about: a PSBT's global transaction, which has no signatures, or the
    /// final transaction itself, which has them.
    pub(crate) fn unsigned_transaction(&self) -> &Transaction {
        match &self.content {
            Content::Psbt(psbt) => &psbt.unsigned_tx,
            Content::Transaction(transaction) => transaction,
        }
    }
}

/// Reads a file: binary, then base64, then hexadecimal text.
///
/// # Errors
///
/// When the bytes are no PSBT (nor a complete transaction), break a rule of BIP-0174 or BIP-0370,
/// or when an input's fields contradict each other.
pub(crate) fn read(bytes: &[u8]) -> Result<ProofFile, Refused> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Refused::whole("file-too-large"));
    }
    if bytes.len() < MAGIC.len() {
        return Err(Refused::whole("file-too-short"));
    }
    let file = decode(bytes)?;
    check_outpoints(file.unsigned_transaction())?;
    if let Content::Psbt(psbt) = &file.content {
        utxo::check(psbt)?;
    }
    Ok(file)
}

fn decode(bytes: &[u8]) -> Result<ProofFile, Refused> {
    if bytes.starts_with(MAGIC) {
        return psbt(Encoding::Binary, bytes.to_vec());
    }
    if let Some(file) = transaction(Encoding::Binary, bytes.to_vec()) {
        return Ok(file);
    }
    let text = text_of(bytes).ok_or(Refused::whole("invalid-magic"))?;
    // BIP-0322 writes "pof" before the base64 text of a proof of funds, "ful" before that of a signature's transaction.
    let base64 = [b"pof", b"ful"]
        .into_iter()
        .find_map(|prefix| text.strip_prefix(prefix))
        .unwrap_or(&text);
    if starts_as_base64_psbt(base64) {
        return psbt(Encoding::Base64, from_base64(base64).ok_or(Malformed)?);
    }
    if starts_as_hex_psbt(&text) {
        return psbt(Encoding::Hex, from_hex(&text).ok_or(Malformed)?);
    }
    from_base64(base64)
        .and_then(|binary| transaction(Encoding::Base64, binary))
        .or_else(|| transaction(Encoding::Hex, from_hex(&text)?))
        .ok_or(Refused::whole("invalid-magic"))
}

fn psbt(encoding: Encoding, binary: Vec<u8>) -> Result<ProofFile, Refused> {
    let parsed = reader::read(binary)?;
    Ok(ProofFile {
        encoding,
        content: Content::Psbt(Box::new(parsed.psbt)),
        psbt_version: Some(parsed.version),
        binary: parsed.binary,
        foreign_extended_keys: parsed.foreign_extended_keys,
    })
}

fn transaction(encoding: Encoding, binary: Vec<u8>) -> Option<ProofFile> {
    let content = Content::Transaction(encode::deserialize(&binary).ok()?);
    Some(ProofFile {
        encoding,
        content,
        psbt_version: None,
        binary,
        foreign_extended_keys: 0,
    })
}

/// The file as ASCII text without white space, or none when it is not text.
fn text_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        [0xff, 0xfe, rest @ ..] => narrow(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => narrow(rest, u16::from_be_bytes)?,
        _ => bytes.to_vec(),
    };
    text.retain(|byte| !byte.is_ascii_whitespace());
    text.is_ascii().then_some(text)
}

/// UTF-16 to ASCII.
fn narrow(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Vec<u8>> {
    let pairs = bytes.chunks_exact(2);
    let is_whole = pairs.remainder().is_empty();
    let text = pairs
        .map(|pair| u8::try_from(unit([pair[0], pair[1]])).ok())
        .collect();
    is_whole.then_some(text)?
}

/// The five bytes of the magic number end within the seventh base64 character.
fn starts_as_base64_psbt(text: &[u8]) -> bool {
    matches!(
        text,
        [
            b'c',
            b'H',
            b'N',
            b'i',
            b'd',
            b'P',
            b'8' | b'9' | b'+' | b'/',
            ..
        ]
    )
}

fn starts_as_hex_psbt(text: &[u8]) -> bool {
    text.get(..10)
        .is_some_and(|start| start.eq_ignore_ascii_case(b"70736274ff"))
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    const CONFIG: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    GeneralPurpose::new(&alphabet::STANDARD, CONFIG)
        .decode(text)
        .ok()
}

fn from_hex(text: &[u8]) -> Option<Vec<u8>> {
    Vec::from_hex(std::str::from_utf8(text).ok()?).ok()
}

/// What no valid transaction has, whatever its signatures are.
fn check_outpoints(transaction: &Transaction) -> Result<(), Refused> {
    if transaction.input.is_empty() {
        return Err(Refused::whole("no-inputs"));
    }
    if transaction.output.is_empty() {
        return Err(Refused::whole("no-outputs"));
    }
    let mut seen = std::collections::BTreeSet::new();
    for (input, txin) in transaction.input.iter().enumerate() {
        if txin.previous_output.is_null() {
            return Err(Refused::at("null-outpoint", input));
        }
        if !seen.insert(txin.previous_output) {
            return Err(Refused::at("duplicate-input", input));
        }
    }
    Ok(())
}
