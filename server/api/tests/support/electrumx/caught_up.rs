//! A source that waits for the real server.

use chain::Coin;
use chain::sources::electrum::Electrum;
use tokio::sync::Mutex as Turn;

use super::{DEADLINE, ElectrumX};
use crate::support::double::Double;
use crate::support::prelude::*;

/// The shared server on the shared node, as a source that answers only after it has processed its node's newest block and its mempool:
/// it polls the node ten times a second, and tests do not wait between two steps.
pub(crate) async fn caught_up() -> Arc<Double> {
    let node = Node::shared().await;
    let source = Arc::new(ElectrumX::shared().await.source());
    let seen: Arc<Turn<HashSet<Txid>>> = Arc::default();
    let asked = Arc::clone(&source);
    let wait = move |about_coins| {
        let (source, seen) = (Arc::clone(&asked), Arc::clone(&seen));
        async move { until_it_knows(node, &source, about_coins, &seen).await }.boxed()
    };
    Arc::new(Double::waiting(source, wait))
}

async fn until_it_knows(
    node: &Node,
    source: &Electrum,
    about_coins: bool,
    seen: &Turn<HashSet<Txid>>,
) {
    let (height, _) = node.tip().await;
    let started = Instant::now();
    while source.tip().await.map_or(0, |tip| tip.height) < height {
        wait(started).await;
    }
    if !about_coins {
        return;
    }
    let mut seen = seen.lock().await;
    let mempool = node.call("getrawmempool", json!([])).await;
    for txid in mempool.as_array().into_iter().flatten() {
        let txid: Txid = text(txid).parse().unwrap();
        let outputs = [0, 1].map(|vout| OutPoint { txid, vout });
        while !seen.contains(&txid) {
            match source.coins(&outputs).await {
                Ok(coins) if !coins.contains(&Coin::Unknown) => drop(seen.insert(txid)),
                _ => wait(started).await,
            }
        }
    }
}

async fn wait(started: Instant) {
    assert!(started.elapsed() < DEADLINE, "ElectrumX does not catch up");
    tokio::time::sleep(Duration::from_millis(20)).await;
}
