//! Sources that are down, slow, endless or lying: each is an error, and no coin counts as spent.

use std::sync::atomic::AtomicU8;
use std::time::Instant;

use super::double::Double;
use super::electrum::{IMPATIENT, PATIENT, electrum_that_waits};
use super::*;
use crate::support::faults;

/// Every kind of source at the same bad server.
pub(super) fn sources(url: &str) -> [Source; 3] {
    sources_that_wait(url, PATIENT)
}

fn sources_that_wait(url: &str, timeout: Duration) -> [Source; 3] {
    let core_rpc = CoreRpc::new(url, http_client()).unwrap();
    let esplora = Esplora::new(url, http_client()).unwrap();
    [
        Arc::new(core_rpc.with_timeout(timeout)),
        Arc::new(esplora.with_timeout(timeout)),
        electrum_that_waits(&url.replace("http://", "tcp://"), timeout),
    ]
}

/// What each call of the interface answers.
pub(super) async fn errors(source: &Source) -> Vec<ChainError> {
    let mut errors = vec![
        source.block_hash_at(0).await.unwrap_err(),
        source.tip().await.unwrap_err(),
        source.coins(&[nowhere()]).await.unwrap_err(),
    ];
    match source.spent_in_block(BlockHash::hash(b"any")).await {
        Err(error) => errors.push(error),
        Ok(spends) => {
            let has_no_blocks = source.name().starts_with("Electrum") && spends.is_none();
            assert!(has_no_blocks, "{source:?}");
        }
    }
    errors
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
    // Eleven calls, each aborted in time.
    assert!(started.elapsed() < IMPATIENT * 11 + PATIENT / 2);
}

#[tokio::test]
async fn an_error_of_the_server_is_no_answer() {
    for status in [
        StatusCode::INTERNAL_SERVER_ERROR,
        StatusCode::TOO_MANY_REQUESTS,
    ] {
        let url = faults::always(status, b"try again later").await;
        let [core_rpc, esplora, electrum] = sources(&url);
        unreachable(&core_rpc).await;
        unreachable(&esplora).await;
        // Not the protocol of Electrum.
        invalid(&electrum).await;
    }
}

#[tokio::test]
async fn garbage_is_invalid_and_an_endless_answer_is_cut_off() {
    let deep: &[u8] = &[b'['; 10_000];
    let short = [
        b"".as_slice(),
        b"<html>",
        b"{}",
        b"[]",
        b"null",
        b"[null]",
        b"\xff\xfe",
    ];
    let mut servers = vec![faults::endless().await];
    for body in short.into_iter().chain([deep]) {
        servers.push(faults::always(StatusCode::OK, body).await);
    }
    for source in servers.iter().flat_map(|url| sources(url)) {
        invalid(&source).await;
    }
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
    for (url, error) in [
        ("http://example.com", SourceUrlError::PlainHttp),
        ("http://127.0.0.1.example.com", SourceUrlError::PlainHttp),
        ("ftp://example.com", SourceUrlError::Scheme),
        ("example", SourceUrlError::NotAUrl),
    ] {
        assert_eq!(esplora(url), Err(error), "{url}");
    }
    let told = esplora("https://someone:secret@example.com/api");
    assert_eq!(told.as_deref(), Ok("Esplora at example.com"));
    assert_eq!(
        CoreRpc::new("http://someone:secret@node:8332", http_client()).err(),
        Some(SourceUrlError::PlainPassword)
    );
    let core_rpc = CoreRpc::new("https://someone:secret@node:8332", http_client()).unwrap();
    assert_eq!(
        format!("{core_rpc:?}"),
        r#"CoreRpc("Bitcoin Core at node:8332")"#
    );
}

/// Rule B2: a look-up during which the chain moved is not used.
#[tokio::test]
async fn a_look_up_ends_when_the_tip_never_rests() {
    let source = Double::made_up();
    let count = Arc::new(AtomicU8::new(0));
    let asked = Arc::clone(&count);
    source.change_tip(move |tip| {
        tip.hash = BlockHash::hash(&[asked.fetch_add(1, Ordering::Relaxed)]);
    });
    let chain = Chain::connect(Arc::new(source), Network::Regtest).await;
    let answer = chain.expect("regtest").look_up(&[OutPoint::null()]).await;
    assert_eq!(answer, Err(ChainError::Moved));
    let asked = count.load(Ordering::Relaxed);
    assert_eq!(asked, 2, "one attempt: before and after");
}
