//! Connections: TLS, time-outs, limits, and that one is opened again when it broke.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use bitcoin::hashes::Hash;
use bitcoin::{Amount, OutPoint, Txid};
use serde_json::{Value, json};
use server::chain::electrum::Electrum;
use server::chain::{ChainError, ChainSource, Coin};

use super::super::behaviours::unspent;
use super::{IMPATIENT, PATIENT, all_invalid, all_unreachable, electrum, electrum_that_waits};
use crate::support::electrum_lies::{Say, made_up};
use crate::support::electrumx::{CaughtUp, ElectrumX, trusting};
use crate::support::faults;
use crate::support::node::{AddressType, Node};

#[tokio::test]
async fn over_tls() {
    let server = ElectrumX::shared().await;
    let source = Electrum::new(&server.ssl_url(), server.tls()).expect("an address");
    let plain = server.source();
    assert_eq!(
        source.block_hash_at(1).await,
        plain.block_hash_at(1).await,
        "the same server"
    );
    assert!(source.tip().await.is_ok());
}

/// A certificate that the system does not trust is not trusted here.
#[tokio::test]
async fn tls_without_trust() {
    let server = ElectrumX::shared().await;
    for tls in [
        trusting(None),
        server::chain::electrum::tls().expect("root certificates"),
    ] {
        let source = Electrum::new(&server.ssl_url(), tls).expect("an address");
        all_unreachable(&source).await;
    }
}

/// Plain TCP where TLS is spoken, and the other way round.
#[tokio::test]
async fn the_wrong_port() {
    let server = ElectrumX::shared().await;
    let plain = format!("ssl://localhost:{}", server.port());
    let source = Electrum::new(&plain, server.tls()).expect("an address");
    all_unreachable(&source.with_timeout(IMPATIENT)).await;
    let secure = server.ssl_url().replace("ssl://", "tcp://");
    let answer = electrum_that_waits(&secure, IMPATIENT).tip().await;
    assert!(answer.is_err(), "{answer:?}");
}

#[tokio::test]
async fn nobody_listens() {
    let url = faults::nobody().await.replace("http://", "tcp://");
    all_unreachable(&electrum(&url)).await;
}

#[tokio::test]
async fn nobody_answers() {
    let url = faults::silent().await.replace("http://", "tcp://");
    let started = Instant::now();
    all_unreachable(&electrum_that_waits(&url, IMPATIENT)).await;
    // It greets and then falls silent.
    let url = made_up(|_| Say::Nothing).await;
    all_unreachable(&electrum_that_waits(&url, IMPATIENT)).await;
    assert!(started.elapsed() < IMPATIENT * 8 + PATIENT / 2);
}

#[tokio::test]
async fn garbage() {
    for line in [
        "",
        "<html>",
        "{}",
        "[]",
        "null",
        "[null]",
        "\u{1}",
        "{\"id\":0}",
        "{\"id\":-1,\"result\":0}",
        "{\"id\":99,\"result\":0}",
        "{\"id\":\"0\",\"result\":0}",
        "{\"id\":null,\"error\":\"what?\"}",
    ] {
        let url = made_up(move |_| Say::Line(line.to_owned())).await;
        all_invalid(&electrum(&url)).await;
    }
    let deep = "[".repeat(10_000);
    let url = made_up(move |_| Say::Line(deep.clone())).await;
    all_invalid(&electrum(&url)).await;
    // A web server.
    let url = faults::always(axum::http::StatusCode::OK, b"hello").await;
    all_invalid(&electrum(&url.replace("http://", "tcp://"))).await;
}

#[tokio::test]
async fn a_line_without_an_end() {
    let url = made_up(|_| Say::Forever(&[b' '; 64 * 1024])).await;
    all_invalid(&electrum(&url)).await;
}

/// News that never end are no answer.
#[tokio::test]
async fn nothing_but_news() {
    let news = b"{\"jsonrpc\":\"2.0\",\"method\":\"blockchain.headers.subscribe\",\"params\":[]}\n";
    let url = made_up(move |_| Say::Forever(news)).await;
    all_unreachable(&electrum_that_waits(&url, IMPATIENT)).await;
}

#[tokio::test]
async fn refusals() {
    for error in [json!({"code": -32603, "message": "busy"}), json!("busy")] {
        let url = made_up(move |question| Say::error(question, error.clone())).await;
        all_unreachable(&electrum(&url)).await;
    }
}

#[tokio::test]
async fn two_answers_to_one_question() {
    let url = made_up(|question| {
        let id = &question["id"];
        let line = format!(r#"{{"id":{id},"result":"00"}}"#);
        Say::Line(format!("{line}\n{line}"))
    })
    .await;
    let outpoints = [b"one", b"two"].map(|text| OutPoint::new(Txid::hash(text), 0));
    let answer = electrum(&url).coins(&outpoints).await;
    assert!(
        matches!(answer, Err(ChainError::Invalid { .. })),
        "{answer:?}"
    );
}

/// A connection is kept; when the server closed it meanwhile, the next question opens another.
#[tokio::test]
async fn a_connection_that_was_closed() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let url = made_up(move |question| {
        match count.fetch_add(1, Ordering::Relaxed) {
            // The second question on the first connection finds it closed, the third is the same again.
            1 => Say::Close,
            _ => unknown(question),
        }
    })
    .await;
    let source = electrum(&url);
    let outpoint = OutPoint::new(Txid::hash(b"any"), 0);
    for _ in 0..3 {
        assert_eq!(source.coins(&[outpoint]).await, Ok(vec![Coin::Missing]));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

/// A server that closes every connection is not asked for ever.
#[tokio::test]
async fn a_server_that_closes_every_connection() {
    let url = made_up(|_| Say::Close).await;
    all_unreachable(&electrum(&url)).await;
}

/// The questions of a large file are under way together, but not all at once: a server that waits for
/// the ninth before it answers the first waits in vain.
#[tokio::test]
async fn a_bounded_number_of_questions_is_under_way() {
    for (batch, goes_well) in [(8, true), (9, false)] {
        let held = std::sync::Mutex::new(Vec::new());
        let url = made_up(move |question| {
            let mut held = held.lock().expect("no panic");
            held.push(question.clone());
            if held.len() < batch {
                return Say::Nothing;
            }
            // Answers come in any order.
            let lines: Vec<String> = held
                .drain(..)
                .rev()
                .map(|held| line(unknown(&held)))
                .collect();
            Say::Line(lines.join("\n"))
        })
        .await;
        let outpoints: Vec<OutPoint> = (0..1_000_u32)
            .map(|index| OutPoint::new(Txid::hash(&index.to_le_bytes()), index))
            .collect();
        let timeout = if goes_well { PATIENT } else { IMPATIENT };
        let answer = electrum_that_waits(&url, timeout).coins(&outpoints).await;
        if goes_well {
            assert_eq!(answer, Ok(vec![Coin::Missing; 1_000]));
        } else {
            assert!(
                matches!(answer, Err(ChainError::Unreachable { .. })),
                "{answer:?}"
            );
        }
    }
}

/// A thousand coins of a thousand scripts, from the real server.
#[tokio::test]
async fn a_thousand_coins() {
    let node = Node::shared().await;
    let wallet = node.wallet().await;
    let wanted: Vec<_> = (0..1_000)
        .map(|index| (AddressType::Bech32, Amount::from_sat(10_000 + index)))
        .collect();
    let outpoints = wallet.fund_all(&wanted).await;
    let source: Arc<dyn ChainSource> = Arc::new(CaughtUp::shared().await);
    unspent(&source, outpoints[0]).await;
    let coins = source.coins(&outpoints).await.expect("an answer");
    let values = coins.iter().filter_map(|coin| match coin {
        Coin::Unspent(coin) => Some(coin.output.value),
        _ => None,
    });
    assert!(values.eq(wanted.iter().map(|(_, value)| *value)));
}

/// What servers say to a transaction that does not exist.
fn unknown(question: &Value) -> Say {
    let message = "daemon error: DaemonError({'code': -5, 'message': 'No such mempool or blockchain transaction.'})";
    Say::error(question, json!({"code": 2, "message": message}))
}

fn line(say: Say) -> String {
    match say {
        Say::Line(line) => line,
        _ => panic!("not a line"),
    }
}
