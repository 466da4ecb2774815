//! What the proof's file says about a coin: in its input, and in the output that pays back to its script.

use alloc::vec::Vec;

use bitcoin::Script;
use bitcoin::consensus::serialize;

use super::coins::Coin;
use crate::ScriptType;
use crate::error::Map;
use crate::hash::{hash160, sha256};
use crate::read::cursor::Cursor;
use crate::read::fields::{Field, Making, input};
use crate::read::transaction::TxOut;
use crate::script::{kind, last_push};
use crate::signatures::elements;
use crate::write::{each_field, put};

impl<'a> Coin<'a> {
    /// Whether its signatures are in a witness; none where a redeem script would tell, and is missing.
    pub(super) fn is_segwit(&self) -> Option<bool> {
        match self.kind {
            ScriptType::P2shP2wpkh | ScriptType::P2shP2wsh => Some(true),
            ScriptType::P2sh if self.redeem_script().is_none() => None,
            _ => Some(Script::from_bytes(self.spent.script).is_witness_program()),
        }
    }

    /// Whether its input has `PSBT_IN_WITNESS_UTXO`: no other than that of a witness may (BIP-0174), and Ledger and Sparrow refuse it.
    fn shows_output(&self) -> bool {
        self.is_segwit()
            .unwrap_or_else(|| self.input.witness_utxo.is_some())
    }

    /// Appends its input map.
    pub(super) fn write_input(&self, file: &mut Vec<u8>) {
        if let Some(previous) = self.previous {
            put(file, input::NON_WITNESS_UTXO, &[], previous);
        }
        self.write_output_spent(self.spent.value, file);
        self.write_kept(file);
        file.push(0);
    }

    /// Appends the output that is spent, with this value, where the input shows it.
    pub(super) fn write_output_spent(&self, value: u64, file: &mut Vec<u8>) {
        if self.shows_output() {
            let spent = TxOut {
                value,
                ..self.spent
            };
            let spent = serialize(&bitcoin::TxOut::from(spent));
            put(file, input::WITNESS_UTXO, &[], &spent);
        }
    }

    /// Appends the fields that any input with its script may have.
    pub(super) fn write_kept(&self, file: &mut Vec<u8>) {
        self.each_kept(&mut |field, key_data, value| put(file, field.number, key_data, value));
    }

    /// Appends what its input says about the output that pays back to its script, without the end of the map.
    pub(super) fn write_output(&self, file: &mut Vec<u8>) {
        self.each_kept(&mut |field, key_data, value| {
            if let Making::StaysWithOutput(number) = field.making {
                put(file, number, key_data, value);
            }
        });
    }

    /// Gives what says whose its script is, and what the script is made of: the field, the rest of its key, and its value.
    pub(super) fn each_kept(&self, take: &mut dyn FnMut(&'static Field, &'a [u8], &'a [u8])) {
        let mut has_witness_script = false;
        each_field(&mut self.map(), Map::Input(self.at), &mut |field, pair| {
            if matches!(field.making, Making::Stays | Making::StaysWithOutput(_)) {
                has_witness_script |= field.number == input::WITNESS_SCRIPT;
                take(field, pair.key_data(), pair.value);
            }
        });
        // Finalizing removes the script fields (BIP-0174, Input Finalizer); the final scripts still contain these scripts.
        let redeem = self.redeem_script();
        let redeem = redeem.filter(|_| self.input.redeem_script.is_none());
        let witness = (!has_witness_script).then(|| self.final_witness_script());
        for (number, script) in [
            (input::REDEEM_SCRIPT, redeem),
            (input::WITNESS_SCRIPT, witness.flatten()),
        ] {
            if let Some(script) = script {
                take(input::FIELDS.numbered(number), &[], script);
            }
        }
    }

    /// The redeem script that its script is the hash of.
    fn redeem_script(&self) -> Option<&'a [u8]> {
        let in_script_sig = || last_push(self.input.final_script_sig?);
        let redeem = self.input.redeem_script.or_else(in_script_sig)?;
        let script = self.spent.script;
        (kind(script) == ScriptType::P2sh && script[2..22] == hash160(redeem)).then_some(redeem)
    }

    /// The witness script in a final witness.
    fn final_witness_script(&self) -> Option<&'a [u8]> {
        let program = match self.kind {
            ScriptType::P2wsh => self.spent.script,
            ScriptType::P2shP2wsh => self.redeem_script()?,
            _ => return None,
        };
        let witness = self.map().find(input::FINAL_SCRIPTWITNESS)?;
        let script = elements(witness).pop()?;
        (program[2..] == sha256(&[script])).then_some(script)
    }

    fn map(&self) -> Cursor<'a> {
        Cursor::new(self.input.map)
    }
}
