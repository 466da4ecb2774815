//! Whether the transaction could be mined in the next block (rule B4).

use bitcoin::absolute::LockTime;
use bitcoin::{Sequence, Transaction, relative, transaction};

use super::Refusal;
use crate::chain::{Tip, Unspent};

/// Checks the transaction's lock time (BIP-0113: times compare with the median time past) and the
/// relative locks of its inputs (BIP-0068). A lock time at or below the tip is normal: wallets set
/// it to discourage fee sniping.
///
/// # Errors
/// When the transaction is locked at the next block.
pub fn check(transaction: &Transaction, coins: &[Unspent], tip: &Tip) -> Result<(), Refusal> {
    absolute(transaction, tip)?;
    // BIP-0068: sequences have this meaning from transaction version 2 on.
    if transaction.version < transaction::Version::TWO {
        return Ok(());
    }
    for (input, (fields, coin)) in transaction.input.iter().zip(coins).enumerate() {
        if !relative_lock_over(fields.sequence, coin, tip) {
            return Err(Refusal::RelativeLock { input });
        }
    }
    Ok(())
}

fn absolute(transaction: &Transaction, tip: &Tip) -> Result<(), Refusal> {
    // A transaction whose every input is final ignores its lock time.
    if !transaction.is_lock_time_enabled() {
        return Ok(());
    }
    let open = match transaction.lock_time {
        // Core's IsFinalTx: the lock is below the height of the block that would mine it.
        LockTime::Blocks(height) => height.to_consensus_u32() < tip.height + 1,
        LockTime::Seconds(time) => i64::from(time.to_consensus_u32()) < tip.median_time,
    };
    if open {
        return Ok(());
    }
    Err(Refusal::LockedUntil {
        until: match transaction.lock_time {
            LockTime::Blocks(height) => format!("block {}", height.to_consensus_u32()),
            LockTime::Seconds(time) => format!("unix time {}", time.to_consensus_u32()),
        },
    })
}

fn relative_lock_over(sequence: Sequence, coin: &Unspent, tip: &Tip) -> bool {
    match sequence.to_relative_lock_time() {
        None => true,
        // A coin from height h with a lock of n blocks can be spent in block h + n.
        Some(relative::LockTime::Blocks(blocks)) => coin
            .height
            .is_some_and(|height| tip.height + 1 >= height + u32::from(blocks.value())),
        // The median time of the block before the coin's is not asked of the sources, so a lock
        // counted in time is only seen as over when it is zero.
        Some(relative::LockTime::Time(time)) => time.value() == 0,
    }
}
