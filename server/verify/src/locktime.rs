//! Checks that locks are over in the next block (rule B4).
//!
//! The signer chooses the lock time of a transaction, but not the locks in scripts. A still transaction is locked
//! forever on purpose (proofs, section 2), and its lock time satisfies every height that a script may require. So the locks of
//! scripts are read from the scripts ([`super::policy`]) and compared here; the lock time itself counts only for unbound files.

use bitcoin::absolute::LockTime;
use bitcoin::{Sequence, Transaction, relative};
use time::OffsetDateTime;

use super::Refusal;
use chain::{FoundCoins, Tip, Unspent};

/// Checks the transaction's own lock time. One at or below the tip is normal: wallets set it to discourage fee sniping.
///
/// # Errors
/// When no node would mine the transaction in the next block because of it.
pub fn transaction(transaction: &Transaction, tip: &Tip) -> Result<(), Refusal> {
    // A transaction whose every input is final ignores its lock time.
    if !transaction.is_lock_time_enabled() || is_over(transaction.lock_time, tip) {
        return Ok(());
    }
    Err(Refusal::LockedUntil {
        until: in_words(transaction.lock_time),
    })
}

/// Whether a transaction with this lock can be in the next block.
pub fn is_over(lock: LockTime, tip: &Tip) -> bool {
    match lock {
        // Core's IsFinalTx: the lock is below the height of the block that would mine it.
        LockTime::Blocks(height) => height.to_consensus_u32() <= tip.height,
        // BIP-0113: times compare with the median time past.
        LockTime::Seconds(time) => i64::from(time.to_consensus_u32()) < tip.median_time,
    }
}

/// An absolute lock in words, for messages.
pub fn in_words(lock: LockTime) -> String {
    match lock {
        LockTime::Blocks(height) => format!("block {}", height.to_consensus_u32()),
        LockTime::Seconds(time) => {
            let time = OffsetDateTime::from_unix_timestamp(i64::from(time.to_consensus_u32()));
            // Four bytes of seconds reach the year 2106.
            let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
            let (day, hour, minute) = (time.date(), time.hour(), time.minute());
            format!("{day} {hour:02}:{minute:02} UTC")
        }
    }
}

/// Checks the relative locks of the inputs (BIP-0068), except for the first `virtual_inputs`, which spend no coin
/// (BIP-0322: their sequence numbers are not checked).
///
/// # Errors
/// For the first input that is locked at the next block.
pub fn relative(
    transaction: &Transaction,
    coins: &[Unspent],
    virtual_inputs: usize,
    found: &FoundCoins,
) -> Result<(), Refusal> {
    let inputs = transaction.input.iter().zip(coins).enumerate();
    for (input, (fields, coin)) in inputs.skip(virtual_inputs) {
        let Some(lock) = relative_lock(transaction, fields.sequence) else {
            continue;
        };
        match over(lock, coin, found) {
            Some(true) => {}
            Some(false) => return Err(Refusal::RelativeLock { input }),
            None => return Err(Refusal::RelativeLockUnknown { input }),
        }
    }
    Ok(())
}

/// Whether an input of `transaction` is locked for a time after its coin was confirmed, so that the
/// chain must be asked when that was.
pub fn is_locked_in_time(transaction: &Transaction, sequence: Sequence) -> bool {
    matches!(
        relative_lock(transaction, sequence),
        Some(relative::LockTime::Time(_))
    )
}

/// BIP-0068: sequences have this meaning from transaction version 2 on, and nodes compare the
/// version as an unsigned number.
fn relative_lock(transaction: &Transaction, sequence: Sequence) -> Option<relative::LockTime> {
    if transaction.version.0.cast_unsigned() < 2 {
        return None;
    }
    sequence.to_relative_lock_time()
}

/// Whether the lock is over in the next block; none when the source does not know.
fn over(lock: relative::LockTime, coin: &Unspent, found: &FoundCoins) -> Option<bool> {
    let next = found.tip.height + 1;
    match lock {
        // A coin from height h with a lock of n blocks can be spent in block h + n. An unconfirmed
        // coin could at best be in the next block.
        relative::LockTime::Blocks(blocks) => {
            let height = coin.height.unwrap_or(next);
            Some(next >= height.saturating_add(u32::from(blocks.value())))
        }
        // Counted in units of 512 seconds from the median time past of the block before the coin's,
        // and compared with that of the block before the next one.
        relative::LockTime::Time(time) => {
            let since = found.median_times.get(&coin.block?)?;
            Some(since + 512 * i64::from(time.value()) <= found.tip.median_time)
        }
    }
}
