//! Signatures that an input does not need, checked against the same transaction.

use alloc::vec::Vec;

use bitcoin::hashes::Hash;
use bitcoin::taproot::TapLeafHash;

use super::taproot::leaf_hash;
use super::transaction::{ScriptCode, Spend};
use super::{Checks, InputSignatures};

/// Which digest the signatures of a script are over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Digest {
    /// As before segregated witness.
    Legacy,
    /// BIP-0143.
    Segwit,
    /// BIP-0342, with the annex of the input.
    Leaf(Option<Vec<u8>>),
}

impl Checks {
    /// What was found of the inputs so far.
    pub(crate) fn inputs(&self) -> &[InputSignatures] {
        &self.done
    }

    /// Allows the checks that so many more bytes of signatures warrant.
    pub(crate) fn warrant(&mut self, bytes: usize) {
        self.checker.work.warrant(bytes);
    }

    /// Begins with the further signatures of another input.
    pub(crate) fn begin_further(&mut self) {
        self.checker.begin();
    }

    /// Whether a signature by this key is valid for the script of an input; none when that is too much work.
    pub(crate) fn is_valid(
        &mut self,
        index: usize,
        (script, digest): (&[u8], &Digest),
        key: &[u8],
        signature: &[u8],
    ) -> Option<bool> {
        let checker = &mut self.checker;
        if let Digest::Leaf(annex) = digest {
            checker.work.hash(script.len())?;
            let spend = Spend {
                index,
                leaf: Some(TapLeafHash::from_byte_array(leaf_hash(script))),
                annex: annex.as_deref(),
            };
            return checker.schnorr(&spend, key, signature);
        }
        let code = ScriptCode {
            index,
            script,
            is_legacy: *digest == Digest::Legacy,
        };
        checker.ecdsa(code, key, signature)
    }
}
