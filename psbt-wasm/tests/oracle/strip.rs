//! The minimal file that verification needs.
//!
//! The table lists what is kept, not what is dropped: a field of a future standard stays private until the table allows it.

use bitcoin::absolute::LockTime;
use bitcoin::psbt::raw::Key;
use bitcoin::transaction::Version;
use bitcoin::{Amount, Psbt, Transaction};

use super::format::{Content, ProofFile};
use super::maps::{Pair, next_pair};
use super::{MAGIC, hashed_key};

/// `PSBT_GLOBAL_GENERIC_SIGNED_MESSAGE` and `PSBT_IN_POR_COMMITMENT`: the message that BIP-0322 and BIP-0127
/// sign, which the `bitcoin` crate does not know.
const SIGNED_MESSAGE: u8 = 0x09;

/// Kept of the global map (BIP-0174): the unsigned transaction and the signed message.
const GLOBAL: [u8; 2] = [0x00, SIGNED_MESSAGE];

/// Kept of an input (BIP-0174, BIP-0371).
const INPUT: [u8; 17] = [
    0x01, // witness UTXO
    0x02, // partial signature
    0x03, // signature hash type
    0x04, // redeem script
    0x05, // witness script
    0x07, // final script signature
    0x08, // final script witness
    SIGNED_MESSAGE,
    0x0a, // preimages of RIPEMD-160,
    0x0b, // SHA-256,
    0x0c, // HASH160,
    0x0d, // HASH256
    0x13, // taproot key spend signature
    0x14, // taproot script spend signature
    0x15, // taproot leaf script
    0x17, // taproot internal key
    0x18, // taproot merkle root
];

/// `PSBT_IN_NON_WITNESS_UTXO`, the previous transaction.
const PREVIOUS_TRANSACTION: u8 = 0x00;

impl ProofFile {
    /// The file as binary, without what tells more about the wallet than verification needs: extended public
    /// keys, derivation paths, proprietary and unknown fields, previous transactions, and all that a
    /// PSBT says about its outputs.
    ///
    /// What finalizing needs stays: signatures, scripts, preimages, taproot fields, the witness UTXO, the
    /// message and the virtual transaction of BIP-0322, and, of keys that a script says only the hashes of,
    /// the keys, without where they come from. An input that had only its previous transaction is left
    /// without value and script: a verifier takes them from the chain. A PSBT is written as
    /// version 0, a final transaction as it is.
    pub(crate) fn strip(&self) -> Vec<u8> {
        match &self.content {
            Content::Psbt(psbt) => strip(&self.binary, psbt),
            Content::Transaction(_) => self.binary.clone(),
        }
    }
}

fn strip(binary: &[u8], psbt: &Psbt) -> Vec<u8> {
    let mut maps = &binary[MAGIC.len()..];
    let mut minimal = MAGIC.to_vec();
    copy_map(&mut maps, &mut minimal, |pair| {
        let kept = GLOBAL.contains(&pair.key[0]) && !is_foreign(pair);
        kept.then(|| pair.raw.to_vec())
    });
    for input in &psbt.inputs {
        let keeps_previous = input
            .non_witness_utxo
            .as_ref()
            .is_some_and(is_kept_previous);
        copy_map(&mut maps, &mut minimal, |pair| match pair.key[0] {
            PREVIOUS_TRANSACTION if keeps_previous => Some(pair.raw.to_vec()),
            kept if INPUT.contains(&kept) && !is_foreign(pair) => Some(pair.raw.to_vec()),
            _ => hashed_key::without_origin(pair, input),
        });
    }
    // Every output has a map, and nothing in it.
    minimal.resize(minimal.len() + psbt.outputs.len(), 0);
    minimal
}

/// Whether it has the number of a field for signed messages, and key data, which those do not have.
fn is_foreign(pair: &Pair<'_>) -> bool {
    pair.key[0] == SIGNED_MESSAGE && pair.key.len() > 1
}

/// Copies what `kept` makes of each pair.
fn copy_map(maps: &mut &[u8], minimal: &mut Vec<u8>, kept: impl Fn(&Pair<'_>) -> Option<Vec<u8>>) {
    // `read` has parsed these maps, so there is no error that could end the loop.
    while let Ok(Some(pair)) = next_pair(maps) {
        minimal.extend(kept(&pair).unwrap_or_default());
    }
    minimal.push(0);
}

/// Whether an unknown field of the global map or of an input survives [`ProofFile::strip`].
pub(super) fn is_kept_unknown(key: &Key) -> bool {
    key.type_value == SIGNED_MESSAGE
}

/// Whether a previous transaction survives [`ProofFile::strip`]: only BIP-0322's `to_spend`, which is made for
/// the signature. It is on no chain, so nobody else could say which script its output has.
pub(super) fn is_kept_previous(transaction: &Transaction) -> bool {
    transaction.version == Version(0)
        && transaction.lock_time == LockTime::ZERO
        && matches!(&transaction.input[..], [input] if input.previous_output.is_null())
        && matches!(&transaction.output[..], [output] if output.value == Amount::ZERO)
}
