//! Sources that are down, slow, endless or lying: each is an error, none is a spent coin.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use axum::http::StatusCode;
use bitcoin::constants::genesis_block;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network, OutPoint, Txid};
use chain::sources::core_rpc::CoreRpc;
use chain::sources::esplora::Esplora;
use chain::{Chain, ChainError, ChainSource, Coin, SourceUrlError, Spends, Tip};

use crate::support::{faults, http_client};

/// Long enough for every answer that comes at all, also on a busy machine.
const PATIENT: Duration = Duration::from_secs(60);

const IMPATIENT: Duration = Duration::from_millis(300);

/// Both sources at the same bad server.
pub(super) fn sources(url: &str) -> [Arc<dyn ChainSource>; 2] {
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
pub(super) async fn errors(source: &dyn ChainSource) -> Vec<ChainError> {
    let outpoint = OutPoint::new(Txid::hash(b"any"), 0);
    vec![
        source.block_hash_at(0).await.expect_err("no answer to use"),
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
async fn a_server_that_is_not_there_is_unreachable() {
    all_unreachable(sources(&faults::nobody().await)).await;
}

#[tokio::test]
async fn a_server_that_is_silent_is_given_up() {
    let started = Instant::now();
    all_unreachable(sources_that_wait(&faults::silent().await, IMPATIENT)).await;
    // Eight calls, each given up in time.
    assert!(started.elapsed() < IMPATIENT * 8 + PATIENT / 2);
}

#[tokio::test]
async fn an_error_of_the_server_is_no_answer() {
    for status in [
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::TOO_MANY_REQUESTS,
    ] {
        let url = faults::always(status, b"try again later").await;
        all_unreachable(sources(&url)).await;
    }
}

#[tokio::test]
async fn garbage_is_invalid() {
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
async fn an_endless_answer_is_cut_off() {
    all_invalid(&faults::endless().await).await;
}

#[test]
fn an_address_is_safe_to_use_and_safe_to_show() {
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
    assert_eq!(
        CoreRpc::new("http://someone:secret@node:8332", http_client()).err(),
        Some(SourceUrlError::PlainPassword)
    );
    let core_rpc = CoreRpc::new("https://someone:secret@node:8332", http_client()).expect("a URL");
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

    async fn block_hash_at(&self, _height: u32) -> Result<Option<BlockHash>, ChainError> {
        Ok(Some(genesis_block(Network::Regtest).block_hash()))
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

    async fn spent_in_block(&self, _block: BlockHash) -> Result<Option<Spends>, ChainError> {
        Ok(None)
    }
}

/// Rule B2: what was looked up while the chain moved is not used.
#[tokio::test]
async fn a_look_up_ends_when_the_tip_never_rests() {
    let source = Arc::new(Restless(AtomicU8::new(0)));
    let chain = Chain::connect(source.clone(), Network::Regtest)
        .await
        .expect("regtest");
    let answer = chain.look_up(&[OutPoint::null()]).await;
    assert_eq!(answer, Err(ChainError::Moved));
    assert_eq!(
        source.0.load(Ordering::Relaxed),
        2,
        "one attempt: before and after"
    );
}
