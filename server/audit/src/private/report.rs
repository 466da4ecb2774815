//! What was found out about each file and about all of them, for readers and for programs.

use std::fmt::{self, Display, Formatter};
use std::path::Path;

use board_log::units::btc_text;
use psbt_wasm::SpendingConditions;
use psbt_wasm::joined::{JointProof, ProofStatus};
use serde::Serialize;

use super::file::{Checked, Said};
use super::joint_sentence;
use super::lookup::Dated;
use super::verdict::Wrong;
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

fn bitcoin(sats: u64) -> String {
    format!("{} BTC", btc_text(i64::try_from(sats).unwrap_or(i64::MAX)))
}

/// A text without control characters, so that a file cannot move the reader's cursor.
fn plain(text: &str) -> String {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.replace(odd, "\u{fffd}")
}

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for file in &self.files {
            write!(f, "{file}")?;
        }
        for named in self.joint.iter().flat_map(|joint| &joint.names) {
            if let Some(sats) = &named.amount_sats {
                let sats = sats.parse().unwrap_or_default();
                writeln!(
                    f,
                    "{}: at least {} in {} coins.",
                    plain(&named.name),
                    bitcoin(sats),
                    named.coin_count
                )?;
            }
        }
        if let Some(joint) = &self.joint {
            if let (Some(sats), true) = (&joint.amount_sats, joint.names.len() > 1) {
                let sats = sats.parse().unwrap_or_default();
                writeln!(f, "Together, as one client: at least {}.", bitcoin(sats))?;
            }
            for shared in &joint.shared {
                writeln!(
                    f,
                    "The coin {} is in {} files and counts once.",
                    shared.outpoint,
                    shared.files.len()
                )?;
            }
        }
        let reason = plain(self.reason.as_deref().unwrap_or_default());
        match self.status() {
            ProofStatus::Right => write!(f, "Right: all of it was checked."),
            ProofStatus::False => write!(f, "False: {reason}"),
            ProofStatus::Unchecked => write!(f, "Not everything could be checked: {reason}"),
        }
    }
}

impl Display for FileReport {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", plain(&self.file))?;
        if !self.sha256.is_empty() {
            writeln!(f, "  SHA-256 {}", self.sha256)?;
        }
        if let (Some(request), Some(name)) = (&self.request, &self.name) {
            writeln!(f, "  Request in the file: {}", plain(request))?;
            writeln!(
                f,
                "  The holder says they are {}. Nobody checked this name.",
                plain(name)
            )?;
        }
        if let Some(network) = self.network.filter(|network| *network != "mainnet") {
            writeln!(f, "  Test coins ({network}): they are worth nothing.")?;
        }
        if let Some(chain) = &self.chain {
            match chain.signed_after {
                Some(height) => writeln!(f, "  Signed after block {height}.")?,
                None => writeln!(f, "  Not dated.")?,
            }
        }
        let (count, sats) = self.counted();
        match &self.date {
            Some(date) => date.write(f, (count, sats))?,
            None if self.status() == ProofStatus::Right => {
                let height = self.chain.as_ref().map_or(0, |chain| chain.height);
                writeln!(
                    f,
                    "  {} in {count} coins, seen unspent at block {height}.",
                    bitcoin(sats)
                )?;
            }
            None => {}
        }
        for coin in &self.coins {
            write!(
                f,
                "  {} {}: {}",
                coin.outpoint,
                bitcoin(coin.value_sats),
                coin.conditions
            )?;
            match coin.state {
                Some(state) => writeln!(f, "; {}", state.replace('-', " "))?,
                None => writeln!(f)?,
            }
        }
        if let Some(wrong) = &self.wrong {
            writeln!(f, "  {}", plain(wrong.sentence()))?;
        }
        writeln!(f)
    }
}

impl DateReport {
    fn write(&self, f: &mut Formatter<'_>, (count, sats): (usize, u64)) -> fmt::Result {
        writeln!(f, "  At {}, Unix time {}:", self.at, self.time)?;
        for (name, block) in [("lower", &self.lower), ("upper", &self.upper)] {
            if let Some(block) = block {
                let BlockReport {
                    height,
                    time,
                    median_time,
                    ..
                } = block;
                writeln!(
                    f,
                    "    {name} block {height}, time {time}, median time past {median_time}"
                )?;
            }
        }
        if self.settled && count > 0 {
            let control = match self.control {
                Some("later") => "Control was shown later than the date.",
                _ => "Existence and control at the date.",
            };
            writeln!(
                f,
                "  At least {} in {count} coins stood at the date. {control}",
                bitcoin(sats)
            )?;
        }
        if self.since_sats != "0" {
            let sats = self.since_sats.parse().unwrap_or_default();
            writeln!(
                f,
                "  Spent since; the signature may be later: {}.",
                bitcoin(sats)
            )?;
        }
        writeln!(
            f,
            "  This shows existence and control, not completeness, debts or sole control."
        )
    }
}
