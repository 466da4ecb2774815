//! Reading, look-up and verification of a file as in the server, on a real node.

use chain::sources::core_rpc::CoreRpc;
use verify::{Refusal, Verified, read, verify};

use crate::support::prelude::*;

/// The default of `MIN_CONFIRMATIONS`.
const MIN_CONFIRMATIONS: u32 = 1;

/// The verdict on an unbound file, from the text that a client sends.
pub(crate) async fn verdict(node: &Node, file: &str) -> Result<Verified, Refusal> {
    let candidate = read(file, Vec::new())?;
    let source = CoreRpc::new(node.url(), http_client()).unwrap();
    let (source, network) = (Arc::new(source), Network::Regtest);
    let chain = Chain::connect(vec![source], 1, network, None, Clock::System).await;
    let (outpoints, times) = (candidate.outpoints(), candidate.locked_in_time());
    let still = node.still().await;
    let snapshot = chain.unwrap().look_up_with_times(&outpoints, &times).await;
    drop(still);
    let snapshot = snapshot.expect("the node answers");
    let verify = move || verify(candidate, &snapshot, MIN_CONFIRMATIONS);
    let verified = tokio::task::spawn_blocking(verify).await;
    let verified = verified.expect("verification never panics")?;
    verified.final_at_next_block().map(|()| verified)
}

/// The verdict on a file's bytes.
pub(crate) async fn verdict_of_bytes(node: &Node, file: &[u8]) -> Result<Verified, Refusal> {
    verdict(node, &STANDARD.encode(file)).await
}
