//! Checks one published proof with the engine that checks submissions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Transaction, TxOut};
use psbt_wasm::{Carrier, ProofDocument, finished_psbt};

use super::coins::KnownCoins;
use super::finding::Finding;
use super::proof::{Checked, Fault, outpoint};
use board_log::note::VerifierKey;
use board_log::proof_note::ProofNote;
use board_log::units::btc_text;
use chain::{Coin, FoundCoins, Unspent};
use verify::{self, Refusal, binding};

/// The fewest confirmations that any board requires.
const CONFIRMATIONS: u32 = 1;

/// Checks the proof with the engine, and what the list of proofs says of it.
pub(super) fn check(mut checked: Checked, known: &KnownCoins) -> Checked {
    if let Some((transaction, spent)) = checked.parsed.take() {
        let found = look_at_coins(&mut checked, &spent, known);
        if checked.faults.is_empty() {
            let document = checked.document.as_ref();
            let engine = || document.map_or(Ok(()), |it| run(it, transaction, &spent, &found));
            // A panic is a refusal, never more (rule A1).
            let ran = catch_unwind(AssertUnwindSafe(engine));
            let stopped = || Err(("engine", "the engine came to no end with it".to_owned()));
            let fault = ran.unwrap_or_else(|_| stopped()).err();
            checked.faults.extend(fault);
        }
    }
    if checked.document.is_some() && checked.listed.amount_sats != checked.sats() {
        let sentence = "the list of published proofs has another amount for it";
        checked.faults.push(("listed", sentence.to_owned()));
    }
    checked
}

/// Checks the board's note on each published proof (proofs, section 4) with the current key of its log. Without the note, a
/// proof's file proves nothing away from the board, and a replaced key may be stolen.
pub(super) fn notes(proofs: &[Checked], keys: &[VerifierKey]) -> Vec<Finding> {
    let current = keys.iter().filter(|key| key.until().is_none());
    let current: Vec<VerifierKey> = current.cloned().collect();
    let findings = proofs.iter().filter_map(|proof| {
        let board = proof.document.as_ref()?.board.as_ref()?;
        let fault = match ProofNote::read(&board.note, &current) {
            Ok(note) if Some(&note) == proof.note.as_ref() => return None,
            Ok(_) => "the board's note on it says something else".to_owned(),
            Err(error) => format!("the board's note on it is not valid: {error}"),
        };
        Some(proof.finding("note", &fault))
    });
    findings.collect()
}

/// Compares the coins with the chain, and returns them. Coins that no longer count and coins without an answer are taken as stated, because
/// signatures commit to them; those without an answer are noted.
fn look_at_coins(checked: &mut Checked, spent: &[TxOut], known: &KnownCoins) -> FoundCoins {
    let mut coins = Vec::new();
    let inputs = checked.document.iter().flat_map(|it| &it.coins);
    for ((input, stated), number) in inputs.zip(spent).zip(1..) {
        let outpoint = outpoint(input);
        let coin = match input.counts {
            Some(true) => known.coins.get(&outpoint).unwrap_or(&Coin::Unknown).clone(),
            Some(false) => Coin::Unspent(as_stated(stated)),
            // The first input of a message.
            None => continue,
        };
        let mut fault = |code, sentence| checked.faults.push((code, sentence));
        match &coin {
            Coin::Unspent(coin) if coin.output.value != stated.value => fault(
                "value",
                format!(
                    "the coin of input {number} is worth {} BTC in place of {}",
                    btc_text(i64::try_from(coin.output.value.to_sat()).unwrap_or(i64::MAX)),
                    btc_text(i64::try_from(stated.value.to_sat()).unwrap_or(i64::MAX)),
                ),
            ),
            Coin::Unspent(coin) if coin.output.script_pubkey != stated.script_pubkey => fault(
                "script",
                format!("the coin of input {number} has another script than the stated one"),
            ),
            Coin::Unspent(_) => {}
            Coin::Spent | Coin::Missing | Coin::SpentOrMissing => fault(
                "spent",
                format!(
                    "the coin of input {number} is spent or has never been, and the board counts it"
                ),
            ),
            Coin::SpentInMempool | Coin::Unknown => checked.unknown.push(outpoint),
        }
        coins.push(match coin {
            Coin::SpentInMempool | Coin::Unknown => Coin::Unspent(as_stated(stated)),
            coin => coin,
        });
    }
    let mut median_times = known.median_times.clone();
    median_times.insert(BlockHash::all_zeros(), 0);
    FoundCoins {
        tip: known.tip,
        coins,
        median_times,
    }
}

/// A coin as the board states it. Its height is 0, so that no relative lock applies.
fn as_stated(output: &TxOut) -> Unspent {
    Unspent {
        output: output.clone(),
        height: Some(0),
        block: Some(BlockHash::all_zeros()),
        coinbase: false,
    }
}

/// As for a submission: read, verified, and bound by the statement.
fn run(
    proof: &ProofDocument,
    transaction: Transaction,
    spent: &[TxOut],
    found: &FoundCoins,
) -> Result<(), Fault> {
    let unreadable = |refusal: Refusal| {
        let sentence = format!("its transaction is none that proves: {refusal}");
        ("transaction", sentence)
    };
    let refused = |refusal: Refusal| {
        let sentence = format!("the engine that takes submissions refuses it: {refusal}");
        ("engine", sentence)
    };
    let file = STANDARD.encode(finished_psbt(transaction.clone(), spent));
    let candidate = verify::read(&file, Vec::new()).map_err(unreadable)?;
    if proof.carrier == Carrier::Message && candidate.kind.message().is_none() {
        return Err(("binding", "it is no message".to_owned()));
    }
    let verified = verify::verify(candidate, found, CONFIRMATIONS).map_err(refused)?;
    if verified.transaction != transaction {
        let sentence = "its transaction is not in the form in which it was checked".to_owned();
        return Err(("transaction", sentence));
    }
    let sentence = match binding::carrier(&verified, &[&proof.statement.text]) {
        Ok(carrier) if carrier == proof.carrier => return Ok(()),
        Ok(carrier) => {
            let (carrier, stated) = (carrier.as_str(), proof.carrier.as_str());
            format!("it is bound as {carrier} in place of {stated}")
        }
        Err(error) => format!("it is not bound by its statement: {error}"),
    };
    Err(("binding", sentence))
}
