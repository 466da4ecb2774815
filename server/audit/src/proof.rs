//! A published proof: what can be checked before its coins are looked up.

use bitcoin::consensus::deserialize;
use bitcoin::hashes::Hash;
use bitcoin::{Amount, BlockHash, Network, OutPoint, ScriptBuf, Transaction, TxOut};
use psbt_wasm::statement::{block_hash, outputs_hash};
use psbt_wasm::{BoardMembers, DocumentCoin, ProofDocument};
use sha2::{Digest, Sha256};

use super::finding::Finding;
use super::responses::Listed;
use board_log::names::shown_name;
use board_log::proof_note::{NoteBlock, ProofNote};
use board_log::units::{PROOF_DAYS, unix_time};
use chain::clock::{DAY, UnixTime};
use chain::coin_network;
use verify::locktime;

/// How far clocks may differ, in seconds.
pub(super) const CLOCKS: i64 = 10 * 60;

/// The longest time for which a proof counts, in seconds (specification, section 4).
const VALIDITY: i64 = PROOF_DAYS * DAY;

/// A fault of a proof: a code and a sentence.
pub(super) type Fault = (&'static str, String);

/// A proof as the board serves it, or why the strict reader refuses it.
pub(super) type Served = Result<ProofDocument, psbt_wasm::Error>;

/// A proof, and what its checks have found so far.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    /// What the list of proofs says of it.
    pub(super) listed: Listed,
    /// Without its transaction, once that is parsed; `None` when the strict reader refuses it.
    pub(super) document: Option<ProofDocument>,
    /// What the board's note must say.
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
    (listed, served): (Listed, Served),
    origin: &str,
    network: Network,
    now: UnixTime,
) -> Checked {
    let mut checked = Checked {
        listed,
        document: None,
        note: None,
        parsed: None,
        faults: Vec::new(),
        unknown: Vec::new(),
        not_dated: None,
    };
    let (mut document, board) = match served.map(|it| (it.board.clone(), it)) {
        Ok((Some(board), document)) => (document, board),
        Ok((None, _)) => {
            let sentence = "its statement was made for one reader, and proves nothing here";
            checked.faults.push(("origin", sentence.to_owned()));
            return checked;
        }
        Err(error) => {
            let sentence = format!("no checker takes its file. {error}");
            checked.faults.push(("malformed", sentence));
            return checked;
        }
    };
    checked.faults = faults(&checked.listed, &document, &board, origin, network, now);
    checked.parsed = parse(&document);
    if checked.parsed.is_none() {
        let sentence = "its transaction does not match its stated inputs, or cannot be parsed";
        checked.faults.push(("transaction", sentence.to_owned()));
    }
    checked.note = Some(content_of_note(&document, &board));
    document.transaction = Vec::new();
    checked.document = Some(document);
    checked
}

/// What is false about all of it but its transaction.
fn faults(
    listed: &Listed,
    document: &ProofDocument,
    board: &BoardMembers,
    origin: &str,
    network: Network,
    now: UnixTime,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fault = |code, sentence: String| faults.push((code, sentence));
    if document.network != coin_network(network) {
        let stated = document.network.name();
        let sentence = format!("it is said to be of {stated}, another network");
        fault("network", sentence);
    }
    let stated = (
        (&board.id, &board.published_at, &board.profile),
        (&board.username, &board.provider, board.named),
    );
    let in_list = (
        (&listed.id, &listed.published_at, &listed.profile_id),
        (&listed.username, &listed.provider, listed.named),
    );
    if stated != in_list {
        let sentence = format!(
            "the list of published proofs has another proof, owner or time for it: {} of {}",
            listed.id,
            listed.name()
        );
        fault("listed", sentence);
    }
    let said = &document.statement;
    if said.origin != origin {
        let sentence = format!(
            "its statement was made for {}: a proof for another site proves nothing here",
            said.origin
        );
        fault("origin", sentence);
    }
    if said.account != board.profile || said.provider != board.provider {
        let sentence =
            "its statement was made for another account than the one that it is shown for";
        fault("account", sentence.to_owned());
    }
    let person = document.proof().person;
    let line = person.statement(&said.name, &said.nonce, &block_hash(&said.header));
    if line.ok().as_ref() != Some(&said.text) {
        let sentence = "the code of its statement does not follow from what it is said to commit to: it was signed for another user or another purpose";
        fault("statement", sentence.to_owned());
    }
    let left = unix_time(&board.expires_at).map_or(i64::MIN, |it| it.saturating_sub(now));
    if left <= -CLOCKS {
        let sentence = format!("its time was over at {}", board.expires_at);
        fault("expired", sentence);
    } else if left > VALIDITY + CLOCKS {
        let sentence = format!("it is said to count until {}", board.expires_at);
        fault("expired", sentence);
    }
    faults
}

/// What the board's note on it must say.
fn content_of_note(document: &ProofDocument, board: &BoardMembers) -> ProofNote {
    let said = document.statement.clone();
    let outputs = document
        .coins
        .iter()
        .map(|coin| (coin.value, &*coin.script));
    ProofNote {
        network: document.network.name().to_owned(),
        origin: said.origin,
        line: said.text,
        provider: said.provider,
        subject: said.subject,
        account: said.account,
        name: shown_name(&board.provider, &board.username, board.named),
        block: NoteBlock {
            height: said.height,
            hash: BlockHash::from_byte_array(block_hash(&said.header)).to_string(),
        },
        transaction_sha256: hex::encode(Sha256::digest(&document.transaction)),
        previous_outputs_sha256: hex::encode(outputs_hash(outputs)),
    }
}

/// Its transaction and what it spends, if that is what its inputs state.
pub(super) fn parse(document: &ProofDocument) -> Option<(Transaction, Vec<TxOut>)> {
    let transaction: Transaction = deserialize(&document.transaction).ok()?;
    let outpoints = transaction.input.iter().map(|input| input.previous_output);
    let is_over_them = outpoints.eq(document.coins.iter().map(outpoint));
    let spent = document.coins.iter().map(|coin| TxOut {
        value: Amount::from_sat(coin.value),
        script_pubkey: ScriptBuf::from(coin.script.clone()),
    });
    is_over_them.then(|| (transaction, spent.collect()))
}

/// The output that an input spends.
pub(super) fn outpoint(coin: &DocumentCoin) -> OutPoint {
    // Any 36 bytes are one.
    deserialize(&coin.outpoint).unwrap_or_default()
}

impl Checked {
    /// A false claim about it.
    pub(super) fn finding(&self, code: &'static str, sentence: &str) -> Finding {
        let (id, name) = (&self.listed.id, &self.listed.name());
        let sentence = format!("proof {id} of {name}: {sentence}");
        Finding {
            proof: Some(id.clone()),
            ..Finding::for_row(code, (&self.listed.profile_id, name), sentence)
        }
    }

    fn inputs(&self) -> &[DocumentCoin] {
        self.document.as_ref().map_or(&[], |it| &it.coins)
    }

    fn counting(&self) -> impl Iterator<Item = &DocumentCoin> {
        let inputs = self.inputs().iter();
        inputs.filter(|input| input.counts == Some(true))
    }

    /// Its coins that count according to the board.
    pub(super) fn coins(&self) -> impl Iterator<Item = OutPoint> {
        self.counting().map(outpoint)
    }

    /// Their value in sats.
    pub(super) fn sats(&self) -> i64 {
        let sats = self.counting().map(|input| input.value);
        let sum = sats.fold(0, u64::saturating_add);
        i64::try_from(sum).unwrap_or(i64::MAX)
    }

    /// How many of its coins no longer count.
    pub(super) fn over(&self) -> usize {
        let inputs = self.inputs().iter();
        inputs.filter(|input| input.counts == Some(false)).count()
    }

    /// The coins that count, each with whether it was time-locked.
    pub(super) fn wanted(&self) -> impl Iterator<Item = (OutPoint, bool)> {
        let inputs = self.parsed.iter().flat_map(|(transaction, _)| {
            let inputs = transaction.input.iter();
            inputs.map(|it| locktime::is_locked_in_time(transaction, it.sequence))
        });
        let inputs = self.inputs().iter().zip(inputs);
        let counting = inputs.filter(|(input, _)| input.counts == Some(true));
        counting.map(|(input, locked)| (outpoint(input), locked))
    }

    /// The height and the hash of the block that dates it.
    pub(super) fn date(&self) -> Option<(u32, BlockHash)> {
        let statement = &self.document.as_ref()?.statement;
        let hash = block_hash(&statement.header);
        Some((statement.height, BlockHash::from_byte_array(hash)))
    }
}
