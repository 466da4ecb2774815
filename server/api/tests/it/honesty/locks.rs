//! Coins with time locks: accepted exactly when the node would mine them.

use super::descriptors::signs;
use crate::forge::{Coin, Lock, Single, assert_refused, signed, spend};
use crate::funding::coins;
use crate::support::prelude::*;
use crate::verdict::verdict;

/// Files that the node signs for scripts whose lock is over, both finalized and with partial signatures.
#[tokio::test]
async fn a_coin_is_accepted_when_its_lock_is_over() {
    // 2020-09-13, long before any block of this chain.
    const DATE: u32 = 1_600_000_000;
    let node = Node::shared().await;
    let (tip, _) = node.tip().await;
    for (sequence, lock_time, template) in [
        (3, 0, "wsh(and_v(v:pk(A),older(3)))"),
        (3, 0, "sh(wsh(and_v(v:pk(A),older(3))))"),
        (3, 0, "wsh(and_v(v:pkh(A),older(3)))"),
        (3, 0, "wsh(or_d(pk(X),and_v(v:pk(A),older(3))))"),
        (3, 0, "wsh(or_d(pk(X),and_v(v:pkh(A),older(2))))"),
        (3, 0, "wsh(andor(pk(X),older(5),and_v(v:pk(A),older(3))))"),
        (3, 0, "tr(NOBODY,and_v(v:pk(A),older(3)))"),
        (0xffff_fffe, tip, "wsh(and_v(v:pk(A),after(100)))"),
        (0xffff_fffe, tip, "sh(wsh(and_v(v:pk(A),after(100))))"),
        (0xffff_fffd, DATE, "wsh(and_v(v:pk(A),after(1500000000)))"),
    ] {
        let terms = Terms {
            sequence: Some(sequence),
            lock_time,
        };
        signs(node, template, terms, 2).await;
    }
}

/// A spend of this coin, and the code of its refusal while the node would not mine it.
struct Spend {
    transaction: Transaction,
    code: &'static str,
}

impl Spend {
    fn new(owner: &Single, coin: &Coin, lock_time: u32, sequence: Sequence) -> Self {
        let coins = [coin.clone()];
        let mut transaction = spend(&coins);
        transaction.lock_time = LockTime::from_consensus(lock_time);
        transaction.input[0].sequence = sequence;
        Self {
            transaction: signed(owner, transaction, &coins),
            code: if lock_time == 0 {
                "relative-lock"
            } else {
                "locked"
            },
        }
    }
}

/// Compares our rules with the node's at each block and each second of the median time: lock times, sequence locks, mining rewards.
#[tokio::test]
async fn the_node_says_the_same_about_every_lock_at_every_block() {
    let node = Node::start().await;
    let owner = Single::new(Lock::Wpkh);
    let reward = node.mine_to(&owner.script_pubkey()).await;
    node.mine(90).await;
    let coin = coins(&node, &[owner.script_pubkey()]).await.remove(0);
    let value = node
        .call("gettxout", json!([reward.txid.to_string(), reward.vout]))
        .await["value"]
        .as_f64();
    let mut young = coin.clone();
    young.outpoint = reward;
    young.output.value = Amount::from_btc(value.unwrap()).expect("an amount");

    let info = node.call("getblockchaininfo", json!([])).await;
    let now = u32::try_from(info["time"].as_u64().unwrap()).expect("32 bits");
    let (tip, _) = node.tip().await;
    let rbf = Sequence::ENABLE_RBF_NO_LOCKTIME;
    let mut spends = [
        Spend::new(&owner, &coin, tip + 3, rbf),
        Spend::new(&owner, &coin, now + 1_000, rbf),
        Spend::new(&owner, &coin, 0, Sequence::from_height(5)),
        Spend::new(&owner, &coin, 0, Sequence::from_512_second_intervals(2)),
        Spend::new(&owner, &young, 0, rbf),
    ];
    spends[4].code = "coin-immature";
    let mut verdicts = vec![Vec::new(); spends.len()];
    for step in 1..=13 {
        node.call("setmocktime", json!([now + step * 200])).await;
        node.mine(1).await;
        for (spend, verdicts) in spends.iter().zip(&mut verdicts) {
            let hex = serialize_hex(&spend.transaction);
            // The fee does not matter.
            let minable = node.call("testmempoolaccept", json!([[hex], 0])).await;
            let verdict = verdict(&node, &hex).await;
            let allowed = minable[0]["allowed"].as_bool();
            assert_eq!(allowed, Some(verdict.is_ok()), "{minable} {verdict:?}");
            if verdict.is_err() {
                let input = (spend.code != "locked").then_some(0);
                assert_refused(&verdict, spend.code, input);
            }
            verdicts.push(verdict.is_ok());
        }
    }
    for verdicts in verdicts {
        let changed = verdicts.contains(&true) && verdicts.contains(&false);
        assert!(changed && verdicts.is_sorted(), "{verdicts:?}");
    }
}
