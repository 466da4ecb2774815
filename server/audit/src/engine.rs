//! Checks one published proof with the engine that checks submissions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::{OutPoint, Psbt, ScriptBuf, Transaction, TxOut};

use super::finding::Finding;
use super::proof::{Checked, Fault, as_stated, outpoint};
use board_log::note::VerifierKey;
use board_log::proof_note::ProofNote;
use board_log::published::PublishedProof;
use board_log::units::btc_text;
use chain::{Coin, Snapshot};
use verify::binding;
use verify::{self, Candidate};

/// The fewest confirmations that any board requires.
const CONFIRMATIONS: u32 = 1;

/// Checks the proof with the engine, and what the list of proofs says of it.
pub(super) fn check(mut checked: Checked, mut snapshot: Snapshot) -> Checked {
    if let Some((transaction, spent)) = checked.parsed.take() {
        let (proof, faults) = (&checked.proof, &mut checked.faults);
        let unknown = &mut checked.unknown;
        faults.extend(look_at_coins(proof, &spent, &mut snapshot, unknown));
        if faults.is_empty() {
            let engine = || run(proof, transaction, &spent, &snapshot);
            // A panic is a refusal, never more (rule A1).
            let ran = catch_unwind(AssertUnwindSafe(engine));
            let stopped = || Err(("engine", "the engine came to no end with it".to_owned()));
            faults.extend(ran.unwrap_or_else(|_| stopped()).err());
        }
    }
    if checked.listed_sats != checked.sats() {
        let sentence = "the list of published proofs has another amount for it";
        checked.faults.push(("listed", sentence.to_owned()));
    }
    checked
}

/// Checks the board's note on each published proof (proofs, section 4) with the keys of its log. Without the note, a
/// proof's file proves nothing away from the board.
pub(super) fn notes(proofs: &[Checked], keys: &[VerifierKey]) -> Vec<Finding> {
    let findings = proofs.iter().filter_map(|proof| {
        let note = proof.proof.note.as_deref().unwrap_or_default();
        let fault = match ProofNote::read(note, keys) {
            Ok(note) if note == proof.proof.content_of_note() => return None,
            Ok(_) => "the board's note on it says something else".to_owned(),
            Err(error) => format!("the board's note on it is not valid: {error}"),
        };
        Some(proof.finding("note", &fault))
    });
    findings.collect()
}

/// Compares the coins with the chain. Coins without an answer are taken as stated, and noted.
fn look_at_coins(
    proof: &PublishedProof,
    spent: &[TxOut],
    snapshot: &mut Snapshot,
    unknown: &mut Vec<OutPoint>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let inputs = proof.inputs.iter().zip(spent).enumerate();
    let coins = inputs.filter(|(_, (input, _))| input.counts.is_some());
    for ((index, (input, stated)), coin) in coins.zip(&mut snapshot.coins) {
        let number = index + 1;
        match coin {
            Coin::Unspent(coin) if coin.output.value != stated.value => faults.push((
                "value",
                format!(
                    "the coin of input {number} is worth {} BTC in place of {}",
                    btc_text(i64::try_from(coin.output.value.to_sat()).unwrap_or(i64::MAX)),
                    btc_text(i64::try_from(stated.value.to_sat()).unwrap_or(i64::MAX)),
                ),
            )),
            Coin::Unspent(coin) if coin.output.script_pubkey != stated.script_pubkey => faults
                .push((
                    "script",
                    format!("the coin of input {number} has another script than the stated one"),
                )),
            Coin::Unspent(_) => {}
            Coin::Spent | Coin::Missing | Coin::SpentOrMissing => faults.push((
                "spent",
                format!(
                    "the coin of input {number} is spent or has never been, and the board counts it"
                ),
            )),
            Coin::SpentInMempool | Coin::Unknown => {
                unknown.push(outpoint(input));
                *coin = Coin::Unspent(as_stated(stated));
            }
        }
    }
    faults
}

/// As for a submission: read, verified, and bound by the statement.
fn run(
    proof: &PublishedProof,
    transaction: Transaction,
    spent: &[TxOut],
    snapshot: &Snapshot,
) -> Result<(), Fault> {
    let refused = |refusal: verify::Refusal| {
        let sentence = format!("the engine that takes submissions refuses it: {refusal}");
        ("engine", sentence)
    };
    let candidate = candidate(proof, &transaction, spent)?;
    let verified = verify::verify(candidate, snapshot, CONFIRMATIONS).map_err(refused)?;
    if verified.transaction != transaction {
        let sentence = "its transaction is not in the form in which it was checked".to_owned();
        return Err(("transaction", sentence));
    }
    match binding::carrier(&verified, &[&proof.statement.text]) {
        Ok(carrier) if carrier.as_str() == proof.binding => Ok(()),
        Ok(carrier) => Err((
            "binding",
            format!(
                "it is bound as {} in place of {}",
                carrier.as_str(),
                proof.binding
            ),
        )),
        Err(error) => Err((
            "binding",
            format!("it is not bound by its statement: {error}"),
        )),
    }
}

/// The submitted file, with only the fields that count: a PSBT whose inputs are final.
fn candidate(
    proof: &PublishedProof,
    transaction: &Transaction,
    spent: &[TxOut],
) -> Result<Candidate, Fault> {
    let unreadable = |reason: String| {
        (
            "transaction",
            format!("its transaction is none that proves: {reason}"),
        )
    };
    let is_message = proof.binding == "message";
    let mut unsigned = transaction.clone();
    for input in &mut unsigned.input {
        input.script_sig = ScriptBuf::new();
        input.witness.clear();
    }
    let psbt = Psbt::from_unsigned_tx(unsigned);
    let mut psbt = psbt.map_err(|error| unreadable(error.to_string()))?;
    for (fields, input) in psbt.inputs.iter_mut().zip(&transaction.input) {
        let (script, witness) = (&input.script_sig, &input.witness);
        fields.final_script_sig = (!script.is_empty()).then(|| script.clone());
        fields.final_script_witness = (!witness.is_empty()).then(|| witness.clone());
    }
    if is_message && let Some(fields) = psbt.inputs.first_mut() {
        fields.witness_utxo = spent.first().cloned();
    }
    let file = STANDARD.encode(psbt.serialize());
    let candidate = verify::read(&file, Vec::new());
    let candidate = candidate.map_err(|refusal| unreadable(refusal.to_string()))?;
    let line = proof.statement.text.as_bytes();
    let signed = candidate.kind.message();
    if is_message && !signed.is_some_and(|signed| signed.signs(line)) {
        let sentence = "what it signs as a message is not its statement";
        return Err(("binding", sentence.to_owned()));
    }
    Ok(candidate)
}
