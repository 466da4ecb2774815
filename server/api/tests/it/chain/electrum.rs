//! Behavior specific to the Electrum protocol: its connections, and servers that lie.

mod lies;

use super::faults::{invalid, unreachable};
use super::*;
use crate::support::electrum_lies::{Say, made_up};
use crate::support::electrumx::ElectrumX;

/// Long enough for a busy machine to answer.
pub(super) const PATIENT: Duration = Duration::from_secs(60);

pub(super) const IMPATIENT: Duration = Duration::from_millis(300);

fn electrum(url: &str) -> Source {
    electrum_that_waits(url, PATIENT)
}

pub(super) fn electrum_that_waits(url: &str, timeout: Duration) -> Source {
    let source = Electrum::new(url, trusting(None)).unwrap();
    Arc::new(source.with_timeout(timeout))
}

#[tokio::test]
async fn a_server_answers_over_tls_only_with_a_certificate_that_is_trusted() {
    let server = ElectrumX::shared().await;
    let source = Electrum::new(&server.ssl_url(), server.tls()).unwrap();
    let first = server.source().block_hash_at(1).await;
    assert_eq!(source.block_hash_at(1).await, first);
    assert!(source.tip().await.is_ok());
    let of_the_system = chain::sources::electrum::tls().expect("root certificates");
    for tls in [trusting(None), of_the_system] {
        unreachable(&(Arc::new(Electrum::new(&server.ssl_url(), tls).unwrap()) as Source)).await;
    }
    // Plain TCP to a TLS port, and the other way round.
    let plain = format!("ssl://localhost:{}", server.port());
    let source = Electrum::new(&plain, server.tls()).unwrap();
    unreachable(&(Arc::new(source.with_timeout(IMPATIENT)) as Source)).await;
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
    // A server that closes every connection is not asked for ever.
    unreachable(&electrum(&made_up(|_| Say::Close).await)).await;
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

/// A connection is kept; when the server has closed it, the next request opens another.
#[tokio::test]
async fn a_connection_that_was_closed() {
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    // The second request finds the first connection closed, the third uses the new one.
    let say = move |question: &Value| match count.fetch_add(1, Ordering::Relaxed) {
        1 => Say::Close,
        _ => unknown(question),
    };
    let source = electrum(&made_up(say).await);
    for _ in 0..3 {
        assert_eq!(source.coins(&[nowhere()]).await, Ok(vec![Coin::Missing]));
    }
    assert_eq!(asked.load(Ordering::Relaxed), 4);
}

/// A large file's requests are pipelined, but only a few at a time: a server that waits for
/// the ninth before it answers the first waits for ever.
#[tokio::test]
async fn a_bounded_number_of_questions_is_under_way() {
    for (batch, goes_well) in [(8, true), (9, false)] {
        let held = Mutex::new(Vec::new());
        let url = made_up(move |question| {
            let mut held = held.lock().unwrap();
            held.push(question.clone());
            if held.len() < batch {
                return Say::Nothing;
            }
            // Answers come in any order.
            let lines = held.drain(..).rev().map(|held| match unknown(&held) {
                Say::Line(line) => line,
                _ => panic!("not a line"),
            });
            Say::Line(lines.collect::<Vec<_>>().join("\n"))
        })
        .await;
        let outpoint = |index: u32| OutPoint::new(Txid::hash(&index.to_le_bytes()), index);
        let outpoints: Vec<OutPoint> = (0..1_000).map(outpoint).collect();
        let timeout = if goes_well { PATIENT } else { IMPATIENT };
        match electrum_that_waits(&url, timeout).coins(&outpoints).await {
            Ok(coins) => assert_eq!((coins, goes_well), (vec![Coin::Missing; 1_000], true)),
            Err(error) => {
                assert_matches!((error, goes_well), (ChainError::Unreachable { .. }, false))
            }
        }
    }
}

/// ElectrumX holds small answers back for up to a second, in case more follow; the right requests avoid that.
#[tokio::test]
async fn small_answers_come_at_once() {
    let source = ElectrumX::shared().await.source();
    let started = Instant::now();
    for height in 1..=10 {
        assert_matches!(source.block_hash_at(height).await, Ok(Some(_)));
    }
    // Twenty answers.
    let took = started.elapsed();
    assert!(took.as_secs() < 10, "{took:?}");
}

/// Servers' error messages about a transaction that does not exist.
fn unknown(question: &Value) -> Say {
    let message = "daemon error: DaemonError({'code': -5, 'message': 'No such mempool or blockchain transaction.'})";
    Say::error(question, json!({"code": 2, "message": message}))
}
