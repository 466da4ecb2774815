//! Several requests on one connection, which is kept and reopened.

use super::super::faults::unreachable;
use super::super::nowhere;
use super::*;

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

/// A server that closes every connection is not asked for ever.
#[tokio::test]
async fn a_server_that_closes_every_connection_is_unreachable() {
    let url = made_up(|_| Say::Close).await;
    unreachable(&electrum(&url)).await;
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
