//! Taproot (BIP-0341, BIP-0342): the key, or one of the leaves.

use alloc::{vec, vec::Vec};

use bitcoin::secp256k1::XOnlyPublicKey;
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash};
use bitcoin::{Script, TxOut, hashes::Hash};

use super::context::verifier;
use super::scripts::chosen;
use super::template;
use super::transaction::{Checker, Spend};
use super::{Fields, InputSignatures, Reason, Signature, SignatureStatus};
use crate::read::duplicates::positions;

/// The version of leaves that BIP-0342 gives a meaning to.
pub(crate) const TAPSCRIPT: u8 = 0xc0;
/// BIP-0341: the first byte of an annex.
const ANNEX: u8 = 0x50;

impl Checker {
    /// None for what cannot be looked into.
    pub(super) fn taproot(
        &mut self,
        index: usize,
        spent: &TxOut,
        fields: &Fields<'_>,
    ) -> Option<InputSignatures> {
        if !fields.has_signature() {
            return None;
        }
        if !self.knows_all_spent {
            return Some(InputSignatures::inconclusive(Reason::UnknownUtxo));
        }
        let output_key = spent.script_pubkey.as_bytes().get(2..)?;
        if fields.is_final() {
            let spend = Spend::of_input(index);
            return self.final_taproot(spend, output_key, &fields.final_witness);
        }
        let mut verdict = self.unfinished(index, output_key, fields);
        if verdict.reason == Some(Reason::WrongSignature)
            && self.lacks_type(index, output_key, fields)
        {
            verdict.reason = Some(Reason::SighashByteMissing);
        }
        Some(verdict)
    }

    fn unfinished(
        &mut self,
        index: usize,
        output_key: &[u8],
        fields: &Fields<'_>,
    ) -> InputSignatures {
        let spend = Spend::of_input(index);
        match fields.tap_key_signature {
            Some(signature) => self.key_spend(&spend, output_key, signature),
            None => self.leaves(spend, output_key, fields),
        }
    }

    /// Whether the signatures would be right with the byte of the type that the input asks for.
    fn lacks_type(&mut self, index: usize, output_key: &[u8], fields: &Fields<'_>) -> bool {
        let asked = fields.sighash.and_then(|asked| u8::try_from(asked).ok());
        let Some(asked @ 1..) = asked else {
            return false;
        };
        let typed = |signature: &[u8]| match signature.len() {
            64 => [signature, &[asked]].concat(),
            _ => signature.to_vec(),
        };
        let of_key = fields.tap_key_signature.map(typed);
        let of_leaves = fields.tap_script_signatures.iter();
        let of_leaves: Vec<_> = of_leaves.map(|(.., signature)| typed(signature)).collect();
        let repaired = (fields.tap_script_signatures.iter()).zip(&of_leaves);
        let repaired = Fields {
            tap_key_signature: of_key.as_deref(),
            tap_script_signatures: repaired
                .map(|((key, leaf, _), signature)| (*key, *leaf, &signature[..]))
                .collect(),
            tap_leaves: fields.tap_leaves.clone(),
            ..Fields::default()
        };
        let status = self.unfinished(index, output_key, &repaired).status;
        matches!(status, SignatureStatus::Valid | SignatureStatus::Incomplete)
    }

    fn key_spend(&mut self, spend: &Spend<'_>, key: &[u8], signature: &[u8]) -> InputSignatures {
        let valid = self.schnorr(spend, key, signature);
        InputSignatures::judge(1, vec![signature_of(key, signature, valid)])
    }

    fn final_taproot<'s>(
        &mut self,
        mut spend: Spend<'s>,
        output_key: &[u8],
        witness: &[&'s [u8]],
    ) -> Option<InputSignatures> {
        let (witness, annex) = match witness {
            [rest @ .., annex @ [ANNEX, ..]] if !rest.is_empty() => (rest, Some(*annex)),
            _ => (witness, None),
        };
        spend.annex = annex;
        let (stack, script, control) = match witness {
            [] => return None,
            [signature] => return Some(self.key_spend(&spend, output_key, signature)),
            [stack @ .., script, control] => (stack, *script, *control),
        };
        // A commitment takes as long as a signature.
        self.work.check()?;
        if !commits(output_key, control, script) {
            return Some(InputSignatures::invalid(Reason::WrongScript));
        }
        if control[0] & 0xfe != TAPSCRIPT {
            return None;
        }
        spend.leaf = Some(tap_leaf_hash(script));
        Some(self.final_leaf(&spend, script, stack))
    }

    fn final_leaf(&mut self, spend: &Spend<'_>, script: &[u8], stack: &[&[u8]]) -> InputSignatures {
        let branches = template::branches(script, |key| key.len() == 32);
        let (template, stack) = match &branches {
            Some(branches) => match chosen(branches, stack) {
                Some((template, rest)) => (Some(template.clone()), rest),
                None => (None, stack),
            },
            None => (template::of_leaf(script), stack),
        };
        let Some(template) = template else {
            return self.unknown_leaf(spend, script, stack);
        };
        if !self.meets(spend.index, template.locks) {
            return InputSignatures::invalid(Reason::LockNotMet);
        }
        if stack.len() != template.keys.len() {
            return InputSignatures::invalid(Reason::WrongSignature);
        }
        // The key that is checked first takes what is on top of the stack.
        let pairs = template.keys.iter().zip(stack.iter().rev());
        let signatures: Vec<Signature> = pairs
            .filter(|(_, signature)| !signature.is_empty())
            .map(|(key, signature)| {
                let valid = self.schnorr(spend, key, signature);
                signature_of(key, signature, valid)
            })
            .collect();
        let count = signatures.len();
        let mut input = InputSignatures::judge(template.needed, signatures);
        if input.status != SignatureStatus::Inconclusive && count != template.needed {
            input.status = SignatureStatus::Invalid;
            input.reason = Some(Reason::WrongSignature);
        }
        input
    }

    /// Whatever looks like a signature is tried with whatever looks like a key.
    fn unknown_leaf(
        &mut self,
        spend: &Spend<'_>,
        script: &[u8],
        stack: &[&[u8]],
    ) -> InputSignatures {
        let (mut keys, separated) = template::keys_in(script, |length| length == 32);
        keys.extend(stack.iter().filter(|element| element.len() == 32));
        let mut signatures = Vec::new();
        let candidates = stack
            .iter()
            .filter(|element| matches!(element.len(), 64 | 65) && !separated);
        for signature in candidates {
            let signer = self.signer(&keys, |checker, key| checker.schnorr(spend, key, signature));
            signatures.extend(signer.map(|key| signature_of(key, signature, Some(true))));
            if self.work.over {
                break;
            }
        }
        InputSignatures {
            signatures,
            ..InputSignatures::inconclusive(Reason::UnknownScript)
        }
    }

    /// Signatures of leaves before the input is finalized: the best leaf decides, a wrong signature before all.
    fn leaves(
        &mut self,
        mut spend: Spend<'_>,
        output_key: &[u8],
        fields: &Fields<'_>,
    ) -> InputSignatures {
        let mut best: Option<InputSignatures> = None;
        let mut known = 0;
        for (control, script, version) in &fields.tap_leaves {
            // Each leaf is hashed, and compared with the leaf of each signature.
            let compared = 32 * fields.tap_script_signatures.len();
            if self.work.hash(script.len() + compared).is_none() {
                break;
            }
            let hash = tap_leaf_hash(script);
            let own = fields.tap_script_signatures.iter();
            let own = own.filter(|(_, leaf, _)| *leaf == hash.as_byte_array());
            let own: Vec<_> = own.collect();
            if own.is_empty() || *version != TAPSCRIPT {
                continue;
            }
            known += own.len();
            if self.work.check().is_none() {
                break;
            }
            if !commits(output_key, control, script) {
                return InputSignatures::invalid(Reason::WrongScript);
            }
            let (named, separated) = template::keys_in(script, |length| length == 32);
            if separated {
                continue;
            }
            let template = template::of_leaf(script);
            let template = template.filter(|template| self.meets(spend.index, template.locks));
            let keys: Vec<&[u8]> = own.iter().map(|(key, _, _)| *key).collect();
            spend.leaf = Some(hash);
            let own = own.into_iter().zip(positions(&keys, &named));
            let signatures = own.map(|((key, _, signature), position)| {
                let fits = template.is_none() || position.is_some();
                let valid = fits.then(|| self.schnorr(&spend, key, signature));
                Signature {
                    key: fits.then(|| key.to_vec()),
                    ..signature_of(key, signature, valid.flatten())
                }
            });
            let signatures = signatures.collect();
            let verdict = match &template {
                Some(template) => InputSignatures::judge(template.needed, signatures),
                None => InputSignatures::judge_unknown(signatures),
            };
            if best.as_ref().is_none_or(|best| rank(&verdict) > rank(best)) {
                best = Some(verdict);
            }
        }
        best.unwrap_or_else(|| {
            InputSignatures::inconclusive(if known < fields.tap_script_signatures.len() {
                Reason::ScriptMissing
            } else {
                Reason::UnknownScript
            })
        })
    }
}

/// Which of several leaves says most about an input.
fn rank(input: &InputSignatures) -> Option<usize> {
    use SignatureStatus::{Incomplete, Inconclusive, Invalid, Missing, Valid};
    let ranks = [Missing, Inconclusive, Incomplete, Valid, Invalid];
    ranks.iter().position(|status| *status == input.status)
}

fn tap_leaf_hash(script: &[u8]) -> TapLeafHash {
    TapLeafHash::from_script(Script::from_bytes(script), LeafVersion::TapScript)
}

/// The hash of a tapscript leaf (BIP-341).
pub(crate) fn leaf_hash(script: &[u8]) -> [u8; 32] {
    tap_leaf_hash(script).to_byte_array()
}

/// Whether the output commits to a script, by its control block.
fn commits(output_key: &[u8], control: &[u8], script: &[u8]) -> bool {
    let (Ok(control), Ok(key)) = (
        ControlBlock::decode(control),
        XOnlyPublicKey::from_slice(output_key),
    ) else {
        return false;
    };
    control.verify_taproot_commitment(&verifier(), key, Script::from_bytes(script))
}

/// A signature that was found; 64 bytes without a type are of the type DEFAULT.
fn signature_of(key: &[u8], signature: &[u8], valid: Option<bool>) -> Signature {
    Signature {
        key: Some(key.to_vec()),
        valid,
        sighash: signature.get(64).copied().unwrap_or_default(),
    }
}
