//! B4: coins that a script locks, under a lock time that the signer chose.

use bitcoin::absolute::LockTime;
use bitcoin::opcodes::all::{
    OP_CHECKSIG, OP_CLTV, OP_CSV, OP_DROP, OP_ELSE, OP_ENDIF, OP_IF, OP_VERIFY,
};
use bitcoin::script::Builder;
use bitcoin::{Sequence, Transaction};
use serde_json::json;
use verify::{Refusal, Verified, read};

use crate::forge::{FAR, Lock, Single, still};
use crate::support::node::Node;
use crate::verdict::{assert_accepted, assert_refused, verdict_of, verdict_of_candidate};

mod coins;

use coins::Carrier::{self, Message, Still};
use coins::{CONTAINERS, Coins, Locked, hex};

/// The sentence, when it was refused for the lock of its script.
#[track_caller]
fn locked_until(verdict: &Result<Verified, Refusal>, carrier: Carrier, until: &str) {
    assert_refused(verdict, "absolute-lock", carrier.input());
    let sentence = verdict.as_ref().expect_err("refused").to_string();
    assert!(sentence.contains(until), "{sentence}");
}

/// The far lock time satisfies every height that a script can ask for.
#[tokio::test]
async fn a_height_of_a_script_counts_in_both_carriers_whatever_the_lock_time_says() {
    let node = Node::start().await;
    let (tip, _) = node.tip().await;
    let height = tip + 10;
    let coins = Coins::new(&node, CONTAINERS.map(|kind| Locked::until(kind, height))).await;
    let (tip, _) = node.tip().await;
    assert!(tip < height - 1, "{tip}");
    node.mine(usize::try_from(height - 1 - tip).expect("few"))
        .await;
    for index in 0..CONTAINERS.len() {
        for carrier in [Still, Message] {
            for lock_time in [height, FAR] {
                let verdict = coins.with_lock_time(carrier, index, lock_time).await;
                locked_until(&verdict, carrier, &format!("block {height}"));
            }
            let verdict = coins.with_lock_time(carrier, index, height - 1).await;
            assert_refused(&verdict, "invalid-signature", carrier.input());
        }
    }
    node.mine(1).await;
    for (index, kind) in CONTAINERS.iter().enumerate() {
        for carrier in [Still, Message] {
            for lock_time in [height, FAR] {
                let verdict = coins.with_lock_time(carrier, index, lock_time).await;
                assert_accepted(&verdict, &format!("{kind:?} {carrier:?}"));
            }
        }
    }
}

#[tokio::test]
async fn the_largest_height_and_a_height_long_past() {
    let node = Node::shared().await;
    let heights = [FAR, 100_000_000, 1];
    let locks = CONTAINERS.map(|kind| heights.map(|height| Locked::until(kind, height)));
    let coins = Coins::new(node, locks.into_iter().flatten()).await;
    for index in 0..coins.locked.len() {
        for carrier in [Still, Message] {
            let verdict = coins.with_lock_time(carrier, index, FAR).await;
            match heights[index % heights.len()] {
                1 => assert_accepted(&verdict, "long past"),
                height => locked_until(&verdict, carrier, &format!("block {height}")),
            }
        }
    }
}

/// BIP-0113: compared with the median time past of the newest block, and nothing but a message can ask for it.
#[tokio::test]
async fn a_time_of_a_script_counts_in_a_message() {
    let node = Node::start().await;
    let info = node.call("getblockchaininfo", json!([])).await;
    let median = u32::try_from(info["time"].as_u64().expect("a time")).expect("32 bits") + 600;
    let locks = CONTAINERS
        .map(|kind| [median - 1, median, median + 86_400].map(|time| Locked::until(kind, time)));
    let coins = Coins::new(&node, locks.into_iter().flatten()).await;
    // Of the last eleven blocks, most have this time.
    node.call("setmocktime", json!([median])).await;
    node.mine(6).await;
    let info = node.call("getblockchaininfo", json!([])).await;
    assert_eq!(info["mediantime"], median);
    for (index, (locked, _)) in coins.locked.iter().enumerate() {
        for lock_time in [median + 86_400, u32::MAX] {
            let verdict = coins.with_lock_time(Message, index, lock_time).await;
            match index % 3 {
                0 => assert_accepted(&verdict, &format!("{:?}", locked.container)),
                _ => locked_until(&verdict, Message, " UTC"),
            }
        }
        // No height satisfies a time.
        let verdict = coins.with_lock_time(Still, index, FAR).await;
        assert_refused(&verdict, "invalid-signature", 1);
    }
}

/// BIP-0065: where the input's own sequence number is final, the script fails by itself.
#[tokio::test]
async fn a_final_sequence_does_not_open_a_lock() {
    let node = Node::shared().await;
    let coins = Coins::new(node, CONTAINERS.map(|kind| Locked::until(kind, 1))).await;
    for index in 0..CONTAINERS.len() {
        for carrier in [Still, Message] {
            let change = |transaction: &mut Transaction, input: usize| {
                transaction.lock_time = LockTime::from_consensus(FAR);
                transaction.input[input].sequence = Sequence::MAX;
            };
            let verdict = coins.verdict(carrier, index, &[], change).await;
            assert_refused(&verdict, "invalid-signature", carrier.input());
        }
    }
}

/// `IF key ELSE lock key ENDIF`, spent by either branch.
#[tokio::test]
async fn the_lock_of_a_branch_that_is_not_taken_does_not_count() {
    let node = Node::shared().await;
    let locks = CONTAINERS.map(|kind| {
        let mut locked = Locked::of(kind, |key| key);
        let branches = Builder::new().push_opcode(OP_IF);
        let branches = kind
            .push_key(branches, &locked.key)
            .push_opcode(OP_CHECKSIG)
            .push_opcode(OP_ELSE)
            .push_int(i64::from(FAR))
            .push_opcode(OP_CLTV)
            .push_opcode(OP_VERIFY);
        // Both keys are its own, so that the signature fits either branch.
        locked.script = kind
            .push_key(branches, &locked.key)
            .push_opcode(OP_CHECKSIG)
            .push_opcode(OP_ENDIF)
            .into_script();
        locked
    });
    let coins = Coins::new(node, locks).await;
    let far = |transaction: &mut Transaction, _| {
        transaction.lock_time = LockTime::from_consensus(FAR);
    };
    for index in 0..CONTAINERS.len() {
        for carrier in [Still, Message] {
            let verdict = coins.verdict(carrier, index, &[vec![1]], far).await;
            assert_accepted(&verdict, "the branch without a lock");
            let verdict = coins.verdict(carrier, index, &[vec![]], far).await;
            locked_until(&verdict, carrier, &format!("block {FAR}"));
        }
    }
}

/// A lock that is dropped from the stack is a lock, and no miniscript: who signed stays open.
#[tokio::test]
async fn a_lock_that_cannot_be_read_is_inconclusive() {
    let node = Node::shared().await;
    let locks = CONTAINERS.map(|kind| {
        let mut locked = Locked::of(kind, |key| key);
        let script = Builder::new()
            .push_int(i64::from(FAR))
            .push_opcode(OP_CLTV)
            .push_opcode(OP_DROP);
        locked.script = kind
            .push_key(script, &locked.key)
            .push_opcode(OP_CHECKSIG)
            .into_script();
        locked
    });
    let coins = Coins::new(node, locks).await;
    for index in 0..CONTAINERS.len() {
        for carrier in [Still, Message] {
            let verdict = coins.with_lock_time(carrier, index, FAR).await;
            assert_refused(&verdict, "inconclusive", carrier.input());
        }
    }
}

/// BIP-0068 and BIP-0112: the coin has been received less than so many blocks ago.
#[tokio::test]
async fn a_relative_lock_of_a_script_counts_in_both_carriers() {
    let node = Node::start().await;
    let blocks = Sequence::from_height(5);
    let time = Sequence::from_512_second_intervals(1_000);
    let locks = CONTAINERS.map(|kind| {
        [blocks, time].map(|sequence| {
            Locked::new(kind, |script| {
                let sequence = i64::from(sequence.to_consensus_u32());
                script.push_int(sequence).push_opcode(OP_CSV)
            })
        })
    });
    let coins = Coins::new(&node, locks.into_iter().flatten()).await;
    let sequence = |index: usize| {
        if index.is_multiple_of(2) {
            blocks
        } else {
            time
        }
    };
    let verdict = async |carrier: Carrier, index: usize| {
        let change = |transaction: &mut Transaction, input: usize| {
            transaction.input[input].sequence = sequence(index);
        };
        coins.verdict(carrier, index, &[], change).await
    };
    for index in 0..coins.locked.len() {
        for carrier in [Still, Message] {
            let locked = verdict(carrier, index).await;
            assert_refused(&locked, "relative-lock", carrier.input());
        }
    }
    node.mine(4).await;
    for index in 0..coins.locked.len() {
        for carrier in [Still, Message] {
            let verdict = verdict(carrier, index).await;
            if sequence(index) == blocks {
                assert_accepted(&verdict, "five blocks");
            } else {
                assert_refused(&verdict, "relative-lock", carrier.input());
            }
        }
    }
}

/// Whether it counts for somebody is asked elsewhere; for whoever it does not, it is a file without a binding.
#[tokio::test]
async fn only_a_file_that_is_not_bound_must_be_final() {
    let node = Node::shared().await;
    let owner = Single::new(Lock::Wpkh);
    let coins = crate::forge::coins(node, &[owner.script_pubkey()]).await;
    let mut transaction = still(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    assert_refused(&verdict_of(node, &transaction).await, "locked", None);
    let candidate = read(&hex(&transaction), Vec::new()).expect("a file");
    let verified = verdict_of_candidate(node, candidate).await;
    assert_accepted(&verified, "for whoever the statement names");
}
