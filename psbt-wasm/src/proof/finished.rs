//! A final transaction and what it spends, as one file; and what consensus asks of its form.

use alloc::vec::Vec;

use super::PublishedCoin;
use crate::ScriptType;
use crate::read::fields::input;
use crate::read::transaction::{Tx, TxIn, TxOut};
use crate::read::version2::push_count;
use crate::script::kind_spent;
use crate::signatures::{InputSignatures, Reason, SignatureReport, SignatureStatus};
use crate::write::{begin, output, put};

/// The longest that a script may push (Core's `MAX_SCRIPT_ELEMENT_SIZE`), and so the longest redeem script.
const MAX_PUSH_BYTES: usize = 520;

/// An input, and what it spends.
pub(super) struct Spend<'a> {
    pub(super) txin: TxIn<'a>,
    witness: &'a [u8],
    pub(super) coin: PublishedCoin<'a>,
}

/// The PSBT of version 0, every input final, of which the transaction is the end.
pub(super) fn psbt(transaction: &Tx<'_>, spends: &[Spend<'_>]) -> Vec<u8> {
    let mut file = begin(&unsigned(transaction, spends));
    file.push(0);
    for Spend {
        txin,
        witness,
        coin,
    } in spends
    {
        let (value, script) = (coin.value, coin.script);
        put(
            &mut file,
            input::WITNESS_UTXO,
            &[],
            &output(TxOut { value, script }),
        );
        if !txin.script_sig.is_empty() {
            put(&mut file, input::FINAL_SCRIPTSIG, &[], txin.script_sig);
        }
        if has_elements(witness) {
            put(&mut file, input::FINAL_SCRIPTWITNESS, &[], witness);
        }
        file.push(0);
    }
    file.resize(file.len() + transaction.output_count, 0);
    file
}

fn unsigned(transaction: &Tx<'_>, spends: &[Spend<'_>]) -> Vec<u8> {
    let mut bytes = Vec::from(transaction.version.to_le_bytes());
    push_count(&mut bytes, spends.len());
    for Spend { txin, .. } in spends {
        bytes.extend(txin.outpoint);
        bytes.push(0);
        bytes.extend(txin.sequence.to_le_bytes());
    }
    push_count(&mut bytes, transaction.output_count);
    bytes.extend(transaction.output_bytes());
    bytes.extend(transaction.lock_time.to_le_bytes());
    bytes
}

/// Each input with its witness and its coin. There are as many of all.
pub(super) fn spends<'a>(transaction: &Tx<'a>, coins: &[PublishedCoin<'a>]) -> Vec<Spend<'a>> {
    let mut witnesses = transaction.witnesses();
    let mut spends = Vec::with_capacity(coins.len());
    for (txin, coin) in transaction.inputs().zip(coins) {
        spends.push(Spend {
            txin,
            // A transaction without witnesses has none for any input.
            witness: witnesses.next().unwrap_or_default(),
            coin: *coin,
        });
    }
    spends
}

fn has_elements(witness: &[u8]) -> bool {
    witness.first().is_some_and(|count| *count > 0)
}

/// The verdicts of a reader of PSBTs, which looks at the fields that a script needs, made those of a reader of transactions, in
/// which everything else must be empty: no valid signature makes up for what consensus refuses.
pub(super) fn strict(mut report: SignatureReport, forms: &[bool]) -> SignatureReport {
    for (verdict, has_form) in report.inputs.iter_mut().zip(forms) {
        if !has_form {
            *verdict = InputSignatures::with_reason(SignatureStatus::Invalid, Reason::WrongForm);
        }
    }
    report
}

/// Whether signatures stand where consensus looks for them, and nothing stands elsewhere.
pub(super) fn has_form(spend: &Spend<'_>) -> bool {
    let (script, script_sig, witness) = (spend.coin.script, spend.txin.script_sig, spend.witness);
    match kind_spent(script, None, Some(script_sig)) {
        // BIP-0141: "the scriptSig must be exactly empty or validation fails".
        ScriptType::P2wpkh | ScriptType::P2wsh | ScriptType::P2tr => script_sig.is_empty(),
        // BIP-0141: "the scriptSig must be exactly a push of the BIP16 redeemScript". Its last push is that script.
        ScriptType::P2shP2wpkh => script_sig.len() == 1 + 22 && script_sig[0] == 22,
        ScriptType::P2shP2wsh => script_sig.len() == 1 + 34 && script_sig[0] == 34,
        // BIP-0141: a witness where no witness program is makes a transaction invalid.
        ScriptType::P2sh => !has_elements(witness) && pushes_are_short(script_sig),
        _ => !has_elements(witness),
    }
}

fn pushes_are_short(script: &[u8]) -> bool {
    crate::script::last_push(script).is_none_or(|redeem| redeem.len() <= MAX_PUSH_BYTES)
}
