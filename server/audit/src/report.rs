//! The result of an audit, for readers and for programs.

use askama::Template;
use serde::Serialize;

use super::finding::Finding;
use super::proof::Checked;
use super::rows::Row;
use super::site::Site;
use super::user::{self, Results};
use board_log::units::btc_text;
use chain::{Chain, Tip, network_in_json};

/// What was checked, what could not be, and what is false. As text, it is for readers.
#[derive(Debug, Serialize, Template)]
#[template(path = "report.txt")]
pub struct Report {
    /// The origin of the board.
    pub board: String,
    pub network: &'static str,
    /// The block at which every coin was looked up.
    pub block: Tip,
    pub checked: Checks,
    pub not_checked: Private,
    /// What the log of the board shows, in words; `None` when it is false, or was not checked.
    pub log: Option<String>,
    /// The false claims.
    #[serde(rename = "false")]
    pub findings: Vec<Finding>,
    /// The list of rows, for later comparisons.
    #[serde(skip)]
    pub(super) rows: Vec<Row>,
    /// The checked proofs, for their notes.
    #[serde(skip)]
    pub(super) proofs: Vec<Checked>,
    /// Height of the block up to which the board says that it has followed the chain.
    #[serde(skip)]
    pub(super) followed: Option<i64>,
}

/// What was checked.
#[derive(Debug, Default, Serialize)]
pub struct Checks {
    /// Published proofs: the statement, every signature, and that the transaction moves nothing.
    pub proofs: usize,
    /// Their coins that count: unspent, and with the stated value and script.
    pub coins: usize,
    /// The value of those coins.
    pub sats: i64,
    /// Coins of these proofs that no longer count: spent, or proven again since.
    pub coins_over: usize,
    /// Rows whose whole total is backed by published proofs.
    pub rows_whole: usize,
    /// Rows whose total is partly backed by published proofs.
    pub rows_in_part: usize,
}

/// What could not be checked, because its owners keep it private, or because the chain sources had no answer.
#[derive(Debug, Default, Serialize)]
pub struct Private {
    /// Rows without any published proof.
    pub rows: usize,
    /// Rows that show a range instead of a total.
    pub rows_of_ranges: usize,
    /// Rows of a long list that were not compared by id.
    pub rows_not_compared: usize,
    /// The part of the shown totals that published proofs do not back.
    pub sats: i64,
    /// Coins with an unconfirmed spend, or about which too few sources have an answer.
    pub coins: Vec<String>,
    /// Proofs whose dating block the chain does not have, or has no longer, in words.
    pub not_dated: Vec<String>,
    /// Rows of the board that differ from the log's newest snapshot, in words: they changed since, or are false.
    pub unlogged: Vec<String>,
    /// What the chain does not explain about the log's entries and does not show to be false, in words.
    pub entries: Vec<String>,
    /// Why the log of the board was not checked, in words; `None` when it was.
    pub log: Option<String>,
}

impl Report {
    /// Sums up what was checked.
    pub(super) fn new(site: &Site, chain: &Chain, results: &Results) -> Self {
        let (mut checked, mut private) = (Checks::default(), Private::default());
        let mut findings = results.list.clone();
        let users = || results.users.values();
        for user in users() {
            let false_claims = user.findings();
            let whole = false_claims.is_empty();
            findings.extend(false_claims);
            for proof in user.proofs.iter().filter(|proof| proof.faults.is_empty()) {
                checked.proofs += 1;
                checked.sats = checked.sats.saturating_add(proof.sats());
                checked.coins += proof.coins().count();
                checked.coins_over += proof.over();
                let unknown = proof.unknown.iter();
                private.coins.extend(unknown.map(ToString::to_string));
                private.not_dated.extend(proof.not_dated.clone());
            }
            let published = user.published();
            let Some(row) = &user.row else {
                continue;
            };
            private.rows_not_compared += usize::from(user.by_id.is_none() && !user.joined);
            if row.is_range() {
                private.rows_of_ranges += 1;
                continue;
            }
            let rest = row.holdings.unwrap_or(0).saturating_sub(published).max(0);
            private.sats = private.sats.saturating_add(rest);
            match (published, rest) {
                (0, 0) => {}
                (0, _) => private.rows += 1,
                (_, 0) if whole => checked.rows_whole += 1,
                _ if whole => checked.rows_in_part += 1,
                _ => {}
            }
        }
        let twice = user::double_counts(&results.users);
        findings.extend(twice.into_iter().map(|(_, finding)| finding));
        Self {
            board: site.origin().to_owned(),
            network: network_in_json(chain.network()),
            block: results.tip,
            checked,
            not_checked: private,
            log: None,
            findings,
            followed: results.followed,
            proofs: users().flat_map(|it| it.proofs.clone()).collect(),
            rows: users().filter_map(|it| it.row.clone()).collect(),
        }
    }

    /// Adds a finding about the board as a whole.
    pub(super) fn add(&mut self, code: &'static str, sentence: impl Into<String>) {
        self.findings.push(Finding::for_board(code, sentence));
    }
}

/// A line of the report without control characters, so that text from a board cannot move the reader's cursor.
fn plain(text: &str) -> String {
    let odd =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    text.replace(odd, "\u{fffd}")
}
