//! The transaction that the signatures are for, and what its inputs spend.

use alloc::vec::Vec;
use core::ops::Range;

use bitcoin::consensus::encode;
use bitcoin::secp256k1::{Message, XOnlyPublicKey, ecdsa};
use bitcoin::sighash::{Annex, EcdsaSighashType, Prevouts, SighashCache};
use bitcoin::taproot::{self, TapLeafHash};
use bitcoin::{PublicKey, Script, Sequence, Transaction, TxOut, hashes::Hash};

use super::context::verifier;
use super::template::ScriptLocks;
use super::work::Work;
use super::{Fields, InputSignatures, Reason, ScriptType, SignatureStatus, fields};
use crate::read::LOCK_TIME_THRESHOLD;
use crate::{Error, Fault, File};

/// BIP-0141. A PSBT may be about a message, which no block has to hold.
const MAX_BLOCK_WEIGHT: usize = 4_000_000;

/// Checks the inputs of one transaction. It holds no reference to the file, so that it can stop between two inputs and go on later.
pub(super) struct Checker {
    cache: SighashCache<Transaction>,
    /// What the input that is looked at signs with a type of signature, for all its keys.
    digest: Option<(u8, [u8; 32])>,
    /// What each input spends, [`TxOut::NULL`] where that is unknown.
    spent: Vec<TxOut>,
    /// The kind of script that each input spends, if it is known, and where in the file its map is.
    inputs: Vec<(Option<ScriptType>, Range<usize>)>,
    /// Whether what all inputs spend is known, which taproot signatures commit to.
    pub(super) knows_all_spent: bool,
    transaction_bytes: usize,
    pub(super) work: Work,
}

/// What an ECDSA signature of an input signs: its script.
#[derive(Clone, Copy)]
pub(super) struct ScriptCode<'s> {
    pub(super) index: usize,
    pub(super) script: &'s [u8],
    /// Whether it is hashed as before segregated witness, and not by BIP-0143.
    pub(super) is_legacy: bool,
}

/// What a Schnorr signature commits to.
pub(super) struct Spend<'s> {
    pub(super) index: usize,
    pub(super) leaf: Option<TapLeafHash>,
    pub(super) annex: Option<&'s [u8]>,
}

impl Spend<'_> {
    /// By the key, without an annex.
    pub(super) fn of_input(index: usize) -> Self {
        Self {
            index,
            leaf: None,
            annex: None,
        }
    }
}

impl Checker {
    pub(super) fn new(file: &File<'_>, max_checks: u32) -> Result<Self, Error> {
        if file.psbt.is_none() && file.transaction()?.weight() > MAX_BLOCK_WEIGHT {
            return Err(Error::TransactionTooLarge);
        }
        let bytes = file.transaction_bytes();
        let parsed = encode::deserialize(bytes);
        let transaction: Transaction = parsed.map_err(|_| Fault::Invalid("transaction"))?;
        let inputs = file.inputs()?;
        let bytes_of_signatures = (inputs.iter()).map(|(.., map)| fields::signature_bytes(map));
        let work = Work::new(bytes_of_signatures.sum(), max_checks);
        let spent = (inputs.iter()).map(|(spent, ..)| spent.map_or(TxOut::NULL, TxOut::from));
        Ok(Self {
            digest: None,
            cache: SighashCache::new(transaction),
            spent: spent.collect(),
            knows_all_spent: inputs.iter().all(|(spent, ..)| spent.is_some()),
            inputs: (inputs.iter())
                .map(|(_, kind, map)| (*kind, place(file.bytes, map)))
                .collect(),
            transaction_bytes: bytes.len(),
            work,
        })
    }

    pub(super) fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// Whether the transaction has what the locks in an input's script ask for (BIP-0065, BIP-0112). How old the coin is, the chain knows.
    pub(super) fn meets(&self, index: usize, locks: ScriptLocks) -> bool {
        let transaction = self.cache.transaction();
        let lock_time = transaction.lock_time.to_consensus_u32();
        let is_time = |lock| lock >= LOCK_TIME_THRESHOLD;
        let is_reached = is_time(lock_time) == is_time(locks.absolute)
            && lock_time >= locks.absolute
            && transaction.input[index].sequence != Sequence::MAX;
        (locks.absolute == 0 || is_reached) && self.meets_relative(index, locks.relative)
    }

    fn meets_relative(&self, index: usize, lock: u32) -> bool {
        /// Says that a sequence is no relative lock, and in which units one is (BIP-0068).
        const DISABLED: u32 = 1 << 31;
        const SECONDS: u32 = 1 << 22;
        const VALUE: u32 = 0xffff;
        let transaction = self.cache.transaction();
        let sequence = transaction.input[index].sequence.0;
        // From version 2 on, compared as an unsigned number.
        let is_relative = !matches!(transaction.version.0, 0 | 1) && sequence & DISABLED == 0;
        let is_enough = sequence & SECONDS == lock & SECONDS && sequence & VALUE >= lock & VALUE;
        lock == 0 || is_relative && is_enough
    }

    /// Begins with another input.
    pub(super) fn begin(&mut self) {
        self.digest = None;
        self.work.next_input();
    }

    /// The verdict on one input of the file with these bytes.
    pub(super) fn input(&mut self, file: &[u8], index: usize) -> InputSignatures {
        self.begin();
        let (script_type, map) = &self.inputs[index];
        let fields = Fields::read(file.get(map.clone()).unwrap_or_default());
        let Some(script_type) = *script_type else {
            return InputSignatures::inconclusive(Reason::UnknownUtxo);
        };
        let spent = self.spent[index].clone();
        let verdict = match script_type {
            ScriptType::P2tr => self.taproot(index, &spent, &fields),
            ScriptType::OpReturn | ScriptType::P2a | ScriptType::Unknown => None,
            _ => self.older(index, &spent, script_type, &fields),
        };
        if self.work.over {
            return InputSignatures::inconclusive(Reason::UnknownScript);
        }
        verdict.unwrap_or_else(|| fields.unjudged(Reason::UnknownScript))
    }

    /// Whether an ECDSA signature, with its type at its end, is valid; none when that is unknown.
    pub(super) fn ecdsa(&mut self, code: ScriptCode<'_>, key: &[u8], sig: &[u8]) -> Option<bool> {
        let (sighash, der) = sig.split_last()?;
        self.work.check()?;
        let digest = match self.digest {
            Some((known, digest)) if known == *sighash => digest,
            _ => self.ecdsa_digest(code, *sighash)?,
        };
        self.digest = Some((*sighash, digest));
        let (Ok(key), Ok(mut signature)) =
            (PublicKey::from_slice(key), ecdsa::Signature::from_der(der))
        else {
            return Some(false);
        };
        // Consensus takes both halves of the range; libsecp256k1 only the lower one.
        signature.normalize_s();
        let message = Message::from_digest(digest);
        let verified = verifier().verify_ecdsa(&message, &signature, &key.inner);
        Some(verified.is_ok())
    }

    /// What an ECDSA signature signs. Within an input the script is always the same.
    fn ecdsa_digest(&mut self, code: ScriptCode<'_>, sighash: u8) -> Option<[u8; 32]> {
        let (index, script) = (code.index, Script::from_bytes(code.script));
        let (number, cache) = (u32::from(sighash), &mut self.cache);
        if code.is_legacy {
            self.work.hash(self.transaction_bytes + script.len())?;
            let hash = cache.legacy_signature_hash(index, script, number);
            return Some(hash.ok()?.to_byte_array());
        }
        self.work.hash(script.len())?;
        let sighash = EcdsaSighashType::from_standard(number).ok()?;
        let hash = cache.p2wsh_signature_hash(index, script, self.spent[index].value, sighash);
        Some(hash.ok()?.to_byte_array())
    }

    /// Whether a Schnorr signature is valid; none when that is unknown.
    pub(super) fn schnorr(&mut self, spend: &Spend<'_>, key: &[u8], sig: &[u8]) -> Option<bool> {
        self.work.check()?;
        self.work.hash(spend.annex.map_or(0, <[u8]>::len))?;
        let (
            Ok(key),
            Ok(taproot::Signature {
                signature,
                sighash_type,
            }),
        ) = (
            XOnlyPublicKey::from_slice(key),
            taproot::Signature::from_slice(sig),
        )
        else {
            return Some(false);
        };
        let annex = spend.annex.map(Annex::new).transpose().ok()?;
        // No code separator: the position is that of none.
        let leaf = spend.leaf.map(|leaf| (leaf, u32::MAX));
        let prevouts = Prevouts::All(&self.spent);
        let cache = &mut self.cache;
        let hash = cache.taproot_signature_hash(spend.index, &prevouts, annex, leaf, sighash_type);
        // None for SIGHASH_SINGLE without an output of the same index.
        let valid = hash.is_ok_and(|hash| {
            let message = Message::from_digest(hash.to_byte_array());
            let verified = verifier().verify_schnorr(&signature, &message, &key);
            verified.is_ok()
        });
        // BIP-0341: "if the sig is 65 bytes long, the hash_type must not be 0x00".
        Some(valid && sig.get(64) != Some(&0))
    }

    /// The first of these keys that a signature is valid with; none as well when that is too much work.
    pub(super) fn signer<'k>(
        &mut self,
        keys: &[&'k [u8]],
        mut check: impl FnMut(&mut Self, &[u8]) -> Option<bool>,
    ) -> Option<&'k [u8]> {
        for key in keys {
            if check(self, key) == Some(true) {
                return Some(key);
            }
            if self.work.over {
                break;
            }
        }
        None
    }
}

/// Where in the file a part of it is.
fn place(file: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr().wrapping_sub(file.as_ptr().addr());
    start..start.saturating_add(part.len())
}

impl Fields<'_> {
    /// Whether anything in the input may be a signature.
    pub(crate) fn has_signature(&self) -> bool {
        self.is_final()
            || !self.partial.is_empty()
            || self.tap_key_signature.is_some()
            || !self.tap_script_signatures.is_empty()
    }

    /// The verdict on an input whose script cannot be judged, for this reason if it is signed at all.
    pub(super) fn unjudged(&self, reason: Reason) -> InputSignatures {
        if self.has_signature() {
            InputSignatures::inconclusive(reason)
        } else {
            InputSignatures::with_reason(SignatureStatus::Missing, Reason::NoSignature)
        }
    }
}
