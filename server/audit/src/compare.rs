//! Compares the report with what the log shows.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::log::Look;
use super::report::Report;
use super::site::{Site, SiteError};
use super::snapshot::{Around, BEHIND, compare, find_repeated};
use board_log::export;
use board_log::note::VerifierKey;
use board_log::proof_note::ProofNote;
use board_log::snapshot::Snapshot;
use chain::clock::{DAY, UnixTime};
use chain::{Chain, ChainError};

/// How many entries' blocks are looked up, the newest ones.
const BLOCKS: usize = 200;

/// More blocks than this that the chain does not have, among those of so many entries, are a finding.
const STALE: usize = 5;

/// By how many blocks the heights of entries may go back.
const REORGANIZED: u64 = 6;

/// By how many blocks the audit's source may lag behind the board.
const AHEAD: u64 = 6;

/// Compares the list of rows with the snapshots before and after it. Returns the rows that are not logged like this, to store them.
pub(super) fn compare_rows(
    report: &mut Report,
    first: Option<&Snapshot>,
    look: &Look,
    earlier: BTreeMap<String, (String, u64)>,
    now: UnixTime,
) -> BTreeMap<String, (String, u64)> {
    let Some(after) = &look.snapshot else {
        let old = look.begun.is_some_and(|begun| begun + DAY < now);
        if !report.rows.is_empty() && old {
            let sentence = "the log is older than a day and has no snapshot of the board";
            report.add("frozen", sentence);
        }
        return earlier;
    };
    let tip = report.block.height;
    let height = u32::try_from(after.header.height).unwrap_or(u32::MAX);
    if height.saturating_add(BEHIND) < tip {
        let sentence = format!(
            "the newest entry of the log is of block {height}, {} blocks ago: the board is frozen, or the log is",
            tip - height
        );
        report.add("frozen", sentence);
    }
    let around = Around {
        before: first,
        after,
    };
    let compared = compare(&around, &report.rows);
    let entry = after.header.entry;
    report.findings.extend(compared.findings);
    report
        .findings
        .extend(find_repeated(&earlier, &compared.unlogged, entry));
    report.not_checked.unlogged = compared.unlogged.values().cloned().collect();
    let unlogged = compared.unlogged.into_iter().map(|(id, words)| {
        // The first entry that was seen counts.
        let before = earlier.get(&id).filter(|(before, _)| *before == words);
        let at = before.map_or(entry, |(_, at)| *at);
        (id, (words, at))
    });
    unlogged.collect()
}

/// Compares the downloads with those made from the snapshot.
///
/// # Errors
/// When the board does not respond.
pub(super) async fn downloads(
    report: &mut Report,
    site: &Site,
    look: &Look,
) -> Result<(), SiteError> {
    let Some(snapshot) = &look.snapshot else {
        return Ok(());
    };
    let (header, rows) = (Some(&snapshot.header), &snapshot.rows);
    for (path, expected) in [
        ("/api/functions/v1/board.csv", export::csv(rows.clone())),
        (
            "/api/functions/v1/board.json",
            export::json(header, "", rows.clone()),
        ),
    ] {
        let served = site.bytes(path).await?;
        if served.as_deref() == Some(expected.as_bytes()) {
            continue;
        }
        // A row may have been withdrawn, or a new entry added, since the snapshot was read.
        if look.is_newest(site).await {
            let sentence = format!("{path} is not made from the snapshot that the log commits to");
            report.add("download", sentence);
        }
    }
    Ok(())
}

/// Checks the board's note on each published proof (proofs, section 4) with the keys of its log. Without the note, a
/// proof's file proves nothing away from the board.
pub(super) fn notes(report: &mut Report, keys: &[VerifierKey]) {
    for proof in &report.proofs {
        let note = proof.note.as_deref().unwrap_or_default();
        let undated = |note| ProofNote {
            block: None,
            ..note
        };
        let fault = match ProofNote::read(note, keys).map(undated) {
            Ok(note) if note == proof.expected => continue,
            Ok(_) => "the board's note on it says something else".to_owned(),
            Err(error) => format!("the board's note on it is not valid: {error}"),
        };
        report
            .findings
            .push(Finding::for_proof("note", proof, &fault));
    }
}

/// Compares the blocks in entries with the chain.
///
/// # Errors
/// When the chain cannot be asked.
pub(super) async fn blocks(
    report: &mut Report,
    chain: &Chain,
    look: &Look,
) -> Result<(), ChainError> {
    let mut stale = Vec::new();
    let tip = u64::from(report.block.height);
    let pairs = look.blocks.iter().zip(look.blocks.iter().skip(1));
    let odd = pairs
        .filter(|((before, _), (after, _))| after + REORGANIZED < *before)
        .map(|(_, (after, _))| *after)
        .chain(
            look.blocks
                .iter()
                .map(|it| it.0)
                .filter(|height| *height > tip + AHEAD),
        );
    for height in odd {
        let sentence = format!(
            "the log has an entry about block {height}, which no reorganization explains; the newest block is {tip}"
        );
        report.add("block", sentence);
    }
    for (height, block) in look.blocks.iter().rev().take(BLOCKS) {
        let number = u32::try_from(*height).unwrap_or(u32::MAX);
        // Our source may lag a little.
        let known = chain.block_hash_at(number).await?;
        if known.is_some_and(|known| known.to_string() != *block) {
            stale.push((*height, block));
        }
    }
    let newest = look
        .blocks
        .last()
        .is_some_and(|(height, block)| stale.first() == Some(&(*height, block)));
    if newest || stale.len() > STALE {
        let heights: Vec<String> = stale.iter().map(|(height, _)| height.to_string()).collect();
        let sentence = format!(
            "the log names blocks that the chain does not have, at height {}",
            heights.join(", ")
        );
        report.add("block", sentence);
    }
    Ok(())
}
