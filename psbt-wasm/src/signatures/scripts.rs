//! Scripts older than taproot.

use alloc::{vec, vec::Vec};

use bitcoin::hashes::{Hash, hash160, sha256};
use bitcoin::{PubkeyHash, Script, ScriptBuf, TxOut};

use super::template::{self, Template, is_key};
use super::transaction::{Checker, Era};
use super::{Fields, InputSignatures, Reason, ScriptType, Signature, SignatureStatus};
use crate::script::{Instruction, instructions};

/// A spend of an older kind: the script, what signs it, and what satisfies it.
struct Spend<'s> {
    script: &'s [u8],
    segwit: bool,
    /// The stack that a finalized input leaves for the script.
    stack: Option<Vec<&'s [u8]>>,
}

impl Checker {
    /// None for a script that cannot be looked into.
    pub(super) fn older(
        &mut self,
        index: usize,
        spent: &TxOut,
        script_type: ScriptType,
        fields: &Fields<'_>,
    ) -> Option<InputSignatures> {
        let output = spent.script_pubkey.as_bytes();
        let legacy_stack = fields
            .is_final()
            .then(|| pushes(fields.final_script_sig))
            .flatten();
        let witness_stack = fields.is_final().then(|| fields.final_witness.clone());
        match script_type {
            ScriptType::P2pkh => {
                let hash = &output[3..23];
                let script = output.to_vec();
                Some(self.key_hash(index, hash, &script, false, legacy_stack, fields))
            }
            ScriptType::P2wpkh | ScriptType::P2shP2wpkh => {
                let hash = match script_type {
                    ScriptType::P2wpkh => output[2..].to_vec(),
                    _ => nested_program(fields)?,
                };
                let hash = PubkeyHash::from_slice(&hash).ok()?;
                let script = ScriptBuf::new_p2pkh(&hash).into_bytes();
                let hash = hash.to_byte_array();
                Some(self.key_hash(index, &hash, &script, true, witness_stack, fields))
            }
            ScriptType::P2pk | ScriptType::P2ms => {
                let spend = Spend {
                    script: output,
                    segwit: false,
                    stack: legacy_stack,
                };
                Some(self.script(index, &spend, fields))
            }
            ScriptType::P2wsh | ScriptType::P2shP2wsh => {
                let program = match script_type {
                    ScriptType::P2wsh => output[2..].to_vec(),
                    _ => nested_program(fields)?,
                };
                let mut stack = witness_stack;
                let script = revealed(&mut stack, fields.witness_script);
                let matches =
                    |script: &[u8]| sha256::Hash::hash(script).as_byte_array() == &program[..];
                Some(self.hashed(index, script, matches, true, stack, fields))
            }
            ScriptType::P2sh => {
                let hash = &output[2..22];
                let mut stack = legacy_stack;
                let script = revealed(&mut stack, fields.redeem_script);
                let matches = |script: &[u8]| hash160::Hash::hash(script).as_byte_array() == hash;
                Some(self.hashed(index, script, matches, false, stack, fields))
            }
            _ => None,
        }
    }

    /// A script that the output has the hash of.
    fn hashed(
        &mut self,
        index: usize,
        script: Option<&[u8]>,
        matches: impl Fn(&[u8]) -> bool,
        segwit: bool,
        stack: Option<Vec<&[u8]>>,
        fields: &Fields<'_>,
    ) -> InputSignatures {
        let Some(script) = script else {
            return if fields.has_signature() {
                InputSignatures::inconclusive(Reason::ScriptMissing)
            } else {
                InputSignatures::with_reason(SignatureStatus::Missing, Reason::NoSignature)
            };
        };
        if !matches(script) {
            return InputSignatures::with_reason(SignatureStatus::Invalid, Reason::WrongScript);
        }
        let spend = Spend {
            script,
            segwit,
            stack,
        };
        self.script(index, &spend, fields)
    }

    /// A single key of which the output has the hash.
    fn key_hash(
        &mut self,
        index: usize,
        hash: &[u8],
        script: &[u8],
        segwit: bool,
        stack: Option<Vec<&[u8]>>,
        fields: &Fields<'_>,
    ) -> InputSignatures {
        let script = Script::from_bytes(script);
        let era = if segwit {
            Era::Segwit(script)
        } else {
            Era::Legacy(script)
        };
        let candidates = match &stack {
            Some(stack) => match stack[..] {
                [signature, key] => vec![(key, signature)],
                _ => {
                    return InputSignatures::with_reason(
                        SignatureStatus::Invalid,
                        Reason::WrongSignature,
                    );
                }
            },
            None => fields.partial.clone(),
        };
        let signatures = candidates
            .into_iter()
            .map(|(key, signature)| {
                let fits = hash160::Hash::hash(key).as_byte_array() == hash;
                let valid = fits.then(|| self.ecdsa(index, era, key, signature));
                found(fits.then_some(key), signature, valid.flatten())
            })
            .collect();
        InputSignatures::judge(1, signatures)
    }

    fn script(&mut self, index: usize, spend: &Spend<'_>, fields: &Fields<'_>) -> InputSignatures {
        let template = template::of_script(spend.script);
        let template = template.filter(|template| self.meets(index, template.lock));
        match (template, &spend.stack) {
            (Some(template), None) => self.partial(index, spend, &template, fields),
            (Some(template), Some(stack)) => self.finished(index, spend, &template, stack),
            (None, _) => self.unknown(index, spend, fields),
        }
    }

    /// Signatures of keys, before the input is finalized.
    fn partial(
        &mut self,
        index: usize,
        spend: &Spend<'_>,
        template: &Template<'_>,
        fields: &Fields<'_>,
    ) -> InputSignatures {
        let signatures = fields
            .partial
            .iter()
            .map(|(key, signature)| {
                let fits = template.keys.contains(key);
                let valid = fits.then(|| self.ecdsa(index, spend.era(), key, signature));
                found(fits.then_some(*key), signature, valid.flatten())
            })
            .collect();
        InputSignatures::judge(template.needed, signatures)
    }

    /// A final input: exactly as many signatures as needed, in the order of the keys.
    fn finished(
        &mut self,
        index: usize,
        spend: &Spend<'_>,
        template: &Template<'_>,
        stack: &[&[u8]],
    ) -> InputSignatures {
        let wrong =
            || InputSignatures::with_reason(SignatureStatus::Invalid, Reason::WrongSignature);
        let is_multisig = template.is_multisig;
        let given = match stack {
            // OP_CHECKMULTISIG takes one element too many, which must be empty.
            [dummy, rest @ ..] if is_multisig && dummy.is_empty() => rest,
            _ if is_multisig => return wrong(),
            rest => rest,
        };
        if given.len() != template.needed {
            return wrong();
        }
        let mut keys = template.keys.iter();
        let signatures = given
            .iter()
            .map(|signature| {
                let key =
                    keys.find(|key| self.ecdsa(index, spend.era(), key, signature) == Some(true));
                Signature {
                    key: key.or(template.keys.first()).map(|key| key.to_vec()),
                    ..found(None, signature, Some(key.is_some()))
                }
            })
            .collect();
        InputSignatures::judge(template.needed, signatures)
    }

    /// Whatever looks like a signature is tried with whatever looks like a key.
    fn unknown(&mut self, index: usize, spend: &Spend<'_>, fields: &Fields<'_>) -> InputSignatures {
        let (mut keys, separated) =
            template::keys_in(spend.script, |length| matches!(length, 33 | 65));
        if separated {
            return InputSignatures::inconclusive(Reason::UnknownScript);
        }
        let mut signatures = Vec::new();
        for (key, signature) in &fields.partial {
            let valid = self.ecdsa(index, spend.era(), key, signature);
            signatures.push(found(Some(key), signature, valid));
        }
        let stack = spend.stack.as_deref().unwrap_or_default();
        keys.extend(stack.iter().filter(|element| is_key(element)));
        for signature in stack.iter().filter(|element| is_signature(element)) {
            let signer = self.signer(&keys, |checker, key| {
                checker.ecdsa(index, spend.era(), key, signature)
            });
            if let Some(key) = signer {
                signatures.push(found(Some(key), signature, Some(true)));
            }
            if self.work.over {
                break;
            }
        }
        match InputSignatures::judge_unknown(signatures) {
            missing if missing.status == SignatureStatus::Missing && spend.stack.is_some() => {
                InputSignatures::inconclusive(Reason::UnknownScript)
            }
            input => input,
        }
    }
}

impl<'s> Spend<'s> {
    fn era(&self) -> Era<'s> {
        let script = Script::from_bytes(self.script);
        if self.segwit {
            Era::Segwit(script)
        } else {
            Era::Legacy(script)
        }
    }
}

/// A signature that was found, with its type at its end.
fn found(key: Option<&[u8]>, signature: &[u8], valid: Option<bool>) -> Signature {
    Signature {
        key: key.map(<[u8]>::to_vec),
        valid,
        sighash: signature.last().copied().unwrap_or_default(),
    }
}

/// By its form: DER, and the type.
fn is_signature(element: &[u8]) -> bool {
    element.first() == Some(&0x30) && (9..=73).contains(&element.len())
}

/// What a script signature pushes; none when it does anything else.
fn pushes(script: &[u8]) -> Option<Vec<&[u8]>> {
    let mut pushes = Vec::new();
    for instruction in instructions(script) {
        let Some(Instruction::Push(bytes)) = instruction else {
            return None;
        };
        pushes.push(bytes);
    }
    Some(pushes)
}

/// The script, which a final input has at the end of its stack.
fn revealed<'s>(stack: &mut Option<Vec<&'s [u8]>>, field: Option<&'s [u8]>) -> Option<&'s [u8]> {
    match stack {
        Some(stack) => stack.pop(),
        None => field,
    }
}

/// The witness program that a nested output has the hash of; that hash has been compared.
fn nested_program(fields: &Fields<'_>) -> Option<Vec<u8>> {
    let redeem = match fields.redeem_script {
        Some(redeem) => redeem,
        None => crate::script::last_push(fields.final_script_sig)?,
    };
    Some(redeem.get(2..)?.to_vec())
}
