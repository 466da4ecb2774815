//! A published proof: what can be checked before its coins are looked up.

use bitcoin::consensus::encode::deserialize_hex;
use bitcoin::hashes::Hash;
use bitcoin::{Amount, BlockHash, Network, OutPoint, ScriptBuf, Transaction, TxOut, Txid};
use psbt_wasm::{ProofDocument, statement};

use super::finding::Finding;
use super::responses::Listed;
use board_log::proof_note::ProofNote;
use board_log::published::{self, Owner, PublishedInput, PublishedProof};
use board_log::units::{PROOF_DAYS, unix_time};
use chain::clock::{DAY, UnixTime};
use chain::{coin_network, network_in_json};
use verify::locktime;

/// How far clocks may differ, in seconds.
pub(super) const CLOCKS: i64 = 10 * 60;

/// The longest time for which a proof counts, in seconds (specification, section 4).
const VALIDITY: i64 = PROOF_DAYS * DAY;

/// A fault of a proof: a code and a sentence.
pub(super) type Fault = (&'static str, String);

/// A proof, and what its checks have found so far.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// Without its transaction, once that is parsed.
    pub(super) proof: PublishedProof,
    /// What the list of proofs says of it.
    pub(super) listed: Listed,
    /// What the board's note must say; `None` when a part of the proof is malformed.
    pub(super) note: Option<ProofNote>,
    /// The transaction, and the outputs that its inputs spend, until the engine has checked them; `None` when they cannot be parsed.
    pub(super) parsed: Option<(Transaction, Vec<TxOut>)>,
    pub(super) faults: Vec<Fault>,
    /// Coins that the chain sources do not answer about now.
    pub(super) unknown: Vec<OutPoint>,
    /// Why nothing dates it, in words: a reorganization may have removed its block.
    pub(super) not_dated: Option<String>,
}

/// Checks everything about a proof that needs no chain.
pub(super) fn prepare(
    (listed, mut proof): (Listed, PublishedProof),
    origin: &str,
    network: Network,
    now: UnixTime,
) -> Checked {
    let mut faults = Vec::new();
    let mut fault = |code, sentence: String| faults.push((code, sentence));
    if !is_well_formed(&proof) {
        let sentence = "a part of it is malformed, so no checker takes its file";
        fault("malformed", sentence.to_owned());
    }
    if proof.network != network_in_json(network) {
        let sentence = format!("it is said to be of {}, another network", proof.network);
        fault("network", sentence);
    }
    let owner = Owner {
        id: listed.profile_id.clone(),
        username: listed.username.clone(),
        provider: listed.provider.clone(),
        named: listed.named,
    };
    if (&proof.id, &proof.published_at, &proof.profile)
        != (&listed.id, &listed.published_at, &owner)
    {
        let sentence = format!(
            "the list of published proofs has another proof, owner or time for it: {} of {}",
            listed.id,
            listed.name()
        );
        fault("listed", sentence);
    }
    let said = &proof.statement;
    if said.origin != origin {
        let sentence = format!(
            "its statement was made for {}: a proof for another site proves nothing here",
            said.origin
        );
        fault("origin", sentence);
    }
    if said.account_id != proof.profile.id || said.provider != proof.profile.provider {
        let sentence =
            "its statement was made for another account than the one that it is shown for";
        fault("account", sentence.to_owned());
    }
    if says_its_line(&proof.statement, network) != Some(true) {
        let sentence = "the code of its statement does not follow from what it is said to commit to: it was signed for another user or another purpose";
        fault("statement", sentence.to_owned());
    }
    let left = unix_time(&proof.expires_at).map_or(i64::MIN, |it| it.saturating_sub(now));
    if left <= -CLOCKS {
        let sentence = format!("its time was over at {}", proof.expires_at);
        fault("expired", sentence);
    } else if left > VALIDITY + CLOCKS {
        let sentence = format!("it is said to count until {}", proof.expires_at);
        fault("expired", sentence);
    }
    let parsed = parse(&proof);
    if parsed.is_none() {
        let sentence = "its transaction does not match its stated inputs, or cannot be parsed";
        fault("transaction", sentence.to_owned());
    }
    let note = proof.content_of_note();
    proof.transaction.clear();
    Checked {
        note,
        proof,
        listed,
        parsed,
        faults,
        unknown: Vec::new(),
        not_dated: None,
    }
}

/// Whether the strict reader takes all its parts.
pub(super) fn is_well_formed(proof: &PublishedProof) -> bool {
    serde_json::to_vec(proof).is_ok_and(|text| ProofDocument::read(&text).is_ok())
}

/// Whether the statement gives its line. `None` when a part of it is malformed.
fn says_its_line(said: &published::Statement, network: Network) -> Option<bool> {
    let person = statement::Person {
        network: coin_network(network),
        origin: &said.origin,
        provider: &said.provider,
        subject: &said.subject,
        account: &said.account_id,
    };
    let nonce = hex::decode(&said.nonce).ok()?.try_into().ok()?;
    let line = person.statement(&said.name, &nonce, &said.block.hash()?);
    Some(line.ok()? == said.text)
}

fn parse(proof: &PublishedProof) -> Option<(Transaction, Vec<TxOut>)> {
    let transaction: Transaction = deserialize_hex(&proof.transaction).ok()?;
    if transaction.input.len() != proof.inputs.len() {
        return None;
    }
    let mut spent = Vec::with_capacity(proof.inputs.len());
    for (index, (signed, input)) in transaction.input.iter().zip(&proof.inputs).enumerate() {
        let is_coin = index > 0 || proof.binding != "message";
        if signed.previous_output != outpoint(input) || input.counts.is_some() != is_coin {
            return None;
        }
        spent.push(TxOut {
            value: Amount::from_sat(input.value_sats),
            script_pubkey: ScriptBuf::from_hex(&input.script_pubkey).ok()?,
        });
    }
    Some((transaction, spent))
}

/// No transaction spends the outpoint of a malformed txid, and no chain knows it.
pub(super) fn outpoint(input: &PublishedInput) -> OutPoint {
    let txid = input.txid.parse().unwrap_or_else(|_| Txid::all_zeros());
    OutPoint::new(txid, input.vout)
}

impl Checked {
    /// A false claim about it.
    pub(super) fn finding(&self, code: &'static str, sentence: &str) -> Finding {
        let (id, name) = (&self.proof.id, &self.name());
        let sentence = format!("proof {id} of {name}: {sentence}");
        Finding {
            proof: Some(id.clone()),
            ..Finding::for_row(code, (&self.proof.profile.id, name), sentence)
        }
    }

    /// Its owner's name, as the board shows it.
    pub(super) fn name(&self) -> String {
        self.proof.profile.name()
    }

    fn counting(&self) -> impl Iterator<Item = &PublishedInput> {
        let inputs = self.proof.inputs.iter();
        inputs.filter(|input| input.counts == Some(true))
    }

    /// Its coins that count according to the board.
    pub(super) fn coins(&self) -> impl Iterator<Item = OutPoint> {
        self.counting().map(outpoint)
    }

    /// Their value in sats.
    pub(super) fn sats(&self) -> i64 {
        let sats = self.counting().map(|input| input.value_sats);
        let sum = sats.fold(0, u64::saturating_add);
        i64::try_from(sum).unwrap_or(i64::MAX)
    }

    /// How many of its coins no longer count.
    pub(super) fn over(&self) -> usize {
        let inputs = self.proof.inputs.iter();
        inputs.filter(|input| input.counts == Some(false)).count()
    }

    /// The coins that count, each with whether it was time-locked.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (OutPoint, bool)> {
        let inputs = self.parsed.iter().flat_map(|(transaction, _)| {
            let inputs = transaction.input.iter();
            inputs.map(|it| locktime::is_locked_in_time(transaction, it.sequence))
        });
        let inputs = self.proof.inputs.iter().zip(inputs);
        let counting = inputs.filter(|(input, _)| input.counts == Some(true));
        counting.map(|(input, locked)| (outpoint(input), locked))
    }

    /// The height and the hash of the block that dates it.
    pub(super) fn date(&self) -> Option<(u32, BlockHash)> {
        let block = &self.proof.statement.block;
        Some((block.height, BlockHash::from_byte_array(block.hash()?)))
    }
}
