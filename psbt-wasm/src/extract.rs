//! The final transaction of a signed file (BIP-174, Input Finalizer and Transaction Extractor).

use alloc::{vec, vec::Vec};

use bitcoin::consensus::{deserialize, serialize};
use bitcoin::script::PushBytesBuf;
use bitcoin::{ScriptBuf, Transaction, Witness};

use crate::hash::hash160;
use crate::read::duplicates::positions;
use crate::signatures::template;
use crate::signatures::{Fields, TAPSCRIPT, leaf_hash};
use crate::{Error, File, Keys, MakeError, ScriptType, decode};

/// Script signature and witness of an input.
type Final = (ScriptBuf, Stack);

/// What satisfies a script, the top last.
type Stack = Vec<Vec<u8>>;

/// The final transaction of a signed file. Inputs that are not final are finalized if their script is one key, m of n keys, or a
/// tapscript of these; the wallet must finalize others.
///
/// Finalizing is not verifying: [`check_signatures`](crate::check_signatures) says whether signatures are valid.
///
/// # Errors
/// Those of [`decode`] and of [`Binary::read`](crate::Binary::read) with [`Keys::Curve`];
/// [`MakeError::NotSigned`] for an input that lacks signatures or has another script, [`MakeError::SighashMismatch`] and
/// [`MakeError::SighashByteMissing`] for one whose signatures are not of the type that it asks for.
pub fn extract(bytes: &[u8]) -> Result<Vec<u8>, Error> {
    let binary = decode(bytes)?;
    let file = binary.read(Keys::Curve)?;
    finalized(&file)
}

pub(crate) fn finalized(file: &File<'_>) -> Result<Vec<u8>, Error> {
    if let Some(input) = file.unsigned_input()? {
        return Err(MakeError::NotSigned { input }.into());
    }
    if file.psbt.is_none() {
        return Ok(file.bytes.to_vec());
    }
    let parsed = deserialize(file.transaction_bytes());
    let mut transaction: Transaction = parsed.map_err(|_| crate::Fault::Invalid("transaction"))?;
    let inputs = transaction.input.iter_mut().zip(file.inputs()?);
    for (index, (input, (spent, kind, map))) in inputs.enumerate() {
        let fields = Fields::read(map);
        let spent = spent.map_or(&[][..], |output| output.script);
        check_sighashes(index, &fields)?;
        let (script_sig, witness) =
            finalize(kind, spent, &fields).ok_or(MakeError::NotSigned { input: index })?;
        input.script_sig = script_sig;
        input.witness = Witness::from_slice(&witness);
    }
    Ok(serialize(&transaction))
}

impl File<'_> {
    /// Checks that what is to be finalized has no signature of another type than its input asks for (BIP-0174, Input Finalizer).
    ///
    /// # Errors
    /// [`MakeError::SighashMismatch`] and [`MakeError::SighashByteMissing`].
    pub fn check_sighash_types(&self) -> Result<(), Error> {
        if self.psbt.is_some() {
            for (index, (_, _, map)) in self.inputs()?.into_iter().enumerate() {
                check_sighashes(index, &Fields::read(map))?;
            }
        }
        Ok(())
    }
}

/// BIP-0174, Input Finalizer, and BIP-0371: signatures are of the type that the input asks for.
fn check_sighashes(input: usize, fields: &Fields<'_>) -> Result<(), MakeError> {
    let Some(asked) = fields.sighash.filter(|_| !fields.is_final()) else {
        return Ok(());
    };
    let ecdsa = fields.partial.iter().map(|(_, signature)| *signature);
    let is_other = |signature: &[u8]| signature.last().map(|byte| u32::from(*byte)) != Some(asked);
    if ecdsa.into_iter().any(is_other) {
        return Err(MakeError::SighashMismatch { input });
    }
    let leaves = fields.tap_script_signatures.iter();
    let leaves = leaves.map(|(_, _, signature)| *signature);
    for signature in fields.tap_key_signature.into_iter().chain(leaves) {
        match signature.get(64) {
            None if asked != 0 => return Err(MakeError::SighashByteMissing { input }),
            Some(byte) if u32::from(*byte) != asked => {
                return Err(MakeError::SighashMismatch { input });
            }
            _ => {}
        }
    }
    Ok(())
}

fn finalize(kind: Option<ScriptType>, spent: &[u8], fields: &Fields<'_>) -> Option<Final> {
    if fields.is_final() {
        let witness = fields.final_witness.iter().map(|element| element.to_vec());
        return Some((fields.final_script_sig.to_vec().into(), witness.collect()));
    }
    let kind = kind?;
    let is_nested = matches!(kind, ScriptType::P2shP2wpkh | ScriptType::P2shP2wsh);
    let program = if is_nested {
        fields.redeem_script?
    } else {
        spent
    };
    let (stack, is_segwit) = match kind {
        ScriptType::P2pkh => (signed_by(spent.get(3..23)?, fields)?, false),
        ScriptType::P2wpkh | ScriptType::P2shP2wpkh => {
            (signed_by(program.get(2..)?, fields)?, true)
        }
        ScriptType::P2pk | ScriptType::P2ms => (satisfied(spent, fields)?, false),
        ScriptType::P2sh => (revealed(fields.redeem_script?, fields)?, false),
        ScriptType::P2wsh | ScriptType::P2shP2wsh => {
            (revealed(fields.witness_script?, fields)?, true)
        }
        ScriptType::P2tr => match fields.tap_key_signature {
            Some(signature) => (vec![signature.to_vec()], true),
            None => (leaf(fields)?, true),
        },
        _ => return None,
    };
    Some(match is_segwit {
        true if is_nested => (pushes(vec![program.to_vec()])?, stack),
        true => (ScriptBuf::new(), stack),
        false => (pushes(stack)?, Vec::new()),
    })
}

/// The signature of the key with this hash, and the key.
fn signed_by(hash: &[u8], fields: &Fields<'_>) -> Option<Stack> {
    let mut signatures = fields.partial.iter();
    let (key, signature) = signatures.find(|(key, _)| hash160(key) == *hash)?;
    Some(vec![signature.to_vec(), key.to_vec()])
}

/// What a script wants on its stack, and the script, which the output has the hash of.
fn revealed(script: &[u8], fields: &Fields<'_>) -> Option<Stack> {
    let mut stack = satisfied(script, fields)?;
    stack.push(script.to_vec());
    Some(stack)
}

/// What a script older than tapscript wants on its stack.
fn satisfied(script: &[u8], fields: &Fields<'_>) -> Option<Stack> {
    let template = template::of_script(script)?;
    // OP_CHECKMULTISIG takes one element too many.
    let extra = usize::from(template.is_multisig);
    let mut stack = vec![Vec::new(); extra];
    let signed = template.keys.iter().filter_map(|key| {
        let mut signatures = fields.partial.iter();
        let found = signatures.find(|(signer, _)| signer == key);
        found.map(|(_, signature)| signature.to_vec())
    });
    stack.extend(signed.take(template.needed));
    (stack.len() == extra + template.needed).then_some(stack)
}

/// The witness of the first leaf that has enough signatures. Each list is walked once, because it may be as long as the file.
fn leaf(fields: &Fields<'_>) -> Option<Stack> {
    let leaves = fields.tap_leaves.iter();
    let leaves: Vec<_> = leaves
        .filter(|(_, _, version)| *version == TAPSCRIPT)
        .collect();
    let hashes: Vec<_> = leaves
        .iter()
        .map(|(_, script, _)| leaf_hash(script))
        .collect();
    let hashes: Vec<&[u8]> = hashes.iter().map(|hash| &hash[..]).collect();
    let signatures = &fields.tap_script_signatures;
    let signed: Vec<&[u8]> = signatures.iter().map(|(_, leaf, _)| *leaf).collect();
    let mut keys = vec![Vec::new(); leaves.len()];
    let mut values = vec![Vec::new(); leaves.len()];
    for ((key, _, signature), leaf) in signatures.iter().zip(positions(&signed, &hashes)) {
        if let Some(leaf) = leaf {
            keys[leaf].push(*key);
            values[leaf].push(*signature);
        }
    }
    let mut leaves = leaves.iter().zip(keys.iter().zip(&values));
    leaves.find_map(|((control, script, _), (keys, signatures))| {
        let mut stack = satisfied_leaf(script, keys, signatures)?;
        stack.extend([script.to_vec(), control.to_vec()]);
        Some(stack)
    })
}

/// What a leaf wants on its stack, with the signatures of these keys.
fn satisfied_leaf(script: &[u8], keys: &[&[u8]], signatures: &[&[u8]]) -> Option<Stack> {
    let template = template::of_leaf(script)?;
    let mut count = 0;
    let mut stack = Vec::with_capacity(template.keys.len() + 2);
    for position in positions(&template.keys, keys) {
        let signature = position.filter(|_| count < template.needed);
        count += usize::from(signature.is_some());
        stack.push(signature.map_or_else(Vec::new, |at| signatures[at].to_vec()));
    }
    // The key that is checked first takes what is on top of the stack.
    stack.reverse();
    (count == template.needed).then_some(stack)
}

/// A script that pushes these elements, each with the shortest push.
pub(crate) fn pushes(elements: Stack) -> Option<ScriptBuf> {
    let mut script = ScriptBuf::new();
    for element in elements {
        script.push_slice(PushBytesBuf::try_from(element).ok()?);
    }
    Some(script)
}
