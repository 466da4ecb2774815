//! Inputs that several cosigners have finalized, each with other signatures: the first one's stay, and what the others signed is kept beside.

use alloc::vec::Vec;

use bitcoin::{ScriptBuf, TxIn, TxOut, Witness};

use crate::proof::Revealed;
use crate::read::decode;
use crate::read::fields::input;
use crate::signatures::{Checks, Fields, InputSignatures, leaf_hash};
use crate::write::put;
use crate::{Error, File};

/// The most signature checks of all files: those of 2,000 inputs of 3 keys in two files, about half a second.
const MAX_CHECKS: usize = 12_000;

/// The fields of an input that have the signatures of later final files.
pub(super) struct Kept {
    pub(super) input: usize,
    /// Key and whole field of each.
    pub(super) fields: Vec<(Vec<u8>, Vec<u8>)>,
}

/// For each input that files over one transaction have finalized differently: the valid signatures of all but the first. An input is left out
/// when they cannot be matched with keys, for example because its script is unusual.
pub(super) fn kept(files: &[File<'_>]) -> Result<Vec<Kept>, Error> {
    let inputs: Vec<_> = files.iter().map(File::inputs).collect::<Result<_, _>>()?;
    let mut kept: Vec<Kept> = Vec::new();
    let mut left = MAX_CHECKS;
    let count = inputs.first().map_or(0, Vec::len);
    let mut verdicts: Vec<Option<Vec<InputSignatures>>> = Vec::new();
    verdicts.resize(files.len(), None);
    for index in 0..count {
        let mut first: Option<(&[u8], Vec<&[u8]>)> = None;
        let mut fields = Vec::new();
        let mut is_known = true;
        for (file, own) in inputs.iter().enumerate() {
            let Some((spent, _, map)) = own.get(index) else {
                continue;
            };
            let read = Fields::read(map);
            if !read.is_final() {
                continue;
            }
            let this = (read.final_script_sig, read.final_witness);
            match &first {
                None => first = Some(this),
                Some(first) if *first == this => {}
                Some(_) => {
                    let verdicts = match &mut verdicts[file] {
                        Some(verdicts) => verdicts,
                        none => none.insert(verdicts_on(&files[file], &mut left)?),
                    };
                    let found = spent.and_then(|spent| {
                        signatures(&this, &TxOut::from(spent), verdicts.get(index)?)
                    });
                    is_known &= found.is_some();
                    fields.extend(found.unwrap_or_default());
                }
            }
        }
        if is_known && !fields.is_empty() {
            kept.push(Kept {
                input: index,
                fields,
            });
        }
    }
    Ok(kept)
}

/// The verdicts on the inputs of a file.
fn verdicts_on(file: &File<'_>, left: &mut usize) -> Result<Vec<InputSignatures>, Error> {
    let max_checks = u32::try_from(*left).unwrap_or(u32::MAX);
    let mut checks = Checks::new(decode(file.bytes.to_vec())?, max_checks)?;
    while checks.go_on() {}
    let report = checks.into_report();
    *left = left.saturating_sub(report.checks);
    Ok(report.inputs)
}

/// The signatures in final fields as the fields of an input that is not final, if all of them are valid and their keys are known.
fn signatures(
    (script_sig, witness): &(&[u8], Vec<&[u8]>),
    spent: &TxOut,
    verdict: &InputSignatures,
) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let input = TxIn {
        script_sig: ScriptBuf::from(script_sig.to_vec()),
        witness: Witness::from_slice(witness),
        ..TxIn::default()
    };
    let mut signers = Vec::new();
    for signature in &verdict.signatures {
        if signature.valid != Some(true) {
            return None;
        }
        signers.push(signature.key.as_deref()?);
    }
    let revealed = Revealed::of(&input, spent)?;
    let (script, _) = revealed.signs();
    let mut fields = Vec::new();
    for (key, signature) in revealed.signatures(&input, &signers)? {
        let (number, key) = match key.len() {
            32 => (
                input::TAP_SCRIPT_SIG,
                [key, leaf_hash(script)[..].to_vec()].concat(),
            ),
            _ => (input::PARTIAL_SIG, key),
        };
        let mut field = Vec::new();
        put(&mut field, number, &key, &signature);
        fields.push(([&[number][..], &key[..]].concat(), field));
    }
    Some(fields)
}
