//! Scripts older than taproot.

use alloc::{vec, vec::Vec};

use bitcoin::hashes::Hash;
use bitcoin::{PubkeyHash, ScriptBuf, TxOut};

use super::template::{self, Template, is_key};
use super::transaction::{Checker, ScriptCode};
use super::{Fields, InputSignatures, Reason, ScriptType, Signature};
use crate::hash::{hash160, sha256};
use crate::script::{instructions, last_push};

/// A spend of an older kind.
struct Spend<'s> {
    code: ScriptCode<'s>,
    fields: &'s Fields<'s>,
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
        use ScriptType::{P2ms, P2pk, P2pkh, P2sh, P2shP2wpkh, P2shP2wsh, P2wpkh};
        let output = spent.script_pubkey.as_bytes();
        let is_legacy = matches!(script_type, P2pk | P2pkh | P2ms | P2sh);
        let mut stack = match fields.is_final() {
            true if is_legacy => pushes(fields.final_script_sig),
            true => Some(fields.final_witness.clone()),
            false => None,
        };
        // The witness program that a nested output has the hash of; that hash has been compared.
        let program = match script_type {
            P2shP2wpkh | P2shP2wsh => {
                let in_script_sig = || last_push(fields.final_script_sig);
                fields.redeem_script.or_else(in_script_sig)?
            }
            _ => output,
        };
        let of_key;
        let script = match script_type {
            P2pk | P2pkh | P2ms => output,
            P2wpkh | P2shP2wpkh => {
                let hash = PubkeyHash::from_slice(program.get(2..)?).ok()?;
                of_key = ScriptBuf::new_p2pkh(&hash);
                of_key.as_bytes()
            }
            _ => {
                let field = if is_legacy {
                    fields.redeem_script
                } else {
                    fields.witness_script
                };
                // A final input has the script at the end of its stack.
                let script = stack.as_mut().map_or(field, Vec::pop);
                let Some(script) = script else {
                    return Some(fields.unjudged(Reason::ScriptMissing));
                };
                let fits = if is_legacy {
                    output[2..22] == hash160(script)
                } else {
                    program[2..] == sha256(&[script])
                };
                if !fits {
                    return Some(InputSignatures::invalid(Reason::WrongScript));
                }
                script
            }
        };
        let code = ScriptCode {
            index,
            script,
            is_legacy,
        };
        let spend = Spend {
            code,
            fields,
            stack,
        };
        Some(match script_type {
            P2pkh | P2wpkh | P2shP2wpkh => self.key_hash(&spend, &script[3..23]),
            _ => self.script(&spend),
        })
    }

    /// A single key of which the output has the hash.
    fn key_hash(&mut self, spend: &Spend<'_>, hash: &[u8]) -> InputSignatures {
        let candidates = match spend.stack.as_deref() {
            Some([signature, key]) => vec![(*key, *signature)],
            Some(_) => return InputSignatures::invalid(Reason::WrongSignature),
            None => spend.fields.partial.clone(),
        };
        self.judge_keys(spend, 1, &candidates, &|key| *hash == hash160(key))
    }

    fn script(&mut self, spend: &Spend<'_>) -> InputSignatures {
        let template = template::of_script(spend.code.script);
        let meets = |locks| self.meets(spend.code.index, locks);
        match (template, &spend.stack) {
            (Some(Template { locks, .. }), Some(_)) if !meets(locks) => {
                InputSignatures::invalid(Reason::LockNotMet)
            }
            (Some(template), Some(stack)) => self.finished(spend, &template, stack),
            (
                Some(Template {
                    needed,
                    keys,
                    locks,
                    ..
                }),
                None,
            ) if meets(locks) => {
                let partial = &spend.fields.partial;
                self.judge_keys(spend, needed, partial, &|key| keys.contains(&key))
            }
            _ => {
                let branches = template::branches(spend.code.script, is_key);
                match branches.and_then(|branches| self.branch(spend, &branches)) {
                    Some(verdict) => verdict,
                    None => self.unknown(spend),
                }
            }
        }
    }

    /// One key in either of two branches; none if the file has no final stack, and a signature for a branch whose lock is not met.
    fn branch(
        &mut self,
        spend: &Spend<'_>,
        branches: &[Template<'_>; 2],
    ) -> Option<InputSignatures> {
        let meets = |template: &&Template<'_>| self.meets(spend.code.index, template.locks);
        let Some(stack) = &spend.stack else {
            let partial = &spend.fields.partial;
            let is_signed = |branch: &&Template<'_>| {
                let mut signers = partial.iter().map(|(key, _)| *key);
                signers.any(|key| key == branch.keys[0])
            };
            if branches
                .iter()
                .filter(is_signed)
                .any(|branch| !meets(&branch))
            {
                return None;
            }
            let is_named = |key: &[u8]| branches.iter().any(|branch| branch.keys[0] == key);
            return Some(self.judge_keys(spend, 1, partial, &is_named));
        };
        let (chosen, stack) = chosen(branches, stack)?;
        if !meets(&chosen) {
            return Some(InputSignatures::invalid(Reason::LockNotMet));
        }
        Some(self.finished(spend, chosen, stack))
    }

    /// Checks the candidates, of which the script needs `needed` valid signatures by keys that fit.
    fn judge_keys(
        &mut self,
        spend: &Spend<'_>,
        needed: usize,
        candidates: &[(&[u8], &[u8])],
        fits: &dyn Fn(&[u8]) -> bool,
    ) -> InputSignatures {
        let signatures = candidates.iter().map(|(key, signature)| {
            let key = fits(key).then_some(*key);
            let valid = key.and_then(|key| self.ecdsa(spend.code, key, signature));
            signature_of(key, signature, valid)
        });
        InputSignatures::judge(needed, signatures.collect())
    }

    /// A final input: exactly as many signatures as needed, in the order of the keys.
    fn finished(
        &mut self,
        spend: &Spend<'_>,
        template: &Template<'_>,
        stack: &[&[u8]],
    ) -> InputSignatures {
        let given = match stack {
            // OP_CHECKMULTISIG takes one element too many, which must be empty.
            [[], rest @ ..] if template.is_multisig => rest,
            rest if !template.is_multisig => rest,
            _ => return InputSignatures::invalid(Reason::WrongSignature),
        };
        if given.len() != template.needed {
            return InputSignatures::invalid(Reason::WrongSignature);
        }
        let mut keys = template.keys.iter();
        let signatures = given.iter().map(|signature| {
            let key = keys.find(|key| self.ecdsa(spend.code, key, signature) == Some(true));
            let shown = key.or(template.keys.first()).copied();
            signature_of(shown, signature, Some(key.is_some()))
        });
        InputSignatures::judge(template.needed, signatures.collect())
    }

    /// Whatever looks like a signature is tried with whatever looks like a key.
    fn unknown(&mut self, spend: &Spend<'_>) -> InputSignatures {
        let (mut keys, separated) =
            template::keys_in(spend.code.script, |length| matches!(length, 33 | 65));
        if separated {
            return InputSignatures::inconclusive(Reason::UnknownScript);
        }
        let mut signatures = Vec::new();
        for (key, signature) in &spend.fields.partial {
            let valid = self.ecdsa(spend.code, key, signature);
            signatures.push(signature_of(Some(key), signature, valid));
        }
        let stack = spend.stack.as_deref().unwrap_or_default();
        keys.extend(stack.iter().filter(|element| is_key(element)));
        for signature in stack.iter().filter(|element| is_signature(element)) {
            let signer = self.signer(&keys, |checker, key| {
                checker.ecdsa(spend.code, key, signature)
            });
            signatures.extend(signer.map(|key| signature_of(Some(key), signature, Some(true))));
            if self.work.over {
                break;
            }
        }
        if signatures.is_empty() && spend.stack.is_some() {
            return InputSignatures::inconclusive(Reason::UnknownScript);
        }
        InputSignatures::judge_unknown(signatures)
    }
}

/// The branch that the top of a stack chooses, and the rest of the stack. The top is 1 or nothing (BIP-0342; policy before).
pub(super) fn chosen<'t, 's, 'a>(
    [first, second]: &'t [Template<'a>; 2],
    stack: &'s [&'s [u8]],
) -> Option<(&'t Template<'a>, &'s [&'s [u8]])> {
    match stack {
        [rest @ .., [1]] => Some((first, rest)),
        [rest @ .., []] => Some((second, rest)),
        _ => None,
    }
}

/// A signature that was found, with its type at its end.
fn signature_of(key: Option<&[u8]>, signature: &[u8], valid: Option<bool>) -> Signature {
    Signature {
        key: key.map(<[u8]>::to_vec),
        valid,
        sighash: signature.last().copied().unwrap_or_default(),
    }
}

/// By its form: DER, and the type.
pub(crate) fn is_signature(element: &[u8]) -> bool {
    element.first() == Some(&0x30) && (9..=73).contains(&element.len())
}

/// What a script signature pushes; none when it does anything else.
fn pushes(script: &[u8]) -> Option<Vec<&[u8]>> {
    let mut pushes = Vec::new();
    for instruction in instructions(script) {
        pushes.push(instruction?.pushed()?);
    }
    Some(pushes)
}
