//! Compares the blocks and times in the entries of the log with the chain and the clock.

use super::finding::Finding;
use super::log::Look;
use super::proof::CLOCKS;
use super::snapshot::{AHEAD, BEHIND};
use board_log::units::unix_time;
use chain::clock::UnixTime;
use chain::{Chain, ChainError};

/// How many entries' blocks are looked up, the newest ones.
const BLOCKS: usize = 200;

/// More than this many blocks that the chain does not have, of those in this many entries, are a finding.
const STALE: usize = 5;

/// By how many blocks the heights of entries may go back.
const REORGANIZED: u64 = 6;

/// Compares the entries with the chain. Returns findings; and blocks that the chain no longer has, and gaps, in words: they are false
/// only when a reorganization cannot explain them.
///
/// # Errors
/// When the chain cannot be asked.
pub(super) async fn compare(
    chain: &Chain,
    look: &Look,
    now: UnixTime,
) -> Result<(Vec<Finding>, Vec<String>), ChainError> {
    let (mut findings, mut unexplained) = (Vec::new(), Vec::new());
    let mut add = |code, sentence: String| findings.push(Finding::for_board(code, sentence));
    let blocks = look.blocks();
    let tip = u64::from(chain.tip().await?.height);
    let heights = blocks.iter().map(|(height, _)| *height);
    let before = heights.clone().take(1).chain(heights.clone());
    for (before, after) in before.zip(heights) {
        if after < before.saturating_sub(REORGANIZED) || after > tip + u64::from(AHEAD) {
            let sentence = format!(
                "the log has an entry about block {after}, which no reorganization explains; the newest block is {tip}"
            );
            add("block", sentence);
        } else if after > before.saturating_add(u64::from(BEHIND)) {
            unexplained.push(format!(
                "it has no entry between blocks {before} and {after}"
            ));
        }
    }
    let mut latest = i64::MIN;
    for time in look.times() {
        match unix_time(time) {
            Some(read) if read <= now + CLOCKS && latest <= read.saturating_add(CLOCKS) => {
                latest = latest.max(read);
            }
            _ => add(
                "time",
                format!(
                    "the log has an entry of the time {time}, which is before other entries or in the future"
                ),
            ),
        }
    }
    let mut stale = Vec::new();
    for (height, block) in blocks.iter().rev().take(BLOCKS) {
        let number = u32::try_from(*height).unwrap_or(u32::MAX);
        // Our source may lag a little.
        let known = chain.block_hash_at(number).await?;
        if known.is_some_and(|known| known.to_string() != *block) {
            stale.push((*height, *block));
        }
    }
    if stale.is_empty() {
        return Ok((findings, unexplained));
    }
    let heights: Vec<String> = stale.iter().map(|(height, _)| height.to_string()).collect();
    let heights = heights.join(", ");
    if stale.first() == blocks.last() || stale.len() > STALE {
        let sentence =
            format!("the log names blocks that the chain does not have, at height {heights}");
        add("block", sentence);
    } else {
        unexplained.push(format!(
            "it names blocks that the chain does not have, or has no longer, at height {heights}"
        ));
    }
    Ok((findings, unexplained))
}
