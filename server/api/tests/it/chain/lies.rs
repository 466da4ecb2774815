//! Sources whose answers cannot be true: each such answer is refused, never used in part.

use super::faults::{invalid, sources};
use super::*;
use crate::support::faults;

#[tokio::test]
async fn nonsense_of_a_node_is_invalid() {
    for body in [
        r#"[{"id":1,"result":"00","error":null}]"#,
        r#"[{"id":0,"result":{"blocks":-1},"error":null}]"#,
        r#"[{"id":0,"result":["ff"],"error":null}]"#,
    ] {
        let url = faults::always(200, body.as_bytes()).await;
        let [core_rpc, ..] = sources(&url);
        invalid(&core_rpc).await;
    }
}

/// Two answers to one request: both are rejected.
#[tokio::test]
async fn a_node_that_answers_twice() {
    let block = BlockHash::hash(b"any");
    let answer = format!(r#"{{"id":0,"result":"{block}"}}"#);
    let answers = [format!("[{answer}]"), format!("[{answer},{answer}]")];
    let [once, twice] = answers.map(|said| faults::always(200, said.leak().as_bytes()));
    let [core_rpc, ..] = sources(&once.await);
    assert_eq!(core_rpc.block_hash_at(0).await, Ok(Some(block)));
    let [core_rpc, ..] = sources(&twice.await);
    let refused = core_rpc.block_hash_at(0).await;
    assert_matches!(refused, Err(ChainError::Invalid { .. }));
}

/// An impossible value, depth or script is refused, never rounded, and never a panic.
#[tokio::test]
async fn impossible_coins_of_a_node_are_invalid() {
    let hash = BlockHash::hash(b"any");
    for (value, depth, script, reason) in [
        ("-1", 1, "51", "a value that is no amount"),
        ("0.000000001", 1, "51", "a value that is no amount"),
        ("21000000.00000001", 1, "51", "a value that is no amount"),
        ("\"one\"", 1, "51", "a value that is no amount"),
        ("1.5", 3, "51", "a coin older than the chain"),
        ("1.5", -1, "51", "a result of another shape"),
        ("1.5", 1, "5", "a script that is not hex"),
    ] {
        let coin = format!(
            r#"{{"bestblock":"{hash}","confirmations":{depth},"value":{value},"coinbase":false,
                "scriptPubKey":{{"hex":"{script}"}},"height":1}}"#
        );
        let body = format!(r#"[{{"id":0,"result":{coin},"error":null}}]"#).leak();
        let [core_rpc, ..] = sources(&faults::always(200, body.as_bytes()).await);
        match core_rpc.coins(&[OutPoint::null()]).await {
            Err(ChainError::Invalid { reason: told, .. }) => assert_eq!(told, reason),
            answer => panic!("{value} {depth} {script}: {answer:?}"),
        }
    }
}

/// Everything that can be recomputed is: a server cannot substitute another transaction or block.
#[tokio::test]
async fn an_explorer_that_answers_something_else() {
    let genesis = genesis_block(Network::Regtest);
    let intact = serialize(&genesis);
    let mut block = intact.clone();
    let transaction = serialize(&genesis.txdata[0]);
    let other = BlockHash::hash(b"other").to_string();
    let hash = genesis.block_hash();
    let tip = format!(r#"{{"id":"{hash}","height":0,"mediantime":0}}"#);
    // The header stays, a byte of the transaction below it changes.
    *block.last_mut().unwrap() ^= 1;
    let asked = format!("/block/{hash}/raw");
    let router = Router::new()
        .route(&asked, get(async || block))
        .route("/tx/{txid}/raw", get(async || transaction))
        .route("/blocks/tip/hash", get(async || other))
        .route("/block/{hash}", get(async || tip))
        .route("/block/{hash}/raw", get(async || intact));
    let [_, esplora, _] = sources(&serve(router).await);
    let (coin, other) = (OutPoint::null(), BlockHash::hash(b"any"));
    for answer in [
        esplora.tip().await.map(drop),
        esplora.coins(&[coin]).await.map(drop),
        esplora.spent_in_block(hash).await.map(drop),
        esplora.spent_in_block(other).await.map(drop),
    ] {
        assert_matches!(answer, Err(ChainError::Invalid { .. }));
    }
}
