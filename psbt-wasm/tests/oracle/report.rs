//! What a person sees of a file: where the coins are, where they go, and what is private in it. Amounts are in satoshis.

use bitcoin::bip32::KeySource;
use bitcoin::hashes::Hash;
use bitcoin::psbt::Input;
use bitcoin::script::Instruction;
use bitcoin::{Address, Amount, Network, Script, ScriptBuf, TxIn, TxOut};
use psbt_wasm::{PrivateFields, Report, ScriptType, Signatures, UtxoSource};

use super::Refused;
use super::format::ProofFile;
use super::strip::{SIGNED_MESSAGE, is_virtual};

/// The sums of the inputs and of the outputs. That of the inputs is none unless all of them state a value.
pub(super) fn sums(file: &ProofFile) -> Result<(Option<u64>, u64), Refused> {
    let inputs = inputs(file);
    let value = |(txin, input): &(TxIn, Input)| Some(spent_output(input, txin)?.0.value);
    let values: Vec<Option<Amount>> = inputs.iter().map(value).collect();
    let too_much = |value: &Option<Amount>| *value > Some(Amount::MAX_MONEY);
    if let Some(index) = values.iter().position(too_much) {
        return Err(Refused::at("amount-out-of-range", index));
    }
    let values: Option<Vec<Amount>> = values.into_iter().collect();
    let spent = values.map(sum).transpose()?;
    let outputs = file.transaction.output.iter();
    let paid = sum(outputs.map(|output| output.value))?;
    if spent.is_some_and(|spent| spent < paid) {
        return Err(Refused::whole("outputs-above-inputs"));
    }
    Ok((spent, paid))
}

pub(super) fn sum(values: impl IntoIterator<Item = Amount>) -> Result<u64, Refused> {
    let mut values = values.into_iter();
    let total = values.try_fold(Amount::ZERO, Amount::checked_add);
    let total = total.filter(|total| *total <= Amount::MAX_MONEY);
    let total = total.ok_or(Refused::whole("amount-out-of-range"))?;
    Ok(total.to_sat())
}

/// Asserts that a report says what is in the file, with addresses of this network.
pub(super) fn assert_described(file: &ProofFile, found: &Report<'_>, network: Network) {
    let transaction = &file.transaction;
    let version = file.psbt.as_ref().map(|parsed| parsed.version);
    assert_eq!(found.psbt_version, version);
    assert_eq!(found.encoding, file.encoding);
    assert_eq!(found.txid, transaction.compute_txid().to_byte_array());
    assert_eq!(found.transaction_version, transaction.version.0);
    assert_eq!(found.lock_time, transaction.lock_time.to_consensus_u32());
    assert_eq!(found.private, private_fields(file));
    let address = |script: &Script| Some(Address::from_script(script, network).ok()?.to_string());
    let inputs = inputs(file);
    assert_eq!(found.inputs.len(), inputs.len());
    for (ours, (txin, input)) in found.inputs.iter().zip(&inputs) {
        let outpoint = txin.previous_output;
        assert_eq!(*ours.txid, outpoint.txid.to_byte_array());
        assert_eq!((ours.vout, ours.sequence), (outpoint.vout, txin.sequence.0));
        assert_eq!(ours.signatures, signatures(input));
        let spent = spent_output(input, txin);
        assert_eq!(ours.source, spent.map(|(_, source)| source));
        let spent = spent.map(|(output, _)| output);
        assert_eq!(ours.value_sats, spent.map(|output| output.value.to_sat()));
        let script = spent.map(|output| &*output.script_pubkey);
        assert_eq!(ours.script_pubkey, script.map(Script::as_bytes));
        let script_type = script.map(|script| type_of_input(script, input));
        assert_eq!(ours.script_type, script_type);
        let described = ours.script_pubkey.and_then(|script| found.address(script));
        assert_eq!(described, script.and_then(address));
    }
    assert_eq!(found.outputs.len(), transaction.output.len());
    for (ours, output) in found.outputs.iter().zip(&transaction.output) {
        let script = &output.script_pubkey;
        assert_eq!(ours.value_sats, output.value.to_sat());
        assert_eq!(ours.script_pubkey, script.as_bytes());
        assert_eq!(ours.script_type, type_of(script));
        assert_eq!(found.address(ours.script_pubkey), address(script));
    }
}

/// The inputs, and what the file says of them. A final transaction has their signatures, and does not state what they spend.
fn inputs(file: &ProofFile) -> Vec<(TxIn, Input)> {
    let txins = file.transaction.input.iter().cloned();
    if let Some(parsed) = &file.psbt {
        return txins.zip(parsed.psbt.inputs.clone()).collect();
    }
    let finished = |txin: TxIn| {
        let input = Input {
            final_script_sig: Some(txin.script_sig.clone()),
            final_script_witness: Some(txin.witness.clone()),
            ..Input::default()
        };
        (txin, input)
    };
    txins.map(finished).collect()
}

/// The output that an input spends: the witness UTXO, else that of the previous transaction. When both are there, they are the same.
fn spent_output<'a>(input: &'a Input, txin: &TxIn) -> Option<(&'a TxOut, UtxoSource)> {
    if let Some(output) = &input.witness_utxo {
        return Some((output, UtxoSource::WitnessUtxo));
    }
    let previous = previous_output(input, txin)?;
    Some((previous, UtxoSource::PreviousTransaction))
}

pub(super) fn previous_output<'a>(input: &'a Input, txin: &TxIn) -> Option<&'a TxOut> {
    let vout = usize::try_from(txin.previous_output.vout).ok()?;
    input.non_witness_utxo.as_ref()?.output.get(vout)
}

/// Whether the input has a script signature or a witness.
pub(super) fn is_final(input: &Input) -> bool {
    let (script_sig, witness) = (&input.final_script_sig, &input.final_script_witness);
    script_sig.as_ref().is_some_and(|it| !it.is_empty())
        || witness.as_ref().is_some_and(|it| !it.is_empty())
}

fn signatures(input: &Input) -> Signatures {
    let is_signed = !input.partial_sigs.is_empty() || !input.tap_script_sigs.is_empty();
    match is_signed || input.tap_key_sig.is_some() {
        _ if is_final(input) => Signatures::Final,
        true => Signatures::Partial,
        false => Signatures::None,
    }
}

fn private_fields(file: &ProofFile) -> PrivateFields {
    let mut found = PrivateFields::default();
    let Some(parsed) = &file.psbt else {
        return found;
    };
    let psbt = &parsed.psbt;
    found.extended_public_keys = psbt.xpub.len() + parsed.foreign_extended_keys;
    let (inputs, outputs) = (psbt.inputs.iter(), psbt.outputs.iter());
    let of_inputs = inputs.clone();
    let of_inputs = of_inputs.map(|it| (&it.bip32_derivation, &it.tap_key_origins));
    let of_outputs = outputs.clone();
    let of_outputs = of_outputs.map(|it| (&it.bip32_derivation, &it.tap_key_origins));
    let origins = of_inputs.chain(of_outputs).flat_map(|(keys, taproot)| {
        let taproot = taproot.values().map(|(_, origin)| origin);
        keys.values().chain(taproot)
    });
    // An origin without fingerprint and path is not counted.
    let is_origin = |origin: &&KeySource| origin.0.as_bytes() != &[0; 4] || !origin.1.is_empty();
    found.derivation_paths = origins.filter(is_origin).count();
    let of_inputs = inputs.clone().map(|it| it.proprietary.len());
    let of_outputs = outputs.clone().map(|it| it.proprietary.len());
    found.proprietary = psbt.proprietary.len() + of_inputs.chain(of_outputs).sum::<usize>();
    let unknown = inputs.clone().flat_map(|it| it.unknown.keys());
    let unknown = unknown.chain(psbt.unknown.keys());
    let unknown = unknown.filter(|key| key.type_value != SIGNED_MESSAGE);
    let of_outputs = outputs.map(|it| it.unknown.len());
    found.unknown = unknown.count() + of_outputs.sum::<usize>();
    let previous = inputs.filter_map(|it| it.non_witness_utxo.as_ref());
    found.previous_transactions = previous.filter(|previous| !is_virtual(previous)).count();
    found
}

/// The kind of an output script.
fn type_of(script: &Script) -> ScriptType {
    match script {
        _ if script.is_p2pkh() => ScriptType::P2pkh,
        _ if script.is_p2sh() => ScriptType::P2sh,
        _ if script.is_p2wpkh() => ScriptType::P2wpkh,
        _ if script.is_p2wsh() => ScriptType::P2wsh,
        _ if script.is_p2tr() => ScriptType::P2tr,
        _ if script.is_op_return() => ScriptType::OpReturn,
        _ if script.is_p2pk() => ScriptType::P2pk,
        _ if script.is_multisig() => ScriptType::P2ms,
        // Pay-to-anchor: OP_1 and the two bytes 0x4e73.
        _ if script.as_bytes() == [0x51, 0x02, 0x4e, 0x73] => ScriptType::P2a,
        _ => ScriptType::Unknown,
    }
}

/// The kind of the output script that a PSBT input spends.
fn type_of_input(script: &Script, input: &Input) -> ScriptType {
    // A finalizer moves the redeem script from its own field to the end of the script signature.
    let in_script_sig = || match input.final_script_sig.as_ref()?.instructions().last()? {
        Ok(Instruction::PushBytes(bytes)) => Some(ScriptBuf::from(bytes.as_bytes().to_vec())),
        _ => None,
    };
    let redeem = input.redeem_script.clone().or_else(in_script_sig);
    // A redeem script that the output does not commit to is ignored.
    match redeem.filter(|redeem| *redeem.to_p2sh() == *script) {
        Some(redeem) if redeem.is_p2wpkh() => ScriptType::P2shP2wpkh,
        Some(redeem) if redeem.is_p2wsh() => ScriptType::P2shP2wsh,
        _ => type_of(script),
    }
}
