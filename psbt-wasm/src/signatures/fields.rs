//! What a PSBT input says about its signatures.

use alloc::vec::Vec;

use crate::read::cursor::Cursor;
use crate::read::fields::input;

/// The fields of one input that signatures need.
#[derive(Debug, Default)]
pub(crate) struct Fields<'a> {
    /// Keys and signatures.
    pub(crate) partial: Vec<(&'a [u8], &'a [u8])>,
    /// The type of signatures that the input asks for.
    pub(crate) sighash: Option<u32>,
    pub(crate) redeem_script: Option<&'a [u8]>,
    pub(crate) witness_script: Option<&'a [u8]>,
    pub(crate) final_script_sig: &'a [u8],
    pub(crate) final_witness: Vec<&'a [u8]>,
    pub(crate) tap_key_signature: Option<&'a [u8]>,
    /// Key, leaf hash, signature.
    pub(crate) tap_script_signatures: Vec<(&'a [u8], &'a [u8], &'a [u8])>,
    /// Control block, script and version of leaves.
    pub(crate) tap_leaves: Vec<(&'a [u8], &'a [u8], u8)>,
}

impl<'a> Fields<'a> {
    /// The map has been walked over before, so there is no error that could end the loop early.
    pub(crate) fn read(map: &'a [u8]) -> Self {
        let mut fields = Self::default();
        let mut cursor = Cursor::new(map);
        while let Ok(Some(pair)) = cursor.next_pair() {
            let key = pair.key_data();
            match pair.field() {
                input::PARTIAL_SIG => fields.partial.push((key, pair.value)),
                input::SIGHASH_TYPE => fields.sighash = pair.u32().ok(),
                input::REDEEM_SCRIPT => fields.redeem_script = Some(pair.value),
                input::WITNESS_SCRIPT => fields.witness_script = Some(pair.value),
                input::FINAL_SCRIPTSIG => fields.final_script_sig = pair.value,
                input::FINAL_SCRIPTWITNESS => fields.final_witness = elements(pair.value),
                input::TAP_KEY_SIG => fields.tap_key_signature = Some(pair.value),
                input::TAP_SCRIPT_SIG => {
                    let (key, leaf) = key.split_at(32.min(key.len()));
                    fields.tap_script_signatures.push((key, leaf, pair.value));
                }
                input::TAP_LEAF_SCRIPT => {
                    if let Some((version, script)) = pair.value.split_last() {
                        fields.tap_leaves.push((key, script, *version));
                    }
                }
                _ => {}
            }
        }
        fields
    }

    pub(crate) fn is_final(&self) -> bool {
        !self.final_script_sig.is_empty() || !self.final_witness.is_empty()
    }
}

/// How many bytes of an input's map are signatures, or final fields, which have some.
pub(super) fn signature_bytes(map: &[u8]) -> usize {
    let mut bytes = 0;
    let mut cursor = Cursor::new(map);
    while let Ok(Some(pair)) = cursor.next_pair() {
        let is_signed = matches!(
            pair.field(),
            input::PARTIAL_SIG
                | input::FINAL_SCRIPTSIG
                | input::FINAL_SCRIPTWITNESS
                | input::TAP_KEY_SIG
                | input::TAP_SCRIPT_SIG
        );
        if is_signed {
            bytes += pair.raw.len();
        }
    }
    bytes
}

/// Splits a serialized witness into its stack elements.
pub(crate) fn elements(witness: &[u8]) -> Vec<&[u8]> {
    let mut cursor = Cursor::new(witness);
    let count = cursor.compact_size().unwrap_or_default();
    (0..count).map_while(|_| cursor.bytes().ok()).collect()
}
