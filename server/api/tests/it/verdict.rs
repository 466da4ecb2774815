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
    let chain = Chain::connect(Arc::new(source), Network::Regtest)
        .await
        .expect("the right network");
    let still = node.still().await;
    let snapshot = chain
        .look_up_with_times(&candidate.outpoints(), &candidate.locked_in_time())
        .await
        .expect("the node answers");
    drop(still);
    let verified =
        tokio::task::spawn_blocking(move || verify(candidate, &snapshot, MIN_CONFIRMATIONS))
            .await
            .expect("verification never panics")?;
    verified.final_at_next_block().map(|()| verified)
}

/// The verdict on a file's bytes.
pub(crate) async fn verdict_of_bytes(node: &Node, file: &[u8]) -> Result<Verified, Refusal> {
    verdict(node, &STANDARD.encode(file)).await
}
