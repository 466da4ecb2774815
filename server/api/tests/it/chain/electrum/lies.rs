//! A real server with some of its answers changed: no lie creates or spends a coin. Facts about blocks
//! are recomputed from headers.

use super::super::behaviors::unspent;
use super::*;
use crate::support::electrum_lies::{changed, refusal};

const TRANSACTION: &str = "blockchain.transaction.get";
const UNSPENT: &str = "blockchain.scripthash.listunspent";
const HISTORY: &str = "blockchain.scripthash.get_history";
const HEADER: &str = "blockchain.block.header";
const HEADERS: &str = "blockchain.block.headers";
const NEWEST: &str = "blockchain.headers.subscribe";

/// Changes the result of a method with these parameters.
type Change = Box<dyn Fn(&str, &Value, &mut Value) + Send + Sync>;

/// Changes the results of one method.
fn on(changed: &'static str, change: impl Fn(&mut Value) + Send + Sync + 'static) -> Change {
    Box::new(move |method, _, result| {
        if method == changed {
            change(result);
        }
    })
}

/// Sets a field of the first unspent output.
fn first_coin(field: &'static str, value: Value) -> Change {
    on(UNSPENT, move |result| result[0][field] = value.clone())
}

async fn liar(change: Change) -> Arc<dyn ChainSource> {
    let url = changed(ElectrumX::shared().await.port(), change).await;
    electrum_that_waits(&url, PATIENT)
}

/// Confirmed coins that the real server has.
async fn coins<const COUNT: usize>() -> [OutPoint; COUNT] {
    let coins = Node::shared().await.wallet().await.coins::<COUNT>().await;
    caught_up().await.coins(&coins).await.unwrap();
    coins
}

#[track_caller]
fn invalid<T: std::fmt::Debug>(answer: Result<T, ChainError>, said: &str) {
    match answer {
        Err(ChainError::Invalid { reason, .. }) => assert_eq!(reason, said),
        answer => panic!("{said}: {answer:?}"),
    }
}

#[tokio::test]
async fn what_cannot_be_true_is_invalid() {
    let [coin] = coins().await;
    unspent(&liar(on("nothing", |_| ())).await, coin).await;
    let all = 2_100_000_000_000_000_u64;
    let shape = "a result of another shape";
    let another = "another transaction than asked for";
    let broken = "a transaction that cannot be decoded";
    // The lock time is at the end.
    let locked = |hex: String| json!(format!("{}ffffff7f", &hex[..hex.len() - 8]));
    for (change, said) in [
        (on(TRANSACTION, move |it| *it = locked(text(it))), another),
        (on(TRANSACTION, |it| *it = json!("00")), broken),
        (first_coin("value", json!(all)), "a coin of another value"),
        (
            first_coin("height", json!(1_u64 << 32)),
            "a height that is none",
        ),
        (first_coin("height", json!("1")), shape),
        (first_coin("value", json!(-1)), shape),
        (first_coin("tx_pos", json!(u64::MAX)), shape),
        (first_coin("tx_hash", json!("00")), shape),
        (on(HEADER, |it| *it = json!("00")), "a header that is none"),
    ] {
        invalid(liar(change).await.coins(&[coin]).await, said);
    }
}

#[tokio::test]
async fn headers_that_do_not_hold() {
    // The first one twice, the second one missing.
    let twice = |hex: String| json!(format!("{0}{0}{1}", &hex[..160], &hex[320..]));
    // A target that the hash does not meet.
    let easy = |hex: String| json!(format!("{}ffff001d{}", &hex[..144], &hex[152..]));
    let count = "another number of headers than asked for";
    let order = "headers that do not follow each other";
    let hex = |of: &'static str, change: fn(String) -> Value| {
        on(of, move |it| it["hex"] = change(text(&it["hex"])))
    };
    for (change, said) in [
        (hex(HEADERS, |_| json!("")), count),
        (hex(HEADERS, twice), order),
        (hex(NEWEST, easy), "a header that is none"),
    ] {
        invalid(liar(change).await.tip().await, said);
    }
    // A newest block that differs from the header at its height.
    let lower = |it: &mut Value| it["height"] = json!(it["height"].as_u64().unwrap() - 1);
    let moved = liar(on(NEWEST, lower)).await.tip().await;
    assert_eq!(moved, Err(ChainError::Moved));
}

/// A refusal for one script does not affect others.
#[tokio::test]
async fn a_script_that_it_does_not_answer_about() {
    let coins: [OutPoint; 3] = coins().await;
    for refused in [UNSPENT, HISTORY] {
        let first = Mutex::new(None);
        let change: Change = Box::new(move |method, params, result| {
            // For the first script that is asked about.
            let mut first = first.lock().unwrap();
            let script = first.get_or_insert_with(|| params[0].clone());
            if method == UNSPENT && params[0] == *script {
                *result = json!([]);
            }
            if method == refused && params[0] == *script {
                *result = refusal("history too large");
            }
            if !method.contains("scripthash") {
                *first = None;
            }
        });
        let answer = liar(change).await.coins(&coins).await.unwrap();
        let unspent = |coin: &&Coin| matches!(coin, Coin::Unspent(_));
        let unspent = answer.iter().filter(unspent);
        let told = (unspent.count(), answer.contains(&Coin::Unknown));
        assert_eq!(told, (2, true), "{refused}: {answer:?}");
    }
}

/// What it keeps back, or tells twice, neither spends a coin nor brings one back.
#[tokio::test]
async fn a_coin_that_a_block_has_spent_and_one_that_is_left() {
    let wallet = Node::shared().await.wallet().await;
    let coins = wallet.coins::<2>().await;
    wallet.spend_in_block(&coins[..1]).await;
    caught_up().await.coins(&coins).await.unwrap();
    let nothing = |it: &mut Value| *it = json!([]);
    let shorter = |it: &mut Value| it.as_array_mut().unwrap().truncate(1);
    let no_history: Change = Box::new(move |method, _, result| {
        if [UNSPENT, HISTORY].contains(&method) {
            nothing(result);
        }
    });
    let twice: Change = Box::new(|method, _, result| {
        if let (HISTORY | UNSPENT, Some(list)) = (method, result.as_array_mut()) {
            let mut again = list.clone();
            for entry in &mut again {
                entry["height"] = json!(-1);
            }
            list.extend(again);
        }
    });
    for (change, spent, is_left) in [
        (on("nothing", |_| ()), Coin::Spent, true),
        // The server's claim is not enough to spend a coin.
        (on(UNSPENT, nothing), Coin::Spent, false),
        (no_history, Coin::Unknown, false),
        // Without its spender, nothing proves that a coin is spent.
        (on(HISTORY, shorter), Coin::Unknown, true),
        // While a server processes a block, it may list a transaction in the mempool and in the block.
        (twice, Coin::Spent, true),
    ] {
        let answer = liar(change).await.coins(&coins).await.unwrap();
        assert_eq!(answer[0], spent);
        match &answer[1] {
            Coin::Unspent(coin) => assert!(is_left && coin.height.is_some()),
            coin => assert_eq!((coin, is_left), (&Coin::Unknown, false)),
        }
    }
}
