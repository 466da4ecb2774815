//! Connections: TLS, time-outs, limits, and reconnecting.

use super::super::faults::{invalid, unreachable};
use super::*;

#[tokio::test]
async fn the_same_server_answers_over_tls() {
    let server = ElectrumX::shared().await;
    let source = Electrum::new(&server.ssl_url(), server.tls()).unwrap();
    let first = server.source().block_hash_at(1).await;
    assert_eq!(source.block_hash_at(1).await, first);
    assert!(source.tip().await.is_ok());
}

/// A certificate that the system does not trust is not trusted here.
#[tokio::test]
async fn a_certificate_that_the_system_does_not_trust_is_refused() {
    let server = ElectrumX::shared().await;
    let of_the_system = chain::sources::electrum::tls().expect("root certificates");
    for tls in [trusting(None), of_the_system] {
        let source: Source = Arc::new(Electrum::new(&server.ssl_url(), tls).unwrap());
        unreachable(&source).await;
    }
}

/// Plain TCP to a TLS port, and the other way round.
#[tokio::test]
async fn tls_and_plain_tcp_are_not_mistaken_for_each_other() {
    let server = ElectrumX::shared().await;
    let plain = format!("ssl://localhost:{}", server.port());
    let source = Electrum::new(&plain, server.tls()).unwrap();
    let source: Source = Arc::new(source.with_timeout(IMPATIENT));
    unreachable(&source).await;
    let secure = server.ssl_url().replace("ssl://", "tcp://");
    let answer = electrum_that_waits(&secure, IMPATIENT).tip().await;
    assert!(answer.is_err(), "{answer:?}");
}

#[tokio::test]
async fn a_server_that_greets_and_falls_silent_or_never_stops_is_given_up() {
    let started = Instant::now();
    let url = made_up(|_| Say::Nothing).await;
    unreachable(&electrum_that_waits(&url, IMPATIENT)).await;
    // An endless stream of notifications is no answer.
    let news = b"{\"jsonrpc\":\"2.0\",\"method\":\"blockchain.headers.subscribe\",\"params\":[]}\n";
    let url = made_up(move |_| Say::Forever(news)).await;
    unreachable(&electrum_that_waits(&url, IMPATIENT)).await;
    assert!(started.elapsed() < IMPATIENT * 6 + PATIENT / 2);
    // A line without an end.
    let url = made_up(|_| Say::Forever(&[b' '; 64 * 1024])).await;
    invalid(&electrum(&url)).await;
}

#[tokio::test]
async fn garbage_is_invalid() {
    let deep = &*"[".repeat(10_000).leak();
    let lines = r#"<html> {} [] null [null] {"id":0} {"id":-1,"result":0} {"id":99,"result":0} {"id":"0","result":0} {"id":null,"error":"what?"}"#;
    for line in lines.split(' ').chain(["", "\u{1}", deep]) {
        let url = made_up(move |_| Say::Line(line.to_owned())).await;
        invalid(&electrum(&url)).await;
    }
}

#[tokio::test]
async fn a_refusal_is_no_answer() {
    for error in [json!({"code": -32603, "message": "busy"}), json!("busy")] {
        let url = made_up(move |question| Say::error(question, error.clone())).await;
        unreachable(&electrum(&url)).await;
    }
}

#[tokio::test]
async fn two_answers_to_one_question() {
    let url = made_up(|question| {
        let line = format!(r#"{{"id":{},"result":"00"}}"#, question["id"]);
        Say::Line(format!("{line}\n{line}"))
    })
    .await;
    let outpoints = [b"one", b"two"].map(|text| OutPoint::new(Txid::hash(text), 0));
    let answer = electrum(&url).coins(&outpoints).await;
    assert_matches!(answer, Err(ChainError::Invalid { .. }));
}
