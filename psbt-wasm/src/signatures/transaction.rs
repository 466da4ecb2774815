//! The transaction that the signatures are for, and what its inputs spend.

use alloc::vec::Vec;
use core::ops::Range;

use bitcoin::consensus::encode;
use bitcoin::secp256k1::{Message, Secp256k1, Verification, XOnlyPublicKey, ecdsa, schnorr};
use bitcoin::sighash::{Annex, EcdsaSighashType, Prevouts, SighashCache};
use bitcoin::taproot::TapLeafHash;
use bitcoin::{
    Amount, PublicKey, Script, ScriptBuf, TapSighashType, Transaction, TxOut, hashes::Hash,
};

use super::context::verifier;
use super::work::Work;
use super::{Fields, InputSignatures, Reason, ScriptType, SignatureStatus, fields};
use crate::{Error, Fault, File};

/// Checks the inputs of one transaction. It holds no reference to the file, so that it can stop between two inputs and go on later.
pub(super) struct Checker {
    cache: SighashCache<Transaction>,
    /// What the input that is looked at signs with a type of signature, for all its keys.
    digest: Option<(u8, [u8; 32])>,
    /// What each input spends, and where in the file its map is.
    inputs: Vec<(Option<TxOut>, Range<usize>)>,
    /// What all inputs spend, when all of it is known.
    spent: Option<Vec<TxOut>>,
    types: Vec<Option<ScriptType>>,
    transaction_bytes: usize,
    pub(super) work: Work,
}

/// How the hash is made that a signature of an older script signs.
#[derive(Clone, Copy)]
pub(super) enum Era<'s> {
    /// Before segregated witness: the script.
    Legacy(&'s Script),
    /// BIP-0143: the script code.
    Segwit(&'s Script),
}

impl Checker {
    pub(super) fn new(file: &File<'_>, max_checks: u32) -> Result<Self, Error> {
        let bytes = file.transaction_bytes();
        let parsed = encode::deserialize(bytes);
        let transaction: Transaction = parsed.map_err(|_| Fault::Invalid("transaction"))?;
        let count = transaction.input.len();
        let mut checker = Self {
            inputs: Vec::with_capacity(count),
            digest: None,
            cache: SighashCache::new(transaction),
            spent: None,
            types: Vec::new(),
            transaction_bytes: bytes.len(),
            work: Work::new(0, 0),
        };
        let mut signature_bytes = 0_usize;
        for (spent, script_type, map) in file.inputs()? {
            let spent = spent.map(|output| TxOut {
                value: Amount::from_sat(output.value),
                script_pubkey: ScriptBuf::from(output.script.to_vec()),
            });
            signature_bytes += fields::signature_bytes(map);
            checker.inputs.push((spent, place(file.bytes, map)));
            checker.types.push(script_type);
        }
        checker.work = Work::new(signature_bytes, max_checks);
        let mut all = Vec::with_capacity(count);
        for (spent, _) in &checker.inputs {
            all.extend(spent.clone());
        }
        checker.spent = (all.len() == count).then_some(all);
        Ok(checker)
    }

    pub(super) fn input_count(&self) -> usize {
        self.inputs.len()
    }

    /// Whether an input's sequence is what a relative lock in its script asks for (BIP-0112). How old the coin is, the chain knows.
    pub(super) fn meets(&self, index: usize, lock: u32) -> bool {
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

    /// The verdict on one input of the file with these bytes.
    pub(super) fn input(&mut self, file: &[u8], index: usize) -> InputSignatures {
        self.digest = None;
        self.work.next_input();
        let (spent, map) = &self.inputs[index];
        let fields = Fields::read(file.get(map.clone()).unwrap_or_default());
        let Some(spent) = spent.clone() else {
            return InputSignatures::inconclusive(Reason::UnknownUtxo);
        };
        let script_type = self.types[index].unwrap_or(ScriptType::Unknown);
        let verdict = match script_type {
            ScriptType::P2tr => self.taproot(index, &spent, &fields),
            ScriptType::OpReturn | ScriptType::P2a | ScriptType::Unknown => None,
            _ => self.older(index, &spent, script_type, &fields),
        };
        if self.work.over {
            return InputSignatures::inconclusive(Reason::UnknownScript);
        }
        verdict.unwrap_or_else(|| {
            if fields.has_signature() {
                InputSignatures::inconclusive(Reason::UnknownScript)
            } else {
                InputSignatures::with_reason(SignatureStatus::Missing, Reason::NoSignature)
            }
        })
    }

    /// Whether an ECDSA signature, with its type at its end, is valid; none when that is unknown.
    pub(super) fn ecdsa(
        &mut self,
        index: usize,
        era: Era<'_>,
        key: &[u8],
        signature: &[u8],
    ) -> Option<bool> {
        let (sighash, der) = signature.split_last()?;
        self.work.check()?;
        let digest = match self.digest {
            Some((known, digest)) if known == *sighash => digest,
            _ => self.ecdsa_digest(index, era, *sighash)?,
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
    fn ecdsa_digest(&mut self, index: usize, era: Era<'_>, sighash: u8) -> Option<[u8; 32]> {
        let number = u32::from(sighash);
        let hash = match era {
            Era::Legacy(script) => {
                self.work.hash(self.transaction_bytes + script.len())?;
                let hash = self.cache.legacy_signature_hash(index, script, number);
                hash.ok()?.to_byte_array()
            }
            Era::Segwit(script) => {
                self.work.hash(script.len())?;
                let sighash = EcdsaSighashType::from_standard(number).ok()?;
                let value = self.inputs[index].0.as_ref()?.value;
                let hash = self
                    .cache
                    .p2wsh_signature_hash(index, script, value, sighash);
                hash.ok()?.to_byte_array()
            }
        };
        Some(hash)
    }

    /// Whether a Schnorr signature is valid; none when that is unknown.
    pub(super) fn schnorr(
        &mut self,
        index: usize,
        leaf: Option<TapLeafHash>,
        annex: Option<&[u8]>,
        key: &[u8],
        signature: &[u8],
    ) -> Option<bool> {
        self.work.check()?;
        self.work.hash(annex.map_or(0, <[u8]>::len))?;
        let spent = self.spent.as_ref()?;
        let (signature, sighash) = match signature.len() {
            64 => (signature, TapSighashType::Default),
            // BIP-0341: "if the sig is 65 bytes long, the hash_type must not be 0x00".
            65 if signature[64] != 0 => {
                let Ok(sighash) = TapSighashType::from_consensus_u8(signature[64]) else {
                    return Some(false);
                };
                (&signature[..64], sighash)
            }
            _ => return Some(false),
        };
        let annex = annex.map(Annex::new).transpose().ok()?;
        // No code separator: the position is that of none.
        let leaf = leaf.map(|leaf| (leaf, u32::MAX));
        let prevouts = Prevouts::All(spent);
        let hash = self
            .cache
            .taproot_signature_hash(index, &prevouts, annex, leaf, sighash);
        let Ok(hash) = hash else {
            // SIGHASH_SINGLE without an output of the same index.
            return Some(false);
        };
        let (Ok(key), Ok(signature)) = (
            XOnlyPublicKey::from_slice(key),
            schnorr::Signature::from_slice(signature),
        ) else {
            return Some(false);
        };
        let message = Message::from_digest(hash.to_byte_array());
        Some(verify_schnorr(&verifier(), &signature, &message, &key))
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

    /// Whether what all inputs spend is known, which taproot signatures commit to.
    pub(super) fn knows_all_spent(&self) -> bool {
        self.spent.is_some()
    }
}

/// Where in the file a part of it is.
fn place(file: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr().addr().wrapping_sub(file.as_ptr().addr());
    start..start.saturating_add(part.len())
}

fn verify_schnorr<C: Verification>(
    secp: &Secp256k1<C>,
    signature: &schnorr::Signature,
    message: &Message,
    key: &XOnlyPublicKey,
) -> bool {
    secp.verify_schnorr(signature, message, key).is_ok()
}

impl Fields<'_> {
    /// Whether anything in the input may be a signature.
    pub(super) fn has_signature(&self) -> bool {
        self.is_final()
            || !self.partial.is_empty()
            || self.tap_key_signature.is_some()
            || !self.tap_script_signatures.is_empty()
    }
}
