//! Encodes transactions as files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{Psbt, ScriptBuf, Transaction, Witness};

use super::Coin;

/// Bytes in the encoding of clients.
pub(crate) fn text(bytes: impl AsRef<[u8]>) -> String {
    STANDARD.encode(bytes)
}

/// A signed transaction as a final PSBT without data on its coins.
pub(crate) fn finished(transaction: &Transaction) -> Psbt {
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        input.script_sig = ScriptBuf::new();
        input.witness = Witness::new();
    }
    let mut psbt = Psbt::from_unsigned_tx(unsigned).expect("unsigned");
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        let (script_sig, witness) = (input.script_sig.clone(), input.witness.clone());
        fields.final_script_sig = (!script_sig.is_empty()).then_some(script_sig);
        fields.final_script_witness = (!witness.is_empty()).then_some(witness);
    }
    psbt
}

/// The same with the outputs that it spends.
pub(crate) fn stated(transaction: &Transaction, coins: &[Coin]) -> Psbt {
    let mut psbt = finished(transaction);
    for (fields, coin) in psbt.inputs.iter_mut().zip(coins) {
        fields.witness_utxo = Some(coin.output.clone());
    }
    psbt
}
