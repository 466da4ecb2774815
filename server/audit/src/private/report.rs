//! What was found out about each file and about all of them, for readers and for programs.

mod text;

use std::path::Path;

use psbt_wasm::SpendingConditions;
use psbt_wasm::joined::{JointProof, JointReason, ProofStatus};
use serde::Serialize;

use super::file::{Checked, Said};
use super::lookup::Dated;
use super::verdict::{Wrong, too_many};
use crate::proof::outpoint;

/// The whole result.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    result: &'static str,
    reason: Option<String>,
    #[serde(flatten)]
    joint: Option<Joint>,
    files: Vec<FileReport>,
    #[serde(skip)]
    status: Option<ProofStatus>,
}

/// One file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct FileReport {
    pub(super) file: String,
    result: &'static str,
    reason: Option<String>,
    sha256: String,
    statement: Option<String>,
    request: Option<String>,
    pub(super) request_is_yours: Option<bool>,
    name: Option<String>,
    network: Option<&'static str>,
    amount_sats: Option<String>,
    pub(super) chain: Option<ChainReport>,
    pub(super) date: Option<DateReport>,
    pub(super) coins: Vec<CoinReport>,
    #[serde(skip)]
    pub(super) wrong: Option<Wrong>,
}

/// What the sources say about the file as a whole.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChainReport {
    pub(super) height: u32,
    /// Height of the block that dates the proof, if the chain has it there.
    pub(super) signed_after: Option<u32>,
}

/// The date.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DateReport {
    pub(super) at: String,
    /// Unix time.
    pub(super) time: i64,
    pub(super) lower: Option<BlockReport>,
    pub(super) upper: Option<BlockReport>,
    pub(super) settled: bool,
    pub(super) control: Option<&'static str>,
    pub(super) stood_sats: String,
    pub(super) since_sats: String,
}

/// A block and its times, unix seconds.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BlockReport {
    height: u32,
    hash: String,
    time: i64,
    median_time: i64,
}

impl From<Dated> for BlockReport {
    fn from(Dated { hash, times }: Dated) -> Self {
        Self {
            height: times.height,
            hash: hash.to_string(),
            time: times.time,
            median_time: times.median_time,
        }
    }
}

/// A coin.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CoinReport {
    outpoint: String,
    pub(super) value_sats: u64,
    conditions: String,
    /// Whether it is in the sum.
    pub(super) counts: bool,
    /// At the date.
    pub(super) state: Option<&'static str>,
    pub(super) funded: Option<u32>,
    pub(super) spent: Option<u32>,
    #[serde(skip)]
    bytes: [u8; 36],
}

/// Several files together.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Joint {
    #[serde(skip)]
    status: ProofStatus,
    #[serde(skip)]
    reason: Option<String>,
    names: Vec<NameReport>,
    amount_sats: Option<String>,
    shared: Vec<Shared>,
}

/// The files of one name.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct NameReport {
    name: String,
    files: Vec<usize>,
    coin_count: usize,
    amount_sats: Option<String>,
}

/// A coin that several files name.
#[derive(Debug, Serialize)]
struct Shared {
    outpoint: String,
    files: Vec<usize>,
}

impl Report {
    pub(super) fn new(files: Vec<FileReport>, joint: Option<Joint>) -> Self {
        let mut files = files;
        for file in &mut files {
            file.result = file.status().code();
            file.reason = file.wrong.as_ref().map(|wrong| wrong.sentence().to_owned());
        }
        let first = files.first();
        let of_file = || {
            first.map_or((ProofStatus::Unchecked, None), |it| {
                (it.status(), it.reason.clone())
            })
        };
        let (status, reason) = joint
            .as_ref()
            .map_or_else(of_file, |it| (it.status, it.reason.clone()));
        Self {
            result: status.code(),
            reason,
            joint,
            files,
            status: Some(status),
        }
    }

    /// When no file was looked at.
    pub(super) fn refused(wrong: &Wrong) -> Self {
        Self {
            result: wrong.status().code(),
            reason: Some(wrong.sentence().to_owned()),
            joint: None,
            files: Vec::new(),
            status: Some(wrong.status()),
        }
    }

    pub(super) fn status(&self) -> ProofStatus {
        self.status.unwrap_or(ProofStatus::Unchecked)
    }
}

impl FileReport {
    pub(super) fn new(path: &Path, said: &Said) -> Self {
        let document = said.document.as_ref();
        let statement = document.map(|it| &it.statement);
        Self {
            file: path.display().to_string(),
            result: "",
            reason: None,
            sha256: said.sha256.clone(),
            statement: statement.map(|it| it.text.clone()),
            request: statement.map(|it| it.subject.clone()),
            request_is_yours: None,
            name: statement.map(|it| it.name.clone()),
            network: document.map(|it| it.network.name()),
            amount_sats: None,
            chain: None,
            date: None,
            coins: Vec::new(),
            wrong: None,
        }
    }

    /// Shows the coins of a file that is right in itself.
    pub(super) fn show(&mut self, checked: &Checked) {
        let coins = checked.coins().iter().zip(&checked.conditions);
        let coins = coins.map(|(coin, conditions)| CoinReport {
            outpoint: outpoint(coin).to_string(),
            value_sats: coin.value,
            conditions: conditions
                .as_ref()
                .map_or("who can spend cannot be seen".into(), in_words),
            counts: false,
            state: None,
            funded: None,
            spent: None,
            bytes: coin.outpoint,
        });
        self.coins = coins.collect();
        let sum = self
            .coins
            .iter()
            .fold(0, |sum: u64, coin| sum.saturating_add(coin.value_sats));
        self.amount_sats = Some(sum.to_string());
    }

    pub(super) fn outpoints(&self) -> Vec<[u8; 36]> {
        self.coins.iter().map(|coin| coin.bytes).collect()
    }

    pub(super) fn status(&self) -> ProofStatus {
        self.wrong
            .as_ref()
            .map_or(ProofStatus::Right, Wrong::status)
    }

    /// How many coins are in the sum, and their value.
    fn counted(&self) -> (usize, u64) {
        let counted = || self.coins.iter().filter(|coin| coin.counts);
        let sum = counted().fold(0, |sum: u64, coin| sum.saturating_add(coin.value_sats));
        (counted().count(), sum)
    }
}

impl Joint {
    pub(super) fn new<'f>(joint: &JointProof, files: impl Iterator<Item = &'f FileReport>) -> Self {
        let files: Vec<&FileReport> = files.collect();
        let name = |at: &usize| files.get(*at).map_or("", |it| it.file.as_str());
        let text = |sats: Option<u64>| sats.map(|sats| sats.to_string());
        let names = joint.names.iter().map(|named| NameReport {
            name: named
                .files
                .first()
                .and_then(|at| files.get(*at)?.name.clone())
                .unwrap_or_default(),
            files: named.files.clone(),
            coin_count: named.coins,
            amount_sats: text(named.amount_sats),
        });
        let shared = joint.shared.iter().map(|(of, at)| Shared {
            outpoint: of
                .first()
                .and_then(|file| files.get(*file)?.coins.get(*at))
                .map(|coin| coin.outpoint.clone())
                .unwrap_or_default(),
            files: of.clone(),
        });
        let reason = joint
            .reason
            .map(|(reason, file)| joint_sentence(reason, file.as_ref().map_or("", name)));
        Self {
            status: joint.status,
            reason,
            names: names.collect(),
            amount_sats: text(joint.amount_sats),
            shared: shared.collect(),
        }
    }
}

/// What a script asks for and who signed.
fn in_words(conditions: &SpendingConditions) -> String {
    let SpendingConditions {
        needed, of, signed, ..
    } = conditions;
    let mut words = match of {
        1 => "one key, which signed".to_owned(),
        _ => {
            let places: Vec<String> = signed.iter().map(ToString::to_string).collect();
            format!("keys {} of {of} signed; {needed} needed", places.join(", "))
        }
    };
    if let Some(lock) = conditions.lock_time {
        let unit = if lock < 500_000_000 {
            "block"
        } else {
            "Unix time"
        };
        words.push_str(&format!("; locked until {unit} {lock}"));
    }
    if let Some(sequence) = conditions.sequence {
        words.push_str(&match sequence & (1 << 22) {
            0 => format!("; locked for {} blocks", sequence & 0xffff),
            _ => format!("; locked for {} seconds", 512 * (sequence & 0xffff)),
        });
    }
    if conditions.hidden {
        words.push_str("; other ways to spend cannot be seen");
    }
    words
}

/// What a reason of several files means.
fn joint_sentence(reason: JointReason, file: &str) -> String {
    match reason {
        JointReason::FalseFile => format!("{file} is false."),
        JointReason::OtherRequest => format!("{file} is for another request than the first file."),
        JointReason::OtherNetwork => {
            format!("{file} is about coins of another network than the first file.")
        }
        JointReason::UncheckedFile => format!("not everything in {file} could be checked."),
        JointReason::SameFile => format!("{file} is there twice."),
        JointReason::SameCoin => {
            format!("{file} names a coin that another file names as well. It counts once.")
        }
        _ => match too_many() {
            Wrong::False(sentence) | Wrong::Unchecked(sentence) => sentence,
        },
    }
}
