//! What this crate says about files, as JSON lines, for comparison with what its WebAssembly module says about them.
//!
//! Reads files from standard input, each after its length as four bytes, the least significant first. The names are those
//! of `js/api.d.ts`.

use std::io::{self, Read, Write};
use std::time::{SystemTime, UNIX_EPOCH};

use psbt_wasm::{
    Error, File, Form, InputReport, Keys, MakeOptions, Map, Network, OutputReport, Report,
    SignatureReport, SignatureStatus, Warning, check_signatures, combine, decode, make_proof,
};
use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut length = [0; 4];
    while input.read_exact(&mut length).is_ok() {
        let mut file = vec![0; u32::from_le_bytes(length) as usize];
        input.read_exact(&mut file)?;
        writeln!(output, "{}", answers(&file))?;
    }
    output.flush()
}

fn answers(bytes: &[u8]) -> Value {
    let answer = |view: fn(&File) -> Result<Value, Error>| {
        or_error(decode(bytes).and_then(|binary| view(&binary.read(Keys::Form)?)))
    };
    let described = decode(bytes).and_then(|binary| {
        let file = binary.read_in_progress(Keys::Form)?;
        Ok(report(&file.report(Network::Mainnet)?))
    });
    json!({
        "form": or_error(described),
        "stripped": answer(|file| Ok(hex(&file.strip()).into())),
        "checked": answer(|file| Ok(checked(&check_signatures(file)?))),
        "transaction": or_error(made(bytes, Form::Transaction)),
        "about": or_error(made(bytes, Form::Message)),
        "combined": or_error(combined(bytes)),
    })
}

fn or_error(outcome: Result<Value, Error>) -> Value {
    outcome.unwrap_or_else(|error| {
        json!({
            "code": error.code(),
            "message": error.to_string(),
            "map": error.map().map(Map::name),
            "index": error.map().and_then(Map::index),
            "field": error.field(),
        })
    })
}

fn made(bytes: &[u8], form: Form) -> Result<Value, Error> {
    let made = make_proof(bytes, &MakeOptions::new("A line", form))?;
    let notes = made.notes.iter().map(|note| {
        json!({
            "code": note.code.name(),
            "message": note.message,
            "input": note.input,
        })
    });
    Ok(json!({
        "psbt": hex(&made.psbt),
        "inputCount": made.inputs,
        "scriptCount": made.scripts,
        "amountSats": made.amount_sats,
        "partCount": made.parts,
        "notes": notes.collect::<Vec<_>>(),
    }))
}

/// With itself.
fn combined(bytes: &[u8]) -> Result<Value, Error> {
    let combined = combine(&[bytes, bytes])?;
    let inputs = combined.inputs.iter().map(|input| {
        let state = match input.signatures {
            _ if input.is_final => "final",
            0 => "none",
            _ => "partial",
        };
        json!({"signatureState": state, "signatureCount": input.signatures})
    });
    Ok(json!({"psbt": hex(&combined.psbt), "inputs": inputs.collect::<Vec<_>>()}))
}

fn report(report: &Report) -> Value {
    json!({
        "format": if report.psbt_version.is_some() { "psbt" } else { "transaction" },
        "version": report.psbt_version,
        "encoding": report.encoding.name(),
        "txid": reversed_hex(&report.txid),
        "transactionVersion": report.transaction_version,
        "lockTime": report.lock_time,
        "inputs": report.inputs.iter().map(|row| input(report, row)).collect::<Vec<_>>(),
        "message": report.message.map(String::from_utf8_lossy),
        "outputs": report.outputs.iter().enumerate().map(|(index, row)| output(report, index, row)).collect::<Vec<_>>(),
        "totalInputSats": report.total_input_sats,
        "totalOutputSats": report.total_output_sats,
        "feeSats": report.fee_sats,
        "weight": report.weight,
        "vsize": report.vsize(),
        "feeRate": report.vsize().and_then(|vsize| Some(report.fee_sats? as f64 / vsize as f64)),
        "exactSize": report.weight_is_exact,
        "networkHint": report.network_hint.map(Network::name),
        "privateFields": {
            "extendedPublicKeys": report.private.extended_public_keys,
            "derivationPaths": report.private.derivation_paths,
            "proprietary": report.private.proprietary,
            "unknown": report.private.unknown,
            "previousTransactions": report.private.previous_transactions,
        },
        "warnings": report.warnings(now()).iter().map(warning).collect::<Vec<_>>(),
    })
}

fn warning(warning: &Warning) -> Value {
    json!({
        "code": warning.code.name(),
        "message": warning.message,
        "inputs": warning.inputs,
    })
}

/// The Unix time. Both sides look at their clocks, so a lock time of this very second would tell them apart.
#[allow(
    clippy::disallowed_methods,
    reason = "the module beside it has the machine's clock, too"
)]
fn now() -> u32 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    u32::try_from(now.expect("after 1970").as_secs()).expect("before 2106")
}

fn input(report: &Report, input: &InputReport) -> Value {
    json!({
        "txid": reversed_hex(input.txid),
        "vout": input.vout,
        "sequence": input.sequence,
        "valueSats": input.value_sats,
        "scriptPubKey": input.script_pubkey.map(hex),
        "address": input.script_pubkey.and_then(|script| report.address(script)),
        "scriptType": input.script_type.map(|script_type| script_type.name()),
        "source": input.source.map_or("none", |source| source.name()),
        "sighash": input.sighash,
        "signatureState": input.signatures.name(),
    })
}

fn output(report: &Report, index: usize, output: &OutputReport) -> Value {
    let mut payments = report.silent_payments.iter();
    let payment = payments.find(|payment| payment.output == index);
    json!({
        "valueSats": output.value_sats,
        "scriptPubKey": hex(output.script_pubkey),
        "address": report.address(output.script_pubkey),
        "scriptType": output.script_type.name(),
        "silentPayment": payment.map(|payment| json!({
            "scanKey": hex(&payment.keys[..33]),
            "spendKey": hex(&payment.keys[33..]),
            "address": report.silent_address(payment),
            "label": payment.label,
        })),
    })
}

fn checked(report: &SignatureReport) -> Value {
    let inputs = report.inputs.iter().map(|input| {
        let signatures = input.signatures.iter().map(|signature| {
            json!({
                "key": signature.key.as_deref().map(hex),
                "valid": signature.valid,
                "sighash": signature.sighash,
                "commitsToAll": signature.commits_to_all(),
            })
        });
        json!({
            "status": match input.status {
                SignatureStatus::Valid => "valid",
                SignatureStatus::Missing => "missing",
                SignatureStatus::Invalid => "invalid",
                SignatureStatus::Incomplete => "incomplete",
                SignatureStatus::Inconclusive => "inconclusive",
            },
            "reason": input.reason.map(|reason| reason.code()),
            "message": input.reason.map(|reason| reason.message()),
            "needed": input.needed,
            "signatures": signatures.collect::<Vec<_>>(),
        })
    });
    json!({"complete": report.is_complete(), "inputs": inputs.collect::<Vec<_>>()})
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn reversed_hex(bytes: &[u8]) -> String {
    bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
