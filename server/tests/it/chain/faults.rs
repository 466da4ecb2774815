//! Sources that are down, slow, endless or lying: each is an error, none is a spent coin.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use axum::Router;
use axum::http::StatusCode;
use axum::routing::get;
use bitcoin::constants::genesis_block;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network, OutPoint, Txid};
use server::chain::core_rpc::CoreRpc;
use server::chain::esplora::Esplora;
use server::chain::{Chain, ChainError, ChainSource, Coin, SourceUrlError, Tip};

use crate::support::{faults, http_client};

/// Long enough for every answer that comes at all, also on a busy machine.
const PATIENT: Duration = Duration::from_secs(60);

const IMPATIENT: Duration = Duration::from_millis(300);

/// Both sources at the same bad server.
fn sources(url: &str) -> [Arc<dyn ChainSource>; 2] {
    sources_that_wait(url, PATIENT)
}

fn sources_that_wait(url: &str, timeout: Duration) -> [Arc<dyn ChainSource>; 2] {
    let core_rpc = CoreRpc::new(url, http_client()).expect("a URL");
    let esplora = Esplora::new(url, http_client()).expect("a URL");
    [
        Arc::new(core_rpc.with_timeout(timeout)),
        Arc::new(esplora.with_timeout(timeout)),
    ]
}

/// What each call of the interface answers.
async fn errors(source: &dyn ChainSource) -> Vec<ChainError> {
    let outpoint = OutPoint::new(Txid::hash(b"any"), 0);
    vec![
        source.genesis().await.expect_err("no answer to use"),
        source.tip().await.expect_err("no answer to use"),
        source
            .coins(&[outpoint])
            .await
            .expect_err("no answer to use"),
        source
            .spent_in_block(BlockHash::hash(b"any"))
            .await
            .expect_err("no answer to use"),
    ]
}

async fn all_unreachable(sources: [Arc<dyn ChainSource>; 2]) {
    for source in sources {
        for error in errors(&*source).await {
            assert!(matches!(error, ChainError::Unreachable { .. }), "{error}");
        }
    }
}

async fn all_invalid(url: &str) {
    for source in sources(url) {
        for error in errors(&*source).await {
            assert!(matches!(error, ChainError::Invalid { .. }), "{error}");
        }
    }
}

#[tokio::test]
async fn nobody_listens() {
    all_unreachable(sources(&faults::nobody().await)).await;
}

#[tokio::test]
async fn nobody_answers() {
    let started = Instant::now();
    all_unreachable(sources_that_wait(&faults::silent().await, IMPATIENT)).await;
    // Eight calls, each given up in time.
    assert!(started.elapsed() < IMPATIENT * 8 + PATIENT / 2);
}

#[tokio::test]
async fn an_error_of_the_server() {
    for status in [
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::TOO_MANY_REQUESTS,
    ] {
        let url = faults::always(status, b"try again later").await;
        all_unreachable(sources(&url)).await;
    }
}

#[tokio::test]
async fn garbage() {
    let deep: &[u8] = &[b'['; 10_000];
    for body in [
        b"".as_slice(),
        b"<html>",
        b"{}",
        b"[]",
        b"null",
        b"[null]",
        b"\xff\xfe",
        deep,
    ] {
        all_invalid(&faults::always(StatusCode::OK, body).await).await;
    }
}

#[tokio::test]
async fn an_endless_answer() {
    all_invalid(&faults::endless().await).await;
}

#[tokio::test]
async fn nonsense_of_a_node() {
    for body in [
        r#"[{"id":1,"result":"00","error":null}]"#,
        r#"[{"id":0,"result":{"blocks":-1},"error":null}]"#,
        r#"[{"id":0,"result":["ff"],"error":null}]"#,
    ] {
        let url = faults::always(StatusCode::OK, body.as_bytes()).await;
        let [core_rpc, _] = sources(&url);
        for error in errors(&*core_rpc).await {
            assert!(
                matches!(error, ChainError::Invalid { .. }),
                "{body}: {error}"
            );
        }
    }
}

/// Two answers to one question: neither is believed.
#[tokio::test]
async fn a_node_that_answers_twice() {
    let answer = format!(r#"{{"id":0,"result":"{}"}}"#, BlockHash::hash(b"any"));
    let once = format!("[{answer}]").leak();
    let [core_rpc, _] = sources(&faults::always(StatusCode::OK, once.as_bytes()).await);
    assert_eq!(core_rpc.genesis().await, Ok(BlockHash::hash(b"any")));
    let twice = format!("[{answer},{answer}]").leak();
    let [core_rpc, _] = sources(&faults::always(StatusCode::OK, twice.as_bytes()).await);
    let error = core_rpc.genesis().await.expect_err("two answers");
    assert!(matches!(error, ChainError::Invalid { .. }), "{error}");
}

/// A value, a depth or a script that cannot be is refused, never rounded and never a panic.
#[tokio::test]
async fn impossible_coins_of_a_node() {
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
        let [core_rpc, _] = sources(&faults::always(StatusCode::OK, body.as_bytes()).await);
        match core_rpc.coins(&[OutPoint::null()]).await {
            Err(ChainError::Invalid { reason: told, .. }) => assert_eq!(told, reason),
            answer => panic!("{value} {depth} {script}: {answer:?}"),
        }
    }
}

/// Whatever can be recomputed is: a server cannot pass off another transaction or block.
#[tokio::test]
async fn an_explorer_that_answers_something_else() {
    let genesis = genesis_block(Network::Regtest);
    let intact = bitcoin::consensus::serialize(&genesis);
    let mut block = intact.clone();
    let transaction = bitcoin::consensus::serialize(&genesis.txdata[0]);
    let other = BlockHash::hash(b"other").to_string();
    let tip = format!(
        r#"{{"id":"{}","height":0,"mediantime":0}}"#,
        genesis.block_hash()
    );
    // The header stays, a byte of the transaction below it changes.
    *block.last_mut().expect("a block") ^= 1;
    let asked = format!("/block/{}/raw", genesis.block_hash());
    let router = Router::new()
        .route(&asked, get(async || block))
        .route("/tx/{txid}/raw", get(async || transaction))
        .route("/blocks/tip/hash", get(async || other))
        .route("/block/{hash}", get(async || tip))
        .route("/block/{hash}/raw", get(async || intact));
    let [_, esplora] = sources(&format!("http://{}", faults::serve(router).await));
    let answers = [
        esplora.tip().await.map(drop),
        esplora.coins(&[OutPoint::null()]).await.map(drop),
        esplora.spent_in_block(genesis.block_hash()).await.map(drop),
        esplora
            .spent_in_block(BlockHash::hash(b"any"))
            .await
            .map(drop),
    ];
    for answer in answers {
        assert!(
            matches!(answer, Err(ChainError::Invalid { .. })),
            "{answer:?}"
        );
    }
}

#[test]
fn addresses() {
    let esplora = |url| Esplora::new(url, http_client()).map(|source| source.name().to_owned());
    for url in [
        "http://127.0.0.1:3000",
        "http://localhost/api",
        "http://[::1]:3000/",
    ] {
        assert!(esplora(url).is_ok(), "{url}");
    }
    assert_eq!(
        esplora("http://example.com"),
        Err(SourceUrlError::PlainHttp)
    );
    assert_eq!(
        esplora("http://127.0.0.1.example.com"),
        Err(SourceUrlError::PlainHttp)
    );
    assert_eq!(esplora("ftp://example.com"), Err(SourceUrlError::Scheme));
    assert_eq!(esplora("example"), Err(SourceUrlError::NotAUrl));
    let told = esplora("https://someone:secret@example.com/api");
    assert_eq!(told.as_deref(), Ok("Esplora at example.com"));
    let core_rpc = CoreRpc::new("http://someone:secret@node:8332", http_client()).expect("a URL");
    assert_eq!(
        format!("{core_rpc:?}"),
        r#"CoreRpc("Bitcoin Core at node:8332")"#
    );
}

/// A source whose newest block is another one at every second question.
#[derive(Debug)]
struct Restless(AtomicU8);

#[async_trait]
impl ChainSource for Restless {
    fn name(&self) -> &str {
        "restless"
    }

    async fn genesis(&self) -> Result<BlockHash, ChainError> {
        Ok(genesis_block(Network::Regtest).block_hash())
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        let count = self.0.fetch_add(1, Ordering::Relaxed);
        Ok(Tip {
            height: 1,
            hash: BlockHash::hash(&[count]),
            median_time: 0,
        })
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        Ok(vec![Coin::Missing; outpoints.len()])
    }

    async fn spent_in_block(&self, _block: BlockHash) -> Result<Vec<OutPoint>, ChainError> {
        Ok(Vec::new())
    }
}

/// Rule B2: what was looked up while the chain moved is not used.
#[tokio::test]
async fn a_tip_that_never_rests() {
    let source = Arc::new(Restless(AtomicU8::new(0)));
    let chain = Chain::connect(source.clone(), Network::Regtest)
        .await
        .expect("regtest");
    let answer = chain.look_up(&[OutPoint::null()]).await;
    assert_eq!(answer, Err(ChainError::Moved));
    assert_eq!(source.0.load(Ordering::Relaxed), 6, "three attempts");
}
