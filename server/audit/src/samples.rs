//! Checks a sample of single rows as visitors see them: their receipts.

use std::collections::BTreeMap;

use rand::seq::IndexedRandom;

use super::finding::Finding;
use super::log::Look;
use super::report::Report;
use super::site::{Site, SiteError};
use board_log::note::VerifierKey;
use board_log::receipt::Receipt;
use board_log::snapshot::Row;

/// How many rows are sampled; one response has as many receipts.
const SAMPLED: usize = 20;

/// Checks the receipts of some rows of the newest snapshot.
///
/// # Errors
/// When the board does not respond.
pub(super) async fn receipts(
    report: &mut Report,
    site: &Site,
    look: &Look,
    keys: &[VerifierKey],
) -> Result<(), SiteError> {
    let Some(snapshot) = &look.snapshot else {
        return Ok(());
    };
    let rows: Vec<&Row> = (snapshot.rows)
        .choose_multiple(&mut rand::rng(), SAMPLED)
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    let ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
    let (_, log) = (snapshot.header.site)
        .split_once('/')
        .unwrap_or(("", "log"));
    let path = format!("/{log}/receipts?ids={}", ids.join(","));
    let served: BTreeMap<String, Option<String>> = site.find(&path).await?.unwrap_or_default();
    let is_right = |row: &&Row| {
        let receipt = served.get(&row.id).and_then(Option::as_deref);
        let shown = receipt.and_then(|text| Receipt::read(text).ok()?.check(keys).ok());
        let shown = shown.and_then(|shown| serde_json::from_str(&shown.row).ok());
        shown.as_ref() == Some(*row)
    };
    let wrong: Vec<&Row> = rows.into_iter().filter(|row| !is_right(row)).collect();
    // A row may have been withdrawn, or a new entry added, since the snapshot was read.
    if wrong.is_empty() || !look.is_newest(site).await {
        return Ok(());
    }
    report.findings.extend(wrong.into_iter().map(|row| {
        let sentence = format!(
            "the board has no valid receipt for the row of {} in the snapshot",
            row.name
        );
        Finding::for_row("receipt", (&row.id, &row.name), sentence)
    }));
    Ok(())
}
