//! The parts of a report.

use std::collections::BTreeMap;

use bitcoin::bip32::KeySource;
use bitcoin::key::XOnlyPublicKey;
use bitcoin::psbt::Input;
use bitcoin::secp256k1::PublicKey;
use bitcoin::taproot::TapLeafHash;
use bitcoin::{Address, Amount, Network, Psbt, ScriptBuf, Transaction, TxIn, TxOut};

use psbt_wasm::{PrivateFields, Signatures};

use super::Refused;
use super::format::{Content, ProofFile};
use super::hashed_key::is_origin;
use super::report::{InputReport, OutputReport};
use super::script_type;
use super::strip::{is_kept_previous, is_kept_unknown};
use super::utxo::spent_output;

pub(super) fn psbt_inputs(psbt: &Psbt, network: Network) -> Result<Vec<InputReport>, Refused> {
    let pairs = psbt.inputs.iter().zip(&psbt.unsigned_tx.input);
    pairs
        .enumerate()
        .map(|(index, (input, txin))| psbt_input(index, input, txin, network))
        .collect()
}

fn psbt_input(
    index: usize,
    input: &Input,
    txin: &TxIn,
    network: Network,
) -> Result<InputReport, Refused> {
    let mut report = bare_input(txin);
    report.signatures = signatures(input);
    if let Some((
        TxOut {
            value,
            script_pubkey,
        },
        source,
    )) = spent_output(input, txin.previous_output)
    {
        if *value > Amount::MAX_MONEY {
            return Err(Refused::at("amount-out-of-range", index));
        }
        report.value_sats = Some(value.to_sat());
        report.script_type = Some(script_type::of_input(script_pubkey, input));
        report.address = address(script_pubkey, network);
        report.script_pubkey = Some(script_pubkey.clone());
        report.source = Some(source);
    }
    Ok(report)
}

/// A final transaction does not state what its inputs spend.
pub(super) fn final_inputs(transaction: &Transaction) -> Vec<InputReport> {
    transaction.input.iter().map(final_input).collect()
}

fn final_input(txin: &TxIn) -> InputReport {
    let signed = !txin.script_sig.is_empty() || !txin.witness.is_empty();
    InputReport {
        signatures: if signed {
            Signatures::Final
        } else {
            Signatures::None
        },
        ..bare_input(txin)
    }
}

fn bare_input(txin: &TxIn) -> InputReport {
    InputReport {
        outpoint: txin.previous_output,
        sequence: txin.sequence,
        value_sats: None,
        script_pubkey: None,
        address: None,
        script_type: None,
        source: None,
        signatures: Signatures::None,
    }
}

fn signatures(input: &Input) -> Signatures {
    let script_sig = input
        .final_script_sig
        .as_ref()
        .is_some_and(|script| !script.is_empty());
    let witness = input
        .final_script_witness
        .as_ref()
        .is_some_and(|witness| !witness.is_empty());
    if script_sig || witness {
        return Signatures::Final;
    }
    if input.partial_sigs.is_empty()
        && input.tap_key_sig.is_none()
        && input.tap_script_sigs.is_empty()
    {
        return Signatures::None;
    }
    Signatures::Partial
}

pub(super) fn outputs(transaction: &Transaction, network: Network) -> Vec<OutputReport> {
    let describe = |output: &TxOut| OutputReport {
        value_sats: output.value.to_sat(),
        address: address(&output.script_pubkey, network),
        script_type: script_type::of(&output.script_pubkey),
        script_pubkey: output.script_pubkey.clone(),
    };
    transaction.output.iter().map(describe).collect()
}

fn address(script: &ScriptBuf, network: Network) -> Option<String> {
    Address::from_script(script, network)
        .ok()
        .map(|address| address.to_string())
}

pub(super) fn private_fields(file: &ProofFile) -> PrivateFields {
    let Content::Psbt(psbt) = &file.content else {
        return PrivateFields::default();
    };
    let unknown = psbt.unknown.keys().filter(|key| !is_kept_unknown(key));
    let mut found = PrivateFields::default();
    found.extended_public_keys = psbt.xpub.len() + file.foreign_extended_keys;
    found.proprietary = psbt.proprietary.len();
    found.unknown = unknown.count();
    for input in &psbt.inputs {
        found.derivation_paths += origins(&input.bip32_derivation, &input.tap_key_origins);
        found.proprietary += input.proprietary.len();
        found.unknown += input
            .unknown
            .keys()
            .filter(|key| !is_kept_unknown(key))
            .count();
        let previous = input
            .non_witness_utxo
            .as_ref()
            .filter(|previous| !is_kept_previous(previous));
        found.previous_transactions += usize::from(previous.is_some());
    }
    for output in &psbt.outputs {
        found.derivation_paths += origins(&output.bip32_derivation, &output.tap_key_origins);
        found.proprietary += output.proprietary.len();
        found.unknown += output.unknown.len();
    }
    found
}

/// How many keys come with a word about where they come from.
fn origins(
    keys: &BTreeMap<PublicKey, KeySource>,
    taproot_keys: &BTreeMap<XOnlyPublicKey, (Vec<TapLeafHash>, KeySource)>,
) -> usize {
    let taproot_origins = taproot_keys.values().map(|(_, origin)| origin);
    let origins = keys.values().chain(taproot_origins);
    origins.filter(|origin| is_origin(origin)).count()
}
