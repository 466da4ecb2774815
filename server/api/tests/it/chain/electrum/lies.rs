//! A real server with some of its answers changed: none of them makes a coin, and none makes one spent.

use std::sync::Arc;

use bitcoin::{Amount, OutPoint};
use chain::{ChainError, ChainSource, Coin};
use serde_json::{Value, json};

use super::super::behaviours::unspent;
use super::{PATIENT, electrum_that_waits};
use crate::support::electrum_lies::{changed, refusal};
use crate::support::electrumx::{CaughtUp, ElectrumX};
use crate::support::node::{AddressType, Node};

pub(super) type Change = fn(&str, &Value, &mut Value);

/// A coin, and what a server says about it that changes its answers.
pub(super) async fn asked(change: Change) -> Result<Vec<Coin>, ChainError> {
    let wallet = Node::shared().await.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    looked_up(coin, change).await
}

async fn looked_up(coin: OutPoint, change: Change) -> Result<Vec<Coin>, ChainError> {
    let honest: Arc<dyn ChainSource> = Arc::new(CaughtUp::shared().await);
    // From here on the real server knows the coin.
    honest.coins(&[coin]).await.expect("an answer");
    liar(change).await.coins(&[coin]).await
}

pub(super) async fn liar(change: Change) -> Arc<dyn ChainSource> {
    let url = changed(ElectrumX::shared().await.port(), change).await;
    electrum_that_waits(&url, PATIENT)
}

#[track_caller]
pub(super) fn invalid<T: std::fmt::Debug>(answer: Result<T, ChainError>, told: &str) {
    match answer {
        Err(ChainError::Invalid { reason, .. }) => assert_eq!(reason, told),
        answer => panic!("{told}: {answer:?}"),
    }
}

#[tokio::test]
async fn what_is_not_changed_is_believed() {
    let coins = asked(|_, _, _| ()).await.expect("an answer");
    assert!(matches!(coins[..], [Coin::Unspent(_)]), "{coins:?}");
}

#[tokio::test]
async fn another_transaction_is_invalid() {
    let answer = asked(|method, _, result| {
        if method == "blockchain.transaction.get" {
            let hex = result.as_str().expect("hex").to_owned();
            // The lock time is at the end.
            *result = json!(format!("{}ffffff7f", &hex[..hex.len() - 8]));
        }
    })
    .await;
    invalid(answer, "another transaction than asked for");
    let answer = asked(|method, _, result| {
        if method == "blockchain.transaction.get" {
            *result = json!("00");
        }
    })
    .await;
    invalid(answer, "a transaction that cannot be decoded");
}

#[tokio::test]
async fn a_coin_of_another_value_is_invalid() {
    let answer = asked(|method, _, result| {
        if method == "blockchain.scripthash.listunspent" {
            result[0]["value"] = json!(2_100_000_000_000_000_u64);
        }
    })
    .await;
    invalid(answer, "a coin of another value");
}

#[tokio::test]
async fn impossible_numbers_are_invalid() {
    for (field, value, told) in [
        (
            "height",
            json!(u64::from(u32::MAX) + 1),
            "a height that is none",
        ),
        ("height", json!("1"), "a result of another shape"),
        ("value", json!(-1), "a result of another shape"),
        ("tx_pos", json!(u64::MAX), "a result of another shape"),
        ("tx_hash", json!("00"), "a result of another shape"),
    ] {
        let wallet = Node::shared().await.wallet().await;
        let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
        CaughtUp::shared()
            .await
            .coins(&[coin])
            .await
            .expect("an answer");
        let url = changed(
            ElectrumX::shared().await.port(),
            move |method, _, result| {
                if method == "blockchain.scripthash.listunspent" {
                    result[0][field] = value.clone();
                }
            },
        )
        .await;
        invalid(
            electrum_that_waits(&url, PATIENT).coins(&[coin]).await,
            told,
        );
    }
}

/// The word of the server alone does not make a coin spent.
#[tokio::test]
async fn a_coin_that_it_keeps_back() {
    let answer = asked(|method, _, result| {
        if method == "blockchain.scripthash.listunspent" {
            *result = json!([]);
        }
    })
    .await;
    assert_eq!(answer, Ok(vec![Coin::Unknown]));
    let answer = asked(|method, _, result| {
        if method.starts_with("blockchain.scripthash") {
            *result = json!([]);
        }
    })
    .await;
    assert_eq!(answer, Ok(vec![Coin::Unknown]));
}

/// What it refuses to tell of one script says nothing about others.
#[tokio::test]
async fn a_script_that_it_does_not_answer_about() {
    let wallet = Node::shared().await.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, Amount::ONE_BTC); 3])
        .await;
    let honest = CaughtUp::shared().await;
    honest.coins(&coins).await.expect("an answer");
    for refused in ["listunspent", "get_history"] {
        let first = std::sync::Mutex::new(None);
        let url = changed(
            ElectrumX::shared().await.port(),
            move |method, params, result| {
                // Of the first script that is asked about.
                let mut first = first.lock().expect("no panic");
                let script = first.get_or_insert_with(|| params[0].clone());
                if method.ends_with("listunspent") && params[0] == *script {
                    *result = json!([]);
                }
                if method.ends_with(refused) && params[0] == *script {
                    *result = refusal("history too large");
                }
                if !method.contains("scripthash") {
                    *first = None;
                }
            },
        )
        .await;
        let answer = electrum_that_waits(&url, PATIENT).coins(&coins).await;
        let answer = answer.expect("an answer");
        let unknown = answer.iter().filter(|coin| **coin == Coin::Unknown).count();
        let unspent = |coin: &&Coin| matches!(coin, Coin::Unspent(_));
        let unspent = answer.iter().filter(unspent).count();
        assert_eq!((unknown, unspent), (1, 2), "{refused}: {answer:?}");
    }
}

/// A spender that it keeps back leaves the coin spent, but not by its word.
#[tokio::test]
async fn a_spender_that_it_keeps_back() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coin = wallet.fund(AddressType::Bech32, Amount::ONE_BTC).await;
    let spender = wallet.spend(&[coin]).await.compute_txid();
    node.confirm(&[spender]).await;
    assert_eq!(looked_up(coin, |_, _, _| ()).await, Ok(vec![Coin::Spent]));
    let answer = looked_up(coin, |method, _, result| {
        if method == "blockchain.scripthash.get_history" {
            result.as_array_mut().expect("a history").truncate(1);
        }
    })
    .await;
    assert_eq!(answer, Ok(vec![Coin::Unknown]));
}

/// While a server takes in a block it may tell a transaction twice, in the mempool and in the block.
#[tokio::test]
async fn a_transaction_told_twice() {
    let twice: Change = |method, _, result| {
        if let (
            "blockchain.scripthash.get_history" | "blockchain.scripthash.listunspent",
            Some(list),
        ) = (method, result.as_array_mut())
        {
            let mut again = list.clone();
            for entry in &mut again {
                entry["height"] = json!(-1);
            }
            list.extend(again);
        }
    };
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let coins = wallet
        .fund_all(&[(AddressType::Bech32, Amount::ONE_BTC); 2])
        .await;
    let spender = wallet.spend(&coins[..1]).await.compute_txid();
    node.confirm(&[spender]).await;
    assert_eq!(looked_up(coins[0], twice).await, Ok(vec![Coin::Spent]));
    looked_up(coins[1], twice).await.expect("an answer");
    let coin = unspent(&liar(twice).await, coins[1]).await;
    assert!(coin.height.is_some());
}
