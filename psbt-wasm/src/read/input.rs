//! What one input says.

use super::checks::Value;
use super::cursor::Pair;
use super::fields::input as field;
use super::transaction::{Tx, TxOut};
use crate::{ScriptType, Signatures, script};

/// The signature hash type that commits to everything, as ECDSA signatures state it; 0 is taproot's.
pub(crate) const SIGHASH_ALL: u32 = 1;

/// What one input says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Input<'a> {
    pub(crate) witness_utxo: Option<TxOut<'a>>,
    /// The position of its previous transaction in [`Psbt::previous`](super::maps::Psbt).
    pub(crate) previous: Option<usize>,
    pub(crate) redeem_script: Option<&'a [u8]>,
    pub(crate) final_script_sig: Option<&'a [u8]>,
    /// How long the final witness is; 0 if it has no elements.
    pub(crate) final_witness: usize,
    signed: bool,
    /// What the signatures are to commit to: the first type that is not ALL or DEFAULT, wherever it is stated.
    pub(crate) sighash: Option<u32>,
    /// The map, with the zero byte at its end.
    pub(crate) map: &'a [u8],
}

impl<'a> Input<'a> {
    /// Takes a field that has been looked at.
    #[inline]
    pub(super) fn take(&mut self, pair: &Pair<'a>, value: &Value<'a>) {
        match (pair.field(), value) {
            (_, Value::Output(output)) => self.witness_utxo = Some(*output),
            (_, Value::SighashType(sighash)) => self.note_sighash(*sighash),
            (_, Value::Count(elements)) => {
                self.final_witness = if *elements > 0 { pair.value.len() } else { 0 };
            }
            (field::PARTIAL_SIG, _) => self.signed_with(pair.value.last()),
            (field::TAP_KEY_SIG | field::TAP_SCRIPT_SIG, _) => {
                self.signed_with(pair.value.get(64));
            }
            (field::REDEEM_SCRIPT, _) => self.redeem_script = Some(pair.value),
            (field::FINAL_SCRIPTSIG, _) => self.final_script_sig = Some(pair.value),
            _ => {}
        }
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
        if !script_sig.is_empty() || self.final_witness > 0 {
            Signatures::Final
        } else if self.signed {
            Signatures::Partial
        } else {
            Signatures::None
        }
    }

    /// The kind of the script that it spends.
    pub(crate) fn script_type(&self, script: &[u8]) -> ScriptType {
        script::kind_spent(script, self.redeem_script, self.final_script_sig)
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
