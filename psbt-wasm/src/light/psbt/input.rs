//! What one input says.

use super::{SIGNED_MESSAGE, Walk, v2};
use crate::cursor::Pair;
use crate::light::fields::{self, PROPRIETARY, bare};
use crate::light::scripts;
use crate::light::transaction::{Tx, TxOut};
use crate::{Malformed, ScriptType, Signatures};

/// `PSBT_IN_BIP32_DERIVATION`.
pub(crate) const DERIVATION: u8 = 0x06;
/// `PSBT_IN_TAP_BIP32_DERIVATION`.
pub(crate) const TAP_DERIVATION: u8 = 0x16;

/// The signature hash type that commits to everything, as ECDSA signatures state it; 0 is taproot's.
const SIGHASH_ALL: u32 = 1;

/// What one input says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input<'a> {
    pub(crate) witness_utxo: Option<TxOut<'a>>,
    /// The position of its previous transaction in [`Psbt::previous`](super::Psbt).
    pub(crate) previous: Option<usize>,
    pub(crate) redeem_script: Option<&'a [u8]>,
    pub(crate) final_script_sig: Option<&'a [u8]>,
    final_witness: bool,
    signed: bool,
    /// What the signatures are to commit to: the first type that is not ALL or DEFAULT, wherever it is stated.
    pub(crate) sighash: Option<u32>,
    /// The map, with the zero byte at its end.
    pub(crate) map: &'a [u8],
}

impl<'a> Input<'a> {
    /// Takes one field, after looking at it.
    #[inline]
    pub(super) fn take(&mut self, pair: &Pair<'a>, walk: &mut Walk<'a>) -> Result<(), Malformed> {
        match pair.field() {
            0x00 => {
                let previous = fields::transaction(pair)?;
                let kept = is_kept_previous(&previous);
                walk.private.previous_transactions += usize::from(!kept);
                self.previous = Some(walk.previous.len());
                walk.previous.push(previous);
                Ok(())
            }
            0x01 => {
                self.witness_utxo = Some(fields::output(pair)?);
                Ok(())
            }
            0x02 => {
                fields::partial_signature(pair, walk.keys)?;
                self.signed_with(pair.value.last());
                Ok(())
            }
            0x03 => {
                bare(pair)?;
                self.note_sighash(pair.u32("signature hash type")?);
                Ok(())
            }
            0x04 => {
                self.redeem_script = Some(pair.value);
                bare(pair)
            }
            0x05 => bare(pair),
            DERIVATION => {
                walk.points.has_long_key(pair);
                let origin = fields::derivation(pair, walk.keys)?;
                walk.private.derivation_paths += usize::from(origin);
                Ok(())
            }
            0x07 => {
                self.final_script_sig = Some(pair.value);
                bare(pair)
            }
            0x08 => {
                self.final_witness = fields::witness(pair)? > 0;
                Ok(())
            }
            0x0a..=0x0d => fields::preimage(pair),
            0x13 => {
                self.signed_with(pair.value.get(64));
                fields::tap_key_signature(pair)
            }
            0x14 => {
                self.signed_with(pair.value.get(64));
                fields::tap_script_signature(pair, walk.keys)
            }
            0x15 => fields::tap_leaf_script(pair, walk.keys),
            TAP_DERIVATION => {
                let origin = fields::tap_derivation(pair, walk.keys)?;
                walk.private.derivation_paths += usize::from(origin);
                Ok(())
            }
            0x17 => fields::x_only_key(pair, walk.keys),
            0x18 => fields::merkle_root(pair),
            PROPRIETARY => {
                walk.private.proprietary += 1;
                fields::proprietary(pair)
            }
            SIGNED_MESSAGE => Ok(()),
            field => {
                walk.private.unknown += 1;
                walk.allowed(!v2::INPUT_FIELDS.contains(&field))
            }
        }
    }

    pub(super) fn finish(&mut self, map: &'a [u8]) {
        self.map = map;
    }

    fn signed_with(&mut self, sighash: Option<&u8>) {
        self.signed = true;
        // BIP-0341: a signature without the byte is of the type DEFAULT, which is 0.
        self.note_sighash(sighash.copied().unwrap_or_default().into());
    }

    fn note_sighash(&mut self, sighash: u32) {
        if self.sighash.is_none_or(|noted| noted <= SIGHASH_ALL) {
            self.sighash = Some(sighash);
        }
    }

    pub(crate) fn signatures(&self) -> Signatures {
        let script_sig = self.final_script_sig.unwrap_or_default();
        if !script_sig.is_empty() || self.final_witness {
            Signatures::Final
        } else if self.signed {
            Signatures::Partial
        } else {
            Signatures::None
        }
    }

    /// The kind of the script that it spends.
    pub(crate) fn script_type(&self, script: &[u8]) -> ScriptType {
        scripts::kind_spent(script, self.redeem_script, self.final_script_sig)
    }
}

/// Whether a previous transaction is BIP-0322's virtual `to_spend`, which is on no chain, so that nobody else
/// could say which script its output has. Only that one survives stripping.
pub(crate) fn is_kept_previous(tx: &Tx<'_>) -> bool {
    tx.version == 0
        && tx.lock_time == 0
        && tx.input_count == 1
        && tx.output_count == 1
        && tx.inputs().all(|input| is_null(input.outpoint))
        && tx.outputs().all(|output| output.value == 0)
}

/// The outpoint of a coinbase transaction.
pub(crate) fn is_null(outpoint: &[u8; 36]) -> bool {
    let (txid, vout) = outpoint.split_at(32);
    txid.iter().all(|byte| *byte == 0) && vout.iter().all(|byte| *byte == 0xff)
}
