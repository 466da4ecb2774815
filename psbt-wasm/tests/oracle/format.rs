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
use bitcoin::psbt::Input;
use bitcoin::{Transaction, TxIn};
use psbt_wasm::{Encoding, MAX_FILE_BYTES};

use super::reader::{self, Parsed};
use super::report::previous_output;
use super::{MAGIC, Refused};

/// A file that [`read`] found well-formed.
#[derive(Debug)]
pub(crate) struct ProofFile {
    /// How the file held its bytes.
    pub(super) encoding: Encoding,
    /// What the file is about: a PSBT's global transaction, which has no signatures, or the final transaction, as some wallets
    /// export it, which has them.
    pub(crate) transaction: Transaction,
    /// None for a final transaction.
    pub(super) psbt: Option<Parsed>,
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
    check_outpoints(&file.transaction)?;
    let psbt = file.psbt.iter().flat_map(|parsed| &parsed.psbt.inputs);
    for (index, (input, txin)) in psbt.zip(&file.transaction.input).enumerate() {
        check_input(input, txin).map_err(|code| Refused::at(code, index))?;
    }
    Ok(file)
}

fn decode(bytes: &[u8]) -> Result<ProofFile, Refused> {
    let no_magic = Refused::whole("invalid-magic");
    if bytes.starts_with(MAGIC) {
        return psbt(Encoding::Binary, Some(bytes.to_vec()));
    }
    if let Some(file) = transaction(Encoding::Binary, bytes) {
        return Ok(file);
    }
    let text = unescaped(&text_of(bytes).ok_or(no_magic)?);
    let mut found: Vec<(Encoding, Vec<u8>)> = Vec::new();
    for word in text.split(|byte| *byte == QUOTE) {
        match decode_word(word) {
            Err(refused) if refused == no_magic => {}
            file => found.push(file?),
        }
    }
    // Of several texts only PSBTs count, and all must be the same.
    let is_psbt = |(_, binary): &(_, Vec<u8>)| binary.starts_with(MAGIC);
    if found.iter().any(is_psbt) {
        found.retain(is_psbt);
    }
    let first = found.first().ok_or(no_magic)?;
    if found.iter().any(|(_, binary)| *binary != first.1) {
        return Err(no_magic);
    }
    let (encoding, binary) = found.swap_remove(0);
    match binary.starts_with(MAGIC) {
        true => psbt(encoding, Some(binary)),
        false => transaction(encoding, &binary).ok_or(no_magic),
    }
}

/// All characters that count as a quotation mark.
const QUOTE: u8 = b'"';

/// The bytes that a word encodes.
fn decode_word(text: &[u8]) -> Result<(Encoding, Vec<u8>), Refused> {
    // BIP-0322 writes "pof" before the base64 text of a proof of funds, "ful" before that of a signature's transaction.
    let mut prefixes = [b"pof", b"ful"].into_iter();
    let without = prefixes.find_map(|prefix| text.strip_prefix(prefix));
    let base64 = without.unwrap_or(text);
    // The five bytes of the magic number end within the seventh base64 character.
    let seventh = base64.get(6);
    let of_psbt = matches!(seventh, Some(b'8' | b'9' | b'+' | b'/' | b'-' | b'_'));
    if base64.starts_with(b"cHNidP") && of_psbt {
        let binary = from_base64(base64).ok_or(Refused::MALFORMED)?;
        return Ok((Encoding::Base64, binary));
    }
    let start = text.get(..10);
    if start.is_some_and(|start| start.eq_ignore_ascii_case(b"70736274ff")) {
        return Ok((Encoding::Hex, from_hex(text).ok_or(Refused::MALFORMED)?));
    }
    let is_transaction = |binary: &Vec<u8>| transaction(Encoding::Binary, binary).is_some();
    let base64 = from_base64(base64).filter(is_transaction);
    let base64 = base64.map(|binary| (Encoding::Base64, binary));
    let hex = || from_hex(text).filter(is_transaction);
    base64
        .or_else(|| Some((Encoding::Hex, hex()?)))
        .ok_or(Refused::whole("invalid-magic"))
}

/// A text without the escapes of JSON.
fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut parts = text.split(|byte| *byte == b'\\');
    let mut plain = parts.next().unwrap_or_default().to_vec();
    let value = |digit: u8| char::from(digit).to_digit(16).unwrap_or(0);
    for part in parts {
        match part {
            [b'n' | b'r' | b't', rest @ ..] => plain.extend(rest),
            [b'u', b'0', b'0', high, low, rest @ ..] => {
                plain.push(u8::try_from(16 * value(*high) + value(*low)).expect("two digits"));
                plain.extend(rest);
            }
            rest => plain.extend(rest),
        }
    }
    plain
}

fn psbt(encoding: Encoding, binary: Option<Vec<u8>>) -> Result<ProofFile, Refused> {
    let parsed = binary.and_then(|binary| reader::read(&binary));
    let parsed = parsed.ok_or(Refused::MALFORMED)?;
    Ok(ProofFile {
        encoding,
        transaction: parsed.psbt.unsigned_tx.clone(),
        psbt: Some(parsed),
    })
}

fn transaction(encoding: Encoding, binary: &[u8]) -> Option<ProofFile> {
    Some(ProofFile {
        encoding,
        transaction: encode::deserialize(binary).ok()?,
        psbt: None,
    })
}

/// The file as ASCII text without white space, all that is not ASCII as a quotation mark, or none when it is cut within a character.
fn text_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut text = match bytes {
        [0xef, 0xbb, 0xbf, rest @ ..] => rest.to_vec(),
        [0xff, 0xfe, rest @ ..] => narrow(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => narrow(rest, u16::from_be_bytes)?,
        [1..=127, 0, ..] => narrow(bytes, u16::from_le_bytes)?,
        [0, 1..=127, ..] => narrow(bytes, u16::from_be_bytes)?,
        _ => bytes.to_vec(),
    };
    text.retain(|byte| !byte.is_ascii_whitespace());
    for byte in &mut text {
        if !byte.is_ascii() || b"'`".contains(byte) {
            *byte = QUOTE;
        }
    }
    Some(text)
}

/// UTF-16 to ASCII.
fn narrow(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<Vec<u8>> {
    let pairs = bytes.chunks(2).map(|pair| pair.try_into().ok());
    let units = pairs.map(|pair| Some(u8::try_from(unit(pair?)).unwrap_or(0xff)));
    units.collect()
}

fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    let config = GeneralPurposeConfig::new();
    let config = config.with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let engine = GeneralPurpose::new(&alphabet::STANDARD, config);
    let text = String::from_utf8_lossy(text);
    let standard = text.replace('-', "+").replace('_', "/");
    engine.decode(standard).ok()
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

/// Compares everything that an input says about what it spends. A file's word about its coins is a hint; but the hints of one input must
/// not contradict each other.
fn check_input(input: &Input, txin: &TxIn) -> Result<(), &'static str> {
    let Some(previous) = &input.non_witness_utxo else {
        return Ok(());
    };
    // BIP-0174: "the hash of the non-witness UTXO must match the hash specified in the prevout". The txid
    // authenticates the outputs; without this check a file could state any value.
    if previous.compute_txid() != txin.previous_output.txid {
        return Err("previous-transaction-mismatch");
    }
    let output = previous_output(input, txin).ok_or("previous-output-missing")?;
    match &input.witness_utxo {
        Some(witness) if witness != output => Err("utxo-mismatch"),
        _ => Ok(()),
    }
}
