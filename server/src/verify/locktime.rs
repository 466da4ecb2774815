//! Lock times: whether the transaction could be mined in the next block (rule B4).

use bitcoin::absolute::LockTime;
use bitcoin::{Sequence, Transaction, relative};
use psbt_wasm::statement::LOCK_TIME;

use super::Refusal;
use crate::chain::{Snapshot, Tip, Unspent};

/// Checks the transaction's lock time (BIP-0113: times compare with the median time past) and the
/// relative locks of its inputs (BIP-0068). A lock time at or below the tip is normal: wallets set
/// it to discourage fee sniping. The first `virtual_inputs` spend nothing that has an age (BIP-0322:
/// their sequence numbers are not checked).
///
/// # Errors
/// When the transaction is locked at the next block.
pub fn check(
    transaction: &Transaction,
    coins: &[Unspent],
    virtual_inputs: usize,
    snapshot: &Snapshot,
) -> Result<(), Refusal> {
    // A still transaction is locked for ever on purpose (proofs, section 2).
    if transaction.lock_time.to_consensus_u32() != LOCK_TIME {
        absolute(transaction, &snapshot.tip)?;
    }
    let inputs = transaction.input.iter().zip(coins).enumerate();
    for (input, (fields, coin)) in inputs.skip(virtual_inputs) {
        let Some(lock) = relative_lock(transaction, fields.sequence) else {
            continue;
        };
        match over(lock, coin, snapshot) {
            Some(true) => {}
            Some(false) => return Err(Refusal::RelativeLock { input }),
            None => return Err(Refusal::RelativeLockUnknown { input }),
        }
    }
    Ok(())
}

/// Whether an input of `transaction` is locked for a time after its coin was confirmed, so that the
/// chain must be asked when that was.
#[must_use]
pub fn is_locked_in_time(transaction: &Transaction, sequence: Sequence) -> bool {
    matches!(
        relative_lock(transaction, sequence),
        Some(relative::LockTime::Time(_))
    )
}

/// Checks the transaction's own lock time.
///
/// # Errors
/// When it is in the future.
pub fn absolute(transaction: &Transaction, tip: &Tip) -> Result<(), Refusal> {
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

/// BIP-0068: sequences have this meaning from transaction version 2 on, and nodes compare the
/// version as an unsigned number.
fn relative_lock(transaction: &Transaction, sequence: Sequence) -> Option<relative::LockTime> {
    if transaction.version.0.cast_unsigned() < 2 {
        return None;
    }
    sequence.to_relative_lock_time()
}

/// Whether the lock is over in the next block; none when the source could not say.
fn over(lock: relative::LockTime, coin: &Unspent, snapshot: &Snapshot) -> Option<bool> {
    let next = snapshot.tip.height + 1;
    match lock {
        // A coin from height h with a lock of n blocks can be spent in block h + n. One that is not
        // in a block yet could at best be in the next.
        relative::LockTime::Blocks(blocks) => {
            let height = coin.height.unwrap_or(next);
            Some(next >= height.saturating_add(u32::from(blocks.value())))
        }
        // Counted in units of 512 seconds from the median time past of the block before the coin's,
        // and compared with that of the block before the next one.
        relative::LockTime::Time(time) => {
            let since = snapshot.median_times.get(&coin.block?)?;
            Some(since + 512 * i64::from(time.value()) <= snapshot.tip.median_time)
        }
    }
}
