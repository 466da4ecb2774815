//! Sources that are down, slow, endless or lying: each is an error, and no coin counts as spent. An answer that cannot be true is
//! refused, never used in part.

use std::sync::atomic::AtomicU8;

use super::*;
use crate::support::faults;

/// Long enough for a busy machine to answer.
const PATIENT: Duration = Duration::from_secs(60);

const IMPATIENT: Duration = Duration::from_millis(300);

/// Every kind of source at the same bad server.
pub(super) fn sources(url: &str) -> [Source; 2] {
    sources_that_wait(url, PATIENT)
}

fn sources_that_wait(url: &str, timeout: Duration) -> [Source; 2] {
    let core_rpc = CoreRpc::new(url, http_client()).unwrap();
    let esplora = Esplora::new(url, http_client()).unwrap();
    [
        Arc::new(core_rpc.with_timeout(timeout)),
        Arc::new(esplora.with_timeout(timeout)),
    ]
}

/// The result of each method of a chain source.
pub(super) async fn errors(source: &Source) -> Vec<ChainError> {
    let block = BlockHash::hash(b"any");
    vec![
        source.block_hash_at(0).await.unwrap_err(),
        source.tip().await.unwrap_err(),
        source.coins(&[nowhere()]).await.unwrap_err(),
        source.spent_in_block(block).await.unwrap_err(),
    ]
}

pub(super) async fn unreachable(source: &Source) {
    for error in errors(source).await {
        assert_matches!(error, ChainError::Unreachable { .. });
    }
}

pub(super) async fn invalid(source: &Source) {
    for error in errors(source).await {
        assert_matches!(error, ChainError::Invalid { .. });
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_or_silent_is_unreachable() {
    for source in sources(&faults::nobody().await) {
        unreachable(&source).await;
    }
    let started = Instant::now();
    for source in sources_that_wait(&faults::silent().await, IMPATIENT) {
        unreachable(&source).await;
    }
    // Eight calls, each aborted in time.
    assert!(started.elapsed() < IMPATIENT * 8 + PATIENT / 2);
}

#[tokio::test]
async fn an_error_of_the_server_is_no_answer() {
    for status in [500, 429] {
        let url = faults::always(status, b"try again later").await;
        for source in sources(&url) {
            unreachable(&source).await;
        }
    }
}

#[tokio::test]
async fn garbage_is_invalid_and_an_endless_answer_is_cut_off() {
    let mut bodies: Vec<&[u8]> = vec![b"", b"\xff\xfe", &[b'['; 10_000]];
    bodies.extend(["<html>", "{}", "[]", "null", "[null]"].map(str::as_bytes));
    let mut servers = vec![faults::endless().await];
    for body in bodies {
        servers.push(faults::always(200, body).await);
    }
    for source in servers.iter().flat_map(|url| sources(url)) {
        invalid(&source).await;
    }
    for of_a_node in [
        r#"[{"id":1,"result":"00","error":null}]"#,
        r#"[{"id":0,"result":{"blocks":-1},"error":null}]"#,
        r#"[{"id":0,"result":["ff"],"error":null}]"#,
    ] {
        let [core_rpc, ..] = sources(&faults::always(200, of_a_node.as_bytes()).await);
        invalid(&core_rpc).await;
    }
}

#[test]
fn avatar_url_is_a_path_of_our_own() {
    let opened = |chain: &str| {
        let (kind, url) = chain.split_once(' ').expect("a kind");
        match kind {
            "esplora" => Esplora::new(url, http_client()).map(|it| it.name().to_owned()),
            _ => CoreRpc::new(url, http_client()).map(|it| it.name().to_owned()),
        }
    };
    let safe = "
        esplora http://127.0.0.1:3000 | Esplora at 127.0.0.1:3000
        esplora http://localhost/api | Esplora at localhost
        esplora http://[::1]:3000/ | Esplora at [::1]:3000
        esplora https://someone:secret@example.com/api | Esplora at example.com
        bitcoind https://someone:secret@node:8332 | Bitcoin Core at node:8332
        bitcoind http://node:8332 | Bitcoin Core at node:8332
        bitcoind http://someone:secret@127.0.0.1:8332 | Bitcoin Core at 127.0.0.1:8332
        bitcoind http://someone:secret@localhost:8332 | Bitcoin Core at localhost:8332";
    for [chain, shown] in table(safe) {
        assert_eq!(opened(chain).as_deref(), Ok(shown));
    }
    let refused = "
        esplora http://example.com | PlainHttp
        esplora http://127.0.0.1.example.com | PlainHttp
        esplora ftp://example.com | Scheme
        esplora example | NotAUrl
        bitcoind http://someone:secret@node:8332 | PlainPassword
        bitcoind ftp://127.0.0.1 | Scheme";
    for [chain, error] in table(refused) {
        let refused = opened(chain).expect_err(chain);
        assert_eq!(format!("{refused:?}"), error, "{chain}");
    }
}

/// Rule B2: a look-up during which the chain moved is not used.
#[tokio::test]
async fn a_look_up_fails_when_the_tip_keeps_changing() {
    let source = Double::made_up();
    let count = Arc::new(AtomicU8::new(0));
    let asked = Arc::clone(&count);
    source.change_tip(move |tip| {
        tip.hash = BlockHash::hash(&[asked.fetch_add(1, Ordering::Relaxed)]);
    });
    let chain = agreeing(vec![Arc::new(source)], 1).await;
    let answer = chain.look_up(&[OutPoint::null()]).await;
    assert_eq!(answer, Err(ChainError::Moved));
    let asked = count.load(Ordering::Relaxed);
    assert_eq!(asked, 2, "one attempt: before and after");
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
        ("1.5", 1, "5", "a result of another shape"),
    ] {
        let coin = format!(
            r#"{{"bestblock":"{hash}","confirmations":{depth},"value":{value},"coinbase":false,
                "scriptPubKey":{{"hex":"{script}"}},"height":1,"mediantime":1}}"#
        );
        let body = format!(r#"[{{"id":0,"result":{coin},"error":null}}]"#).leak();
        let [core_rpc, ..] = sources(&faults::always(200, body.as_bytes()).await);
        match core_rpc.coins(&[OutPoint::null()]).await {
            Err(ChainError::Invalid { reason: found, .. }) => assert_eq!(found, reason),
            answer => panic!("{value} {depth} {script}: {answer:?}"),
        }
    }
}

/// Everything that can be recomputed is: a server cannot substitute another transaction or block.
#[tokio::test]
async fn invalid_answers_of_an_explorer_are_errors() {
    let genesis = genesis_block(Network::Regtest);
    let intact = serialize(&genesis);
    let mut block = intact.clone();
    let transaction = serialize(&genesis.txdata[0]);
    let other = BlockHash::hash(b"other").to_string();
    let hash = genesis.block_hash();
    let tip = format!(r#"{{"id":"{hash}","height":0,"mediantime":0}}"#);
    // Changes a byte of the block's transaction, not of its header.
    *block.last_mut().unwrap() ^= 1;
    let asked = format!("/block/{hash}/raw");
    let router = Router::new()
        .route(&asked, get(async || block))
        .route("/tx/{txid}/raw", get(async || transaction))
        .route("/blocks/tip/hash", get(async || other))
        .route("/block/{hash}", get(async || tip))
        .route("/block/{hash}/raw", get(async || intact));
    let [_, esplora] = sources(&serve(router).await);
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
