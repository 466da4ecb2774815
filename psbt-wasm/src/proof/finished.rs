//! A final transaction and what it spends, as one file; and what consensus asks of its form.

use alloc::vec::Vec;

use bitcoin::consensus::serialize;
use bitcoin::{Transaction, TxIn, TxOut};

use crate::ScriptType;
use crate::read::fields::input;
use crate::script::kind_spent;
use crate::signatures::{InputSignatures, Reason, SignatureReport};
use crate::write::{begin, put};

/// The longest that a script may push (Core's `MAX_SCRIPT_ELEMENT_SIZE`), and so the longest redeem script.
const MAX_PUSH_BYTES: usize = 520;

/// The PSBT of version 0, every input final, of which the transaction is the end; with what the inputs spend, [`TxOut::NULL`] where that
/// is unknown. Field by field, because the types of the `bitcoin`
/// crate would make the module a tenth larger.
pub fn psbt(mut transaction: Transaction, spent: &[TxOut]) -> Vec<u8> {
    let mut inputs = Vec::new();
    for (txin, coin) in transaction.input.iter_mut().zip(spent) {
        let script_sig = core::mem::take(&mut txin.script_sig).into_bytes();
        let witness = core::mem::take(&mut txin.witness);
        if *coin != TxOut::NULL {
            put(&mut inputs, input::WITNESS_UTXO, &[], &serialize(coin));
        }
        if !script_sig.is_empty() {
            put(&mut inputs, input::FINAL_SCRIPTSIG, &[], &script_sig);
        }
        if !witness.is_empty() {
            let witness = serialize(&witness);
            put(&mut inputs, input::FINAL_SCRIPTWITNESS, &[], &witness);
        }
        inputs.push(0);
    }
    let mut file = begin(&serialize(&transaction));
    file.push(0);
    file.extend(inputs);
    file.resize(file.len() + transaction.output.len(), 0);
    file
}

/// The verdicts of a reader of PSBTs, which looks at the fields that a script needs, made those of a reader of transactions, in
/// which everything else must be empty: no valid signature makes up for what consensus refuses.
pub(crate) fn strict(mut report: SignatureReport, forms: &[bool]) -> SignatureReport {
    for (verdict, has_form) in report.inputs.iter_mut().zip(forms) {
        if !has_form {
            *verdict = InputSignatures::invalid(Reason::WrongForm);
        }
    }
    report
}

/// Whether signatures stand where consensus looks for them, and nothing stands elsewhere.
pub(crate) fn has_form(input: &TxIn, coin: &TxOut) -> bool {
    let (script_sig, has_witness) = (input.script_sig.as_bytes(), !input.witness.is_empty());
    match kind_spent(coin.script_pubkey.as_bytes(), None, Some(script_sig)) {
        // BIP-0141: "the scriptSig must be exactly empty or validation fails".
        ScriptType::P2wpkh | ScriptType::P2wsh | ScriptType::P2tr => script_sig.is_empty(),
        // BIP-0141: "the scriptSig must be exactly a push of the BIP16 redeemScript". Its last push is that script.
        ScriptType::P2shP2wpkh => script_sig.len() == 1 + 22 && script_sig[0] == 22,
        ScriptType::P2shP2wsh => script_sig.len() == 1 + 34 && script_sig[0] == 34,
        // BIP-0141: a witness where no witness program is makes a transaction invalid.
        ScriptType::P2sh => !has_witness && pushes_are_short(script_sig),
        _ => !has_witness,
    }
}

fn pushes_are_short(script: &[u8]) -> bool {
    crate::script::last_push(script).is_none_or(|redeem| redeem.len() <= MAX_PUSH_BYTES)
}
