//! One file by itself: its statement, what carries it, and every signature by the engine that checks submissions.

use std::panic::{AssertUnwindSafe, catch_unwind};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Transaction, TxOut};
use psbt_wasm::statement::{READER, block_hash};
use psbt_wasm::{
    Carrier, DocumentCoin, ProofCheck, ProofDocument, SpendingConditions, check_proof,
    finished_psbt,
};
use sha2::{Digest, Sha256};

use super::verdict::Wrong;
use super::words;
use crate::proof::parse;
use chain::{Coin, FoundCoins, Tip, Unspent};
use verify::consensus::Spend;
use verify::{Refusal, binding};

/// As many confirmations as coins from the beginning of the chain have.
const CONFIRMATIONS: u32 = 1;

/// A file whose statement and signatures are right.
pub(super) struct Checked {
    pub(super) document: ProofDocument,
    /// Of its coins, in order; none where they cannot be seen.
    pub(super) conditions: Vec<Option<SpendingConditions>>,
}

impl Checked {
    /// Its coins: all that it spends but the virtual output of a message.
    pub(super) fn coins(&self) -> &[DocumentCoin] {
        coins_of(&self.document)
    }

    /// The block that it was signed after.
    pub(super) fn block(&self) -> (u32, BlockHash) {
        let said = &self.document.statement;
        (
            said.height,
            BlockHash::from_byte_array(block_hash(&said.header)),
        )
    }
}

fn coins_of(document: &ProofDocument) -> &[DocumentCoin] {
    let first = usize::from(document.carrier == Carrier::Message);
    document.coins.get(first..).unwrap_or_default()
}

/// What a file says, for the report. Nothing of it is checked.
pub(super) struct Said {
    pub(super) sha256: String,
    pub(super) document: Option<ProofDocument>,
}

/// Reads a file, and checks all that needs no chain.
pub(super) fn check(bytes: &[u8]) -> (Said, Result<Checked, Wrong>) {
    let sha256 = hex::encode(Sha256::digest(bytes));
    let document = match ProofDocument::read(bytes) {
        Ok(document) => document,
        Err(error) => {
            let said = Said {
                sha256,
                document: None,
            };
            return (said, Err(Wrong::Unchecked(error.to_string())));
        }
    };
    // A panic is a refusal, never more (rule A1).
    let checked = catch_unwind(AssertUnwindSafe(|| check_document(&document)));
    let stopped = || {
        Err(Wrong::Unchecked(
            "the engine came to no end with it.".into(),
        ))
    };
    let checked = checked.unwrap_or_else(|_| stopped());
    let said = Said {
        sha256,
        document: Some(document),
    };
    (said, checked)
}

fn check_document(document: &ProofDocument) -> Result<Checked, Wrong> {
    let said = &document.statement;
    if said.origin != READER {
        let sentence = format!(
            "it was published by {}. Check that board: reserves-audit URL.",
            said.origin
        );
        return Err(Wrong::Unchecked(sentence));
    }
    let check = check_proof(&document.proof(), READER)
        .map_err(|error| Wrong::Unchecked(error.to_string()))?;
    let is_for_reader = said.provider == READER
        && said.account == said.name
        && [&said.subject, &said.name]
            .into_iter()
            .all(|text| words::is_normal(text));
    let statement = check.statement.map(psbt_wasm::ProofFault::code);
    let statement = statement.or((!is_for_reader).then_some("other-statement"));
    if let Some(code) = statement {
        return Err(Wrong::False(format!("The statement is false: {code}.")));
    }
    if let Some(fault) = check.carrier {
        let sentence = format!("What carries the statement is false: {}.", fault.code());
        return Err(Wrong::False(sentence));
    }
    let unmatched = || Wrong::False("Its transaction spends other coins than it states.".into());
    let (transaction, spent) = parse(document).ok_or_else(unmatched)?;
    run_engine(document, &transaction, &spent)?;
    check_further(document, &check, &transaction, &spent)?;
    let first = usize::from(document.carrier == Carrier::Message);
    Ok(Checked {
        document: document.clone(),
        conditions: check.conditions.get(first..).unwrap_or_default().to_vec(),
    })
}

/// Signatures that no script needs: by the package, and each in place of one that the script does need, by the engine.
fn check_further(
    document: &ProofDocument,
    check: &ProofCheck,
    transaction: &Transaction,
    spent: &[TxOut],
) -> Result<(), Wrong> {
    if let Some(fault) = check.further {
        let sentence = format!(
            "A signature that no script needs is wrong: {}.",
            fault.code()
        );
        return Err(Wrong::False(sentence));
    }
    if !check.further_checked {
        return Err(Wrong::Unchecked(
            "it has more signatures than can be checked.".into(),
        ));
    }
    let broken = |_| {
        Wrong::Unchecked("the engine gave no verdict on a signature that no script needs.".into())
    };
    for further in &document.further {
        let (script_sig, witness) =
            check
                .spend_with(transaction, spent, further)
                .ok_or(Wrong::Unchecked(
                    "its signers cannot be matched with the keys of a script.".into(),
                ))?;
        let mut other = transaction.clone();
        if let Some(input) = other.input.get_mut(further.input) {
            (input.script_sig, input.witness) = (script_sig, witness);
        }
        let spend = Spend::new(&other, spent).map_err(broken)?;
        if !spend.accepts(further.input).map_err(broken)? {
            let sentence = "A signature that no script needs is wrong: the engine refuses it.";
            return Err(Wrong::False(sentence.into()));
        }
    }
    Ok(())
}

/// As for a submission, with coins as the file states them: what they are, the chain says later. They are as old as the chain and no lock is in
/// the future, because locks are shown and not judged.
fn run_engine(
    document: &ProofDocument,
    transaction: &Transaction,
    spent: &[TxOut],
) -> Result<(), Wrong> {
    let file = STANDARD.encode(finished_psbt(transaction.clone(), spent));
    let candidate = verify::read(&file, Vec::new()).map_err(wrong)?;
    let coins = spent
        .iter()
        .skip(usize::from(document.carrier == Carrier::Message));
    let found = FoundCoins {
        tip: Tip {
            height: 499_999_999,
            hash: BlockHash::all_zeros(),
            median_time: i64::from(u32::MAX),
        },
        coins: coins
            .map(|output| Coin::Unspent(as_stated(output)))
            .collect(),
        median_times: [(BlockHash::all_zeros(), 0)].into(),
    };
    if document.carrier == Carrier::Message && candidate.kind.message().is_none() {
        return Err(Wrong::False("It is no signed message.".into()));
    }
    let verified = verify::verify(candidate, &found, CONFIRMATIONS).map_err(wrong)?;
    if verified.transaction != *transaction {
        return Err(Wrong::Unchecked(
            "its transaction is not in the form in which it was checked.".into(),
        ));
    }
    match binding::carrier(&verified, &[&document.statement.text]) {
        Ok(carrier) if carrier == document.carrier => Ok(()),
        _ => Err(Wrong::False("It is not bound by its statement.".into())),
    }
}

fn as_stated(output: &TxOut) -> Unspent {
    Unspent {
        output: output.clone(),
        height: Some(0),
        block: Some(BlockHash::all_zeros()),
        coinbase: false,
    }
}

/// What a refusal of the engine means: only a signature that is missing or wrong makes a proof false. The others are limits.
fn wrong(refusal: Refusal) -> Wrong {
    let sentence = refusal.to_string();
    match refusal {
        Refusal::NotSigned { .. }
        | Refusal::Incomplete { .. }
        | Refusal::InvalidSignature { .. }
        | Refusal::ForeignSighash { .. }
        | Refusal::NotCommitted { .. }
        | Refusal::KeyNotCommitted { .. } => Wrong::False(sentence),
        _ => Wrong::Unchecked(sentence),
    }
}
