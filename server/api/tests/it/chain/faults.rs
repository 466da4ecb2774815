//! Sources that are down, slow, endless or lying: each is an error, and no coin counts as spent.

use std::sync::atomic::AtomicU8;

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
    let has_no_blocks = source.name().starts_with("Electrum");
    match source.spent_in_block(BlockHash::hash(b"any")).await {
        Ok(None) if has_no_blocks => {}
        spends => errors.push(spends.unwrap_err()),
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
    for status in [500, 429] {
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
    let mut bodies: Vec<&[u8]> = vec![b"", b"\xff\xfe", &[b'['; 10_000]];
    bodies.extend(["<html>", "{}", "[]", "null", "[null]"].map(str::as_bytes));
    let mut servers = vec![faults::endless().await];
    for body in bodies {
        servers.push(faults::always(200, body).await);
    }
    for source in servers.iter().flat_map(|url| sources(url)) {
        invalid(&source).await;
    }
}

#[test]
fn an_address_is_safe_to_use_and_safe_to_show() {
    let opened = |chain: &str| {
        let (kind, url) = chain.split_once(' ').expect("a kind");
        match kind {
            "esplora" => Esplora::new(url, http_client()).map(|it| it.name().to_owned()),
            "bitcoind" => CoreRpc::new(url, http_client()).map(|it| format!("{it:?}")),
            _ => Electrum::new(url, trusting(None)).map(|it| it.name().to_owned()),
        }
    };
    let safe = "
        esplora http://127.0.0.1:3000 | Esplora at 127.0.0.1:3000
        esplora http://localhost/api | Esplora at localhost
        esplora http://[::1]:3000/ | Esplora at [::1]:3000
        esplora https://someone:secret@example.com/api | Esplora at example.com
        bitcoind https://someone:secret@node:8332 | CoreRpc(\"Bitcoin Core at node:8332\")
        bitcoind http://node:8332 | CoreRpc(\"Bitcoin Core at node:8332\")
        bitcoind http://someone:secret@127.0.0.1:8332 | CoreRpc(\"Bitcoin Core at 127.0.0.1:8332\")
        bitcoind http://someone:secret@localhost:8332 | CoreRpc(\"Bitcoin Core at localhost:8332\")
        electrum tcp://127.0.0.1:50001 | Electrum at 127.0.0.1:50001
        electrum tcp://localhost:50001/ | Electrum at localhost:50001
        electrum tcp://[::1]:50001 | Electrum at [::1]:50001
        electrum ssl://electrum.example:50002 | Electrum at electrum.example:50002";
    for [chain, shown] in table(safe) {
        assert_eq!(opened(chain).as_deref(), Ok(shown));
    }
    let refused = "
        esplora http://example.com | PlainHttp
        esplora http://127.0.0.1.example.com | PlainHttp
        esplora ftp://example.com | Scheme
        esplora example | NotAUrl
        bitcoind http://someone:secret@node:8332 | PlainPassword
        bitcoind ftp://127.0.0.1 | Scheme
        electrum tcp://electrum.example:50001 | PlainTcp
        electrum tcp://10.0.0.1:50001 | PlainTcp
        electrum ssl://electrum.example | Electrum
        electrum ssl://:50002 | NotAUrl
        electrum ssl://user:secret@electrum.example:50002 | Electrum
        electrum ssl://electrum.example:50002/path | Electrum
        electrum ssl://electrum.example:50002?query | Electrum
        electrum http://electrum.example:50002 | Electrum";
    for [chain, error] in table(refused) {
        let refused = opened(chain).expect_err(chain);
        assert_eq!(format!("{refused:?}"), error, "{chain}");
    }
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
    let chain = agreeing(vec![Arc::new(source)], 1).await;
    let answer = chain.look_up(&[OutPoint::null()]).await;
    assert_eq!(answer, Err(ChainError::Moved));
    let asked = count.load(Ordering::Relaxed);
    assert_eq!(asked, 2, "one attempt: before and after");
}
