//! Checks a published proof without trusting its board: its code matches what it states, it moves nothing, and it is signed.
//!
//! Two questions stay open. Only the board's own answer confirms who made the proof. Only the chain says whether the coins exist,
//! are unspent, and have the stated value. Like [`check_signatures`](crate::check_signatures), it judges scripts by their templates;
//! others are inconclusive, and need a consensus engine.

mod document;
pub(crate) mod finished;
mod json;
mod keys;

pub use document::{BoardMembers, DocumentCoin, DocumentStatement, ProofDocument};
pub use keys::{FurtherFault, FurtherSignature, SpendingConditions, further_signatures};

use alloc::vec::Vec;

use bitcoin::amount::CheckedSum;
use bitcoin::consensus::{deserialize, serialize};
use bitcoin::{Amount, ScriptBuf, Transaction, TxOut};

use crate::Error;
use crate::binding::{MessageFault, Motion, is_still, message_fault, spends_message};
use crate::error::Fault;
use crate::hash::sha256;
use crate::read::decode;
use crate::read::transaction::Tx;
use crate::signatures::{Checks, MAX_CHECKS, SignatureReport};
use crate::statement::{Person, block_hash, outputs_hash};
use keys::KeyChecks;
pub(crate) use keys::Revealed;

/// A proof as a board publishes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedProof<'a> {
    /// Whose proof it claims to be.
    pub person: Person<'a>,
    /// Provider and id of the profile that a board shows it for, which must be those of the person; none in a proof for one reader.
    pub profile: Option<(&'a str, &'a str)>,
    /// The nonce of the code.
    pub nonce: [u8; 16],
    /// The full name, before it is cut.
    pub name: &'a str,
    /// The header of the block that the code commits to.
    pub header: &'a [u8; 80],
    /// The line that the holder signed.
    pub statement: &'a str,
    /// What carries the statement.
    pub carrier: Carrier,
    /// The final transaction.
    pub transaction: &'a [u8],
    /// The outputs that its inputs spend, in the same order. The first one of a message is virtual.
    pub coins: Vec<PublishedCoin<'a>>,
    /// Signatures by more keys than the scripts need.
    pub further: &'a [FurtherSignature],
}

/// What carries a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Carrier {
    /// A proof of funds of BIP-0322.
    Message,
    /// A still transaction, which moves nothing.
    Transaction,
}

/// An output that an input spends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedCoin<'a> {
    /// Txid and index as they are in the transaction.
    pub outpoint: &'a [u8; 36],
    /// In sats.
    pub value: u64,
    /// The output script.
    pub script: &'a [u8],
}

impl PublishedCoin<'_> {
    fn output(&self) -> TxOut {
        TxOut {
            value: Amount::from_sat(self.value),
            script_pubkey: ScriptBuf::from(self.script.to_vec()),
        }
    }
}

/// What [`check_proof`] found out.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ProofCheck {
    /// What is wrong with the statement. None means that its code matches the network, the board, the person, the name, the nonce and the
    /// block in the file. It does **not** mean that this person made the proof: anyone can sign their own coins for any name, with a nonce of
    /// their own, and the code matches. Only the board's note, or its own answer with the same proof, confirms a person.
    pub statement: Option<ProofFault>,
    /// What is wrong with the transaction or message that carries it.
    pub carrier: Option<ProofFault>,
    /// The signatures. A complete proof needs those of every input.
    pub signatures: SignatureReport,
    /// What is wrong with the first further signature that is not right.
    pub further: Option<FurtherFault>,
    /// Whether every further signature was checked, and not left out because it would have been too much work.
    pub further_checked: bool,
    /// For each input what its script asks for, and which keys have signed; none when the input does not reveal that.
    pub conditions: Vec<Option<SpendingConditions>>,
    /// Hash of the block that the code commits to, in internal order, and the Unix time in its header. Only a chain source knows whether
    /// the block is in the chain, and at which height.
    pub block: ([u8; 32], u32),
    /// SHA-256 of the transaction with its witnesses.
    pub transaction_hash: [u8; 32],
    /// SHA-256 of what its inputs spend, as stated ([`outputs_hash`]). With the transaction it is what the board's note is about.
    pub outputs_hash: [u8; 32],
    /// The total value of its coins, as stated.
    pub amount_sats: u64,
    /// The transaction and what it spends, as a PSBT of version 0.
    pub psbt: Vec<u8>,
}

impl ProofCheck {
    /// Whether everything in the file is right, and no script needs a consensus engine. Neither the chain nor the board was asked.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let further = self.further.is_none() && self.further_checked;
        let line = self.statement.is_none() && self.carrier.is_none();
        line && further && self.signatures.is_complete()
    }
}

/// What is wrong with a published proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum ProofFault {
    /// It was made for another board.
    OtherBoard,
    /// The statement does not match what its code commits to, or the profile that it is shown for.
    OtherStatement,
    /// The inputs spend other coins than stated.
    OtherCoins,
    /// The statement is missing, or is not in the required form.
    NoStatement,
    /// More than one output has no value.
    Valueless,
    /// The lock time is not the required one.
    LockTime,
    /// Every input is final, so the lock time does not count (BIP-0065).
    Sequences,
    /// An output pays a script that no input spends.
    Elsewhere,
    /// A script gets back more or less than its coins have.
    Sums,
    /// The first input does not spend the virtual transaction over this statement (BIP-0322).
    OtherMessage,
    /// It does not have the form of a proof of funds (BIP-0322).
    MessageForm,
}

crate::facts::names!(Carrier: as_str, ProofFault: code);

/// Checks a published proof of the board with the origin `asked`. The work is bounded as in
/// [`check_signatures`](crate::check_signatures).
///
/// # Errors
/// The transaction is malformed, or contradicts the coins that it is said to spend.
pub fn check_proof(proof: &PublishedProof<'_>, asked: &str) -> Result<ProofCheck, Error> {
    let mut checks = ProofChecks::new(proof, asked, MAX_CHECKS)?;
    while checks.go_on() {}
    Ok(checks.into_check())
}

/// Checks in portions, as [`Checks`] does.
pub(crate) struct ProofChecks {
    /// Without signatures.
    check: ProofCheck,
    /// For each input, whether its signatures stand where consensus looks for them.
    forms: Vec<bool>,
    signatures: Checks,
    keys: KeyChecks,
}

impl ProofChecks {
    pub(crate) fn new(
        proof: &PublishedProof<'_>,
        asked: &str,
        max_checks: u32,
    ) -> Result<Self, Error> {
        // The reader says what is wrong with a transaction, and takes none that the `bitcoin` crate refuses.
        Tx::read(proof.transaction)?;
        let transaction: Transaction =
            deserialize(proof.transaction).map_err(|_| Fault::Invalid("transaction"))?;
        if transaction.input.len() != proof.coins.len() {
            return Err(Fault::Invalid("inputs").into());
        }
        let spent: Vec<TxOut> = proof.coins.iter().map(PublishedCoin::output).collect();
        let outputs = proof.coins.iter().map(|coin| (coin.value, coin.script));
        let (carrier, amount_sats) = match check_carrier(proof, &transaction, &spent) {
            Ok(amount_sats) => (None, amount_sats),
            Err(fault) => (Some(fault), 0),
        };
        let forms = transaction.input.iter().zip(&spent);
        let forms = forms.map(|(input, coin)| finished::has_form(input, coin));
        let forms = forms.collect();
        let keys = KeyChecks::new(&transaction, &spent, proof.further.to_vec());
        let psbt = finished::psbt(transaction, &spent);
        let mut signatures = Checks::new(decode(psbt.clone())?, max_checks)?;
        signatures.warrant(keys.signature_bytes());
        Ok(Self {
            check: ProofCheck {
                statement: check_statement(proof, asked),
                carrier,
                signatures: SignatureReport::default(),
                further: None,
                further_checked: true,
                conditions: Vec::new(),
                block: (block_hash(proof.header), time_of(proof.header)),
                transaction_hash: sha256(&[proof.transaction]),
                outputs_hash: outputs_hash(outputs),
                amount_sats,
                psbt,
            },
            forms,
            signatures,
            keys,
        })
    }

    /// Checks a portion of the inputs, then of the further signatures; whether any are left.
    pub(crate) fn go_on(&mut self) -> bool {
        self.signatures.go_on() || self.keys.go_on(&mut self.signatures)
    }

    pub(crate) fn into_check(mut self) -> ProofCheck {
        (self.check.further, self.check.further_checked) = self.keys.verdict();
        self.check.conditions = self.keys.conditions();
        self.check.signatures = finished::strict(self.signatures.into_report(), &self.forms);
        self.check
    }
}

/// What the coins are worth together, if what carries the statement is what the rules demand.
fn check_carrier(
    proof: &PublishedProof<'_>,
    transaction: &Transaction,
    spent: &[TxOut],
) -> Result<u64, ProofFault> {
    let mut inputs = transaction.input.iter().zip(&proof.coins);
    if inputs.any(|(input, coin)| serialize(&input.previous_output) != coin.outpoint) {
        return Err(ProofFault::OtherCoins);
    }
    let claimed = match (proof.carrier, spent) {
        (Carrier::Message, [first, claimed @ ..]) => {
            // A message whose first input spends another output is another message.
            match message_fault(transaction) {
                None | Some(MessageFault::OutputIndex) => {}
                Some(_) => return Err(ProofFault::MessageForm),
            }
            let outpoint = transaction.input[0].previous_output;
            let message = proof.statement.as_bytes();
            let is_spent = spends_message(outpoint, message, &first.script_pubkey);
            if !is_spent || first.value != Amount::ZERO {
                return Err(ProofFault::OtherMessage);
            }
            claimed
        }
        _ => {
            is_still(transaction, spent.iter(), proof.statement)?;
            spent
        }
    };
    let sum = claimed.iter().map(|coin| coin.value).checked_sum();
    sum.map(Amount::to_sat).ok_or(ProofFault::Sums)
}

impl From<Motion> for ProofFault {
    fn from(motion: Motion) -> Self {
        match motion {
            Motion::Form => Self::NoStatement,
            Motion::Valueless => Self::Valueless,
            Motion::LockTime { .. } => Self::LockTime,
            Motion::Sequences => Self::Sequences,
            Motion::Elsewhere { .. } => Self::Elsewhere,
            Motion::Sum { .. } => Self::Sums,
        }
    }
}

/// The statement is a function of what its code commits to and of a name.
fn check_statement(proof: &PublishedProof<'_>, asked: &str) -> Option<ProofFault> {
    if proof.person.origin != asked {
        return Some(ProofFault::OtherBoard);
    }
    let PublishedProof { person, name, .. } = proof;
    let hash = block_hash(proof.header);
    let line = person.statement(name, &proof.nonce, &hash);
    let owner = (person.provider, person.account);
    let is_theirs = line.as_deref() == Ok(proof.statement)
        && proof.profile.is_none_or(|profile| profile == owner);
    (!is_theirs).then_some(ProofFault::OtherStatement)
}

/// The Unix time in the header of a block.
fn time_of(header: &[u8; 80]) -> u32 {
    u32::from_le_bytes([header[68], header[69], header[70], header[71]])
}
