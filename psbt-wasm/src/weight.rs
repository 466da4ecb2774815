//! How heavy the signed transaction is (BIP-0141): exact for final inputs, by the kind of the script for others.

use crate::read::File;
use crate::read::cursor::Cursor;
use crate::read::fields::input as field;
use crate::read::input::Input;
use crate::read::transaction::Tx;
use crate::script::{multisig, push_prefix};
use crate::{InputReport, ScriptType, Signatures};

/// A DER signature of the usual length, with its type.
const SIGNATURE: usize = 72;
/// A compressed key.
const KEY: usize = 33;
/// The script of a silent payment that has none yet is taproot's.
const TAPROOT_SCRIPT: usize = 34;

/// What an input adds to the unsigned transaction: bytes of its script signature, and of its witness.
struct Size {
    script_sig: usize,
    witness: usize,
}

impl File<'_> {
    /// None when an input is of a kind whose size cannot be estimated.
    pub(crate) fn weight(&self, tx: &Tx<'_>, reports: &[InputReport<'_>]) -> Option<usize> {
        let Some(psbt) = &self.psbt else {
            return Some(tx.weight());
        };
        let (mut base, mut witnesses, mut without) = (0, 0, 0);
        for (input, report) in psbt.inputs.iter().zip(reports) {
            let size = size(input, report)?;
            base += size.script_sig + compact_size(size.script_sig) - 1;
            witnesses += size.witness;
            without += usize::from(size.witness == 0);
        }
        let unknown = tx.outputs().filter(|output| output.script.is_empty());
        let silent = psbt.silent.len().min(unknown.count());
        // The marker, the flag, and an empty witness for each input that has none.
        let segwit = if witnesses > 0 { 2 + without } else { 0 };
        Some(tx.weight() + 4 * (base + silent * TAPROOT_SCRIPT) + witnesses + segwit)
    }
}

#[inline(never)]
fn size(input: &Input<'_>, report: &InputReport<'_>) -> Option<Size> {
    if report.signatures == Signatures::Final {
        return Some(Size {
            script_sig: input.final_script_sig.map_or(0, <[u8]>::len),
            witness: input.final_witness,
        });
    }
    // The number of elements, and each after its length.
    let single = 1 + 1 + SIGNATURE + 1 + KEY;
    let (script_sig, witness) = match report.script_type? {
        ScriptType::P2pk => (1 + SIGNATURE, 0),
        ScriptType::P2pkh => (1 + SIGNATURE + 1 + KEY, 0),
        ScriptType::P2wpkh => (0, single),
        // A push of the witness program.
        ScriptType::P2shP2wpkh => (1 + 22, single),
        ScriptType::P2tr => (0, 1 + 1 + 64 + usize::from(report.sighash > Some(0))),
        ScriptType::P2ms => (signatures(report.script_pubkey?)?, 0),
        ScriptType::P2sh => {
            let redeem = input.redeem_script?;
            let push = push_prefix(redeem.len()) + redeem.len();
            (signatures(redeem)? + push, 0)
        }
        kind @ (ScriptType::P2wsh | ScriptType::P2shP2wsh) => {
            let script = Cursor::new(input.map).find(field::WITNESS_SCRIPT)?;
            let nested = if kind == ScriptType::P2wsh { 0 } else { 1 + 34 };
            let revealed = compact_size(script.len()) + script.len();
            (nested, 1 + signatures(script)? + revealed)
        }
        _ => return None,
    };
    Some(Size {
        script_sig,
        witness,
    })
}

/// The signatures of a multisig, each after its length, and the element that it takes too many.
fn signatures(script: &[u8]) -> Option<usize> {
    Some(1 + usize::from(multisig(script)?) * (1 + SIGNATURE))
}

/// Bytes of a length as a compact size.
fn compact_size(length: usize) -> usize {
    match length {
        0..=0xfc => 1,
        0xfd..=0xffff => 3,
        _ => 5,
    }
}
