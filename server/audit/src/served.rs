//! Compares what the board serves besides its list with the log and with the list: the download, the files of pages, and for a
//! sample of rows their receipts and what a search finds.

use std::collections::BTreeMap;

use rand::seq::IndexedRandom;
use tokio::time::{Instant, sleep};

use super::finding::Finding;
use super::log::{LogError, Look};
use super::pages;
use super::report::Report;
use super::rows::Row;
use super::site::{Site, SiteError};
use board_log::check;
use board_log::export;
use board_log::receipt::Receipt;
use board_log::snapshot;

/// The download of the whole board.
const CSV: &str = "/api/functions/v1/board.csv";

/// How many rows are sampled; one response has as many receipts.
const SAMPLED: usize = 20;

/// How many of them are also searched for, with two requests each.
const SEARCHED: usize = 10;

/// How often the log may get a new entry while differences are fetched again.
const MOVES: u32 = 20;

/// What is compared.
struct Open<'r> {
    download: bool,
    pages: bool,
    /// The rows whose receipts are.
    receipts: Vec<&'r Row>,
    /// The rows that are searched for by name.
    searched: Vec<&'r Row>,
}

impl Open<'_> {
    /// Leaves what these findings are about.
    fn narrow(&mut self, findings: &[Finding]) {
        let has = |code: &str, profile: &str| {
            let mut findings = findings.iter();
            findings.any(|it| it.code == code && it.profile == profile)
        };
        self.download = has("download", "");
        self.pages = has("page", "");
        self.receipts.retain(|row| has("receipt", &row.id));
        self.searched.retain(|row| has("search", &row.id));
    }
}

/// Compares all of it. What differs is fetched again, with the newest log, as long as the log gets new entries in between, and then until
/// patience is over. Returns the newest look at the log, and the findings that remained. `again` reads the log.
///
/// # Errors
/// When the board does not respond, or its log is rejected.
pub(super) async fn compare(
    site: &Site,
    report: &Report,
    mut look: Look,
    again: impl AsyncFn() -> Result<Look, LogError>,
) -> Result<(Look, Vec<Finding>), LogError> {
    let proof = report.proofs.first().map(|it| it.listed.id.as_str());
    let sample = sample(report, &look);
    let mut open = Open {
        download: true,
        pages: true,
        searched: sample.iter().take(SEARCHED).copied().collect(),
        receipts: sample,
    };
    let begin = Instant::now();
    let mut findings = differences(site, &look, &open, proof).await?;
    let mut moves = 0;
    while !findings.is_empty() {
        let mut newest = again().await?;
        if newest.entries.len() > look.entries.len() {
            moves += 1;
            if moves > MOVES {
                break;
            }
        } else if begin.elapsed() >= site.patience {
            break;
        } else {
            sleep(site.pause()).await;
            newest = again().await?;
        }
        look = newest;
        open.narrow(&findings);
        findings = differences(site, &look, &open, proof).await?;
    }
    Ok((look, findings))
}

/// Some rows of the list that the snapshot has too.
fn sample<'r>(report: &'r Report, look: &Look) -> Vec<&'r Row> {
    let logged = |row: &&Row| {
        let snapshot = look.snapshot.as_ref();
        snapshot.is_some_and(|snapshot| snapshot.row(&row.id).is_some())
    };
    let rows: Vec<&Row> = report.rows.iter().filter(logged).collect();
    rows.choose_multiple(&mut rand::rng(), SAMPLED)
        .copied()
        .collect()
}

async fn differences(
    site: &Site,
    look: &Look,
    open: &Open<'_>,
    proof: Option<&str>,
) -> Result<Vec<Finding>, SiteError> {
    let mut findings = Vec::new();
    if open.download {
        findings.extend(download(site, look).await?);
    }
    findings.extend(receipts(site, look, &open.receipts).await?);
    for row in &open.searched {
        findings.extend(search(site, row).await?);
    }
    if open.pages && (look.pages().is_some() || look.snapshot.is_some()) {
        let wrong = pages::differences(site, look.pages(), proof).await?;
        findings.extend(wrong.into_iter().map(|it| Finding::for_board("page", it)));
    }
    Ok(findings)
}

/// Compares what a search for the name finds with what the board answers about the id.
async fn search(site: &Site, listed: &Row) -> Result<Option<Finding>, SiteError> {
    let row = site.row(&listed.id).await?;
    let Some(row) = row.filter(|row| row.username == listed.username) else {
        return Ok(None);
    };
    if site.finds(&row).await? {
        return Ok(None);
    }
    let sentence = format!(
        "the result of a search for the name of {} differs from the row, which has {}",
        row.name(),
        row.amount()
    );
    Ok(Some(row.finding("search", sentence)))
}

/// Compares the download with the one made from the snapshot.
async fn download(site: &Site, look: &Look) -> Result<Option<Finding>, SiteError> {
    let Some(snapshot) = &look.snapshot else {
        return Ok(None);
    };
    let expected = export::csv(snapshot.rows.clone());
    if site.bytes(CSV).await?.as_deref() == Some(expected.as_bytes()) {
        return Ok(None);
    }
    let sentence = format!("{CSV} is not made from the snapshot that the log commits to");
    Ok(Some(Finding::for_board("download", sentence)))
}

/// Checks the receipts of these rows: they must be under the very checkpoint that the log has, or there are two histories.
async fn receipts(site: &Site, look: &Look, rows: &[&Row]) -> Result<Vec<Finding>, SiteError> {
    let Some(snapshot) = &look.snapshot else {
        return Ok(Vec::new());
    };
    let logged = rows.iter().filter_map(|row| snapshot.row(&row.id));
    let logged: Vec<&snapshot::Row> = logged.collect();
    if logged.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<&str> = logged.iter().map(|row| row.id.as_str()).collect();
    let log = snapshot.header.site.strip_prefix(site.host());
    let path = format!("{}/receipts?ids={}", log.unwrap_or("/log"), ids.join(","));
    let served: BTreeMap<String, Option<String>> = site.find(&path).await?.unwrap_or_default();
    let is_right = |row: &snapshot::Row| {
        let receipt = Receipt::read(served.get(&row.id)?.as_deref()?).ok()?;
        let shown = receipt.check(&look.keys).ok()?;
        let same_log =
            check::unsigned(&receipt.checkpoint) == check::unsigned(&look.seen.checkpoint);
        Some(same_log && shown.row == *row)
    };
    let wrong = logged.into_iter().filter(|row| is_right(row) != Some(true));
    let findings = wrong.map(|row| {
        let sentence = format!(
            "the board has no valid receipt for the row of {} in the snapshot",
            row.name
        );
        Finding::for_row("receipt", (&row.id, &row.name), sentence)
    });
    Ok(findings.collect())
}
