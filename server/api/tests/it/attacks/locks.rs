//! B4: coins that cannot be spent in the next block.

use bitcoin::absolute::LockTime;
use bitcoin::transaction::Version;
use bitcoin::{Sequence, Transaction};
use serde_json::json;
use verify::{Refusal, Verified};

use crate::forge::{Coin, Lock, Single, coin, spend};
use crate::support::node::Node;
use crate::verdict::{assert_accepted, assert_refused, verdict_of};

/// A coin, and what becomes of its spend after a change.
struct Locked<'n> {
    node: &'n Node,
    single: Single,
    coins: [Coin; 1],
}

impl<'n> Locked<'n> {
    async fn new(node: &'n Node) -> Self {
        let single = Single::new(Lock::Wpkh);
        let coins = [coin(node, single.script_pubkey()).await];
        Self {
            node,
            single,
            coins,
        }
    }

    async fn verdict(&self, change: impl FnOnce(&mut Transaction)) -> Result<Verified, Refusal> {
        let mut transaction = spend(&self.coins);
        change(&mut transaction);
        self.single.sign(&mut transaction, &self.coins, 0, 0x01);
        verdict_of(self.node, &transaction).await
    }

    async fn with_lock_time(&self, lock_time: u32) -> Result<Verified, Refusal> {
        self.verdict(|transaction| {
            transaction.lock_time = LockTime::from_consensus(lock_time);
        })
        .await
    }

    async fn with_sequence(&self, sequence: Sequence) -> Result<Verified, Refusal> {
        self.verdict(|transaction| transaction.input[0].sequence = sequence)
            .await
    }
}

#[tokio::test]
async fn a_coin_locked_until_a_height_is_refused() {
    let node = Node::start().await;
    let locked = Locked::new(&node).await;
    let (tip, _) = node.tip().await;
    for future in [tip + 1, tip + 2, tip + 100_000, 499_999_999] {
        assert_refused(&locked.with_lock_time(future).await, "locked", None);
    }
    for past in [0, 1, tip - 1, tip] {
        assert_accepted(&locked.with_lock_time(past).await, "a height of the past");
    }
    // A transaction whose every input is final has no lock time.
    let ignored = locked.verdict(|transaction| {
        transaction.lock_time = LockTime::from_consensus(tip + 100);
        transaction.input[0].sequence = Sequence::MAX;
    });
    assert_accepted(&ignored.await, "an ignored lock time");
}

#[tokio::test]
async fn a_coin_locked_until_a_time_is_refused() {
    let node = Node::start().await;
    let locked = Locked::new(&node).await;
    let info = node.call("getblockchaininfo", json!([])).await;
    let median = u32::try_from(info["mediantime"].as_u64().expect("a time")).expect("32 bits");
    for future in [median, median + 1, median + 86_400, u32::MAX] {
        assert_refused(&locked.with_lock_time(future).await, "locked", None);
    }
    for past in [500_000_000, median - 1] {
        assert_accepted(&locked.with_lock_time(past).await, "a time of the past");
    }
}

#[tokio::test]
async fn a_coin_locked_for_some_blocks_is_refused() {
    let node = Node::start().await;
    let locked = Locked::new(&node).await;
    // One block confirms it, so it can be spent after one block.
    for blocks in [2, 3, 1_000, u16::MAX] {
        let sequence = Sequence::from_height(blocks);
        assert_refused(&locked.with_sequence(sequence).await, "relative-lock", 0);
    }
    for blocks in [0, 1] {
        let sequence = Sequence::from_height(blocks);
        assert_accepted(&locked.with_sequence(sequence).await, "over");
    }
    let two = locked.with_sequence(Sequence::from_height(2));
    node.mine(1).await;
    assert_accepted(&two.await, "over after another block");
    // BIP-0068 is for transactions of version 2 and later; a node reads -1 as the largest of all.
    for (version, refused) in [(1, false), (2, true), (3, true), (-1, true)] {
        let verdict = locked
            .verdict(|transaction| {
                transaction.version = Version(version);
                transaction.input[0].sequence = Sequence::from_height(500);
            })
            .await;
        if refused {
            assert_refused(&verdict, "relative-lock", 0);
        } else {
            assert_accepted(&verdict, "version 1");
        }
    }
}

#[tokio::test]
async fn a_coin_locked_for_some_time_is_refused() {
    let node = Node::start().await;
    let locked = Locked::new(&node).await;
    for intervals in [2, 10, u16::MAX] {
        let sequence = Sequence::from_512_second_intervals(intervals);
        assert_refused(&locked.with_sequence(sequence).await, "relative-lock", 0);
    }
    let none = Sequence::from_512_second_intervals(0);
    assert_accepted(&locked.with_sequence(none).await, "no time at all");
    // Eleven blocks move the median; the node itself says from when on it would mine the spend.
    let now = node.call("getblockchaininfo", json!([])).await["time"]
        .as_u64()
        .expect("a time");
    let mut verdicts = Vec::new();
    for step in 1..=12 {
        node.call("setmocktime", json!([now + step * 200])).await;
        node.mine(1).await;
        let mut transaction = spend(&locked.coins);
        transaction.input[0].sequence = Sequence::from_512_second_intervals(2);
        locked.single.sign(&mut transaction, &locked.coins, 0, 0x01);
        let hex = bitcoin::consensus::encode::serialize_hex(&transaction);
        let minable = node.call("testmempoolaccept", json!([[hex]])).await;
        let verdict = verdict_of(&node, &transaction).await;
        assert_eq!(
            minable[0]["allowed"],
            verdict.is_ok(),
            "{minable} {verdict:?}"
        );
        if verdict.is_err() {
            assert_refused(&verdict, "relative-lock", 0);
        }
        verdicts.push(verdict.is_ok());
    }
    assert!(
        verdicts.contains(&true) && verdicts.contains(&false),
        "{verdicts:?}"
    );
    assert!(verdicts.is_sorted(), "{verdicts:?}");
}

/// BIP-0068 to the second: at the end of the lock, and just before.
#[tokio::test]
async fn the_second_at_which_a_lock_is_over() {
    let node = Node::start().await;
    let locked = Locked::new(&node).await;
    let (_, funding) = node.tip().await;
    let header = async |hash: String| node.call("getblockheader", json!([hash])).await;
    let before = header(funding.to_string()).await["previousblockhash"].to_string();
    let since = header(before.replace('"', "")).await["mediantime"]
        .as_u64()
        .expect("a time");
    for (median, over) in [(since + 2 * 512 - 1, false), (since + 2 * 512, true)] {
        // Of the last eleven blocks, most have this time.
        node.call("setmocktime", json!([median])).await;
        node.mine(6).await;
        let info = node.call("getblockchaininfo", json!([])).await;
        assert_eq!(info["mediantime"], median);
        let verdict = locked
            .with_sequence(Sequence::from_512_second_intervals(2))
            .await;
        if over {
            assert_accepted(&verdict, "over");
        } else {
            assert_refused(&verdict, "relative-lock", 0);
        }
    }
}
