//! B4: a transaction's own lock time, and relative locks, to the block and to the second.

use super::*;

/// The newest block of the ledger, the coins' block, and median times.
const TIP: u32 = 150;
const DEPTH: u16 = 51;
const MEDIAN: u32 = 1_700_000_000;

fn signed_with(change: impl FnOnce(&mut Transaction)) -> (Transaction, Vec<Coin>) {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let mut transaction = spend(&coins);
    change(&mut transaction);
    (signed(&owner, transaction, &coins), coins)
}

#[test]
fn a_lock_time_counts_until_it_is_over() {
    let rbf = Sequence::ENABLE_RBF_NO_LOCKTIME;
    for (lock_time, sequence, over) in [
        (0, rbf, true),
        (1, rbf, true),
        (TIP - 1, rbf, true),
        (TIP, rbf, true),
        (TIP + 1, rbf, false),
        (TIP + 100_000, rbf, false),
        (499_999_999, rbf, false),
        (500_000_000, rbf, true),
        (MEDIAN - 1, rbf, true),
        (MEDIAN, rbf, false),
        (MEDIAN + 86_400, rbf, false),
        (u32::MAX, rbf, false),
        // A transaction whose every input is final has no lock time.
        (TIP + 100, Sequence::MAX, true),
    ] {
        let (transaction, coins) = signed_with(|transaction| {
            transaction.lock_time = LockTime::from_consensus(lock_time);
            transaction.input[0].sequence = sequence;
        });
        let verdict = Ledger::new(&coins).verdict_of(&transaction);
        let what = format!("{lock_time} {sequence}");
        assert_verdict(&verdict, over, &what, ("locked", None));
    }
}

/// BIP-0068: blocks are counted from the coin's own, times in units of 512 seconds from the block before it.
#[test]
fn a_relative_lock_counts_until_it_is_over() {
    let (blocks, units) = (Sequence::from_height, Sequence::from_512_second_intervals);
    let (since, median) = (i64::from(MEDIAN) - 10 * 512, i64::from(MEDIAN));
    for (version, sequence, since, over) in [
        (2, blocks(0), since, true),
        (2, blocks(1), since, true),
        (2, blocks(DEPTH), since, true),
        (2, blocks(DEPTH + 1), since, false),
        (2, blocks(u16::MAX), since, false),
        // Below version 2 it has no meaning; a node reads -1 as the largest version.
        (1, blocks(500), since, true),
        (3, blocks(500), since, false),
        (-1, blocks(500), since, false),
        (2, units(0), median, true),
        (2, units(1), median, false),
        (2, units(10), since, true),
        (2, units(10), since + 1, false),
        (2, units(11), since, false),
        (2, units(u16::MAX), since, false),
    ] {
        let (transaction, coins) = signed_with(|transaction| {
            transaction.version = Version(version);
            transaction.input[0].sequence = sequence;
        });
        let mut ledger = Ledger::new(&coins);
        ledger.since = Some(since);
        let verdict = ledger.verdict_of(&transaction);
        let what = format!("{version} {sequence} {since}");
        assert_verdict(&verdict, over, &what, ("relative-lock", 0));
    }
}

#[test]
fn a_lock_in_time_is_not_taken_for_over_where_the_time_is_unknown() {
    let (transaction, coins) = signed_with(|transaction| {
        transaction.input[0].sequence = Sequence::from_512_second_intervals(1);
    });
    let mut ledger = Ledger::new(&coins);
    ledger.since = None;
    for file in [serialize(&transaction), finished(&transaction).serialize()] {
        assert_refused(&ledger.verdict(file), "relative-lock-unknown", 0);
    }
}
