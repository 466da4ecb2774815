//! The way of a file through reading, look-up and verification, as the server goes it, on a real node.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LOCK_TIME_THRESHOLD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network, Transaction};
use chain::sources::core_rpc::CoreRpc;
use chain::{Chain, Tip};
use verify::{Candidate, Refusal, UtxoHint, Verified, read, verify};

use crate::support::http_client;
use crate::support::node::Node;

/// `MIN_CONFIRMATIONS` as it is by default.
const MIN_CONFIRMATIONS: u32 = 1;

/// A tip at which every lock that scripts of published vectors ask for is over.
pub(crate) fn no_lock() -> Tip {
    Tip {
        height: LOCK_TIME_THRESHOLD - 1,
        hash: BlockHash::all_zeros(),
        median_time: i64::MAX,
    }
}

/// What becomes of a file that has been read, however it is bound.
pub(crate) async fn verdict_of_candidate(
    node: &Node,
    candidate: Candidate,
) -> Result<Verified, Refusal> {
    let source = CoreRpc::new(node.url(), http_client()).expect("a URL");
    let chain = Chain::connect(Arc::new(source), Network::Regtest)
        .await
        .expect("the right network");
    let still = node.still().await;
    let snapshot = chain
        .look_up_with_times(&candidate.outpoints(), &candidate.locked_in_time())
        .await
        .expect("the node answers");
    drop(still);
    tokio::task::spawn_blocking(move || verify(candidate, &snapshot, MIN_CONFIRMATIONS))
        .await
        .expect("verification never panics")
}

/// What becomes of a file that is not bound, sent with what the client says about its coins.
pub(crate) async fn verdict_with(
    node: &Node,
    file: &str,
    hints: Vec<UtxoHint>,
) -> Result<Verified, Refusal> {
    let verified = verdict_of_candidate(node, read(file, hints)?).await?;
    verified.final_at_next_block().map(|()| verified)
}

/// What becomes of a file: the text that a client sends.
pub(crate) async fn verdict(node: &Node, file: &str) -> Result<Verified, Refusal> {
    verdict_with(node, file, Vec::new()).await
}

/// What becomes of the bytes of a file.
pub(crate) async fn verdict_of_bytes(node: &Node, file: &[u8]) -> Result<Verified, Refusal> {
    verdict(node, &STANDARD.encode(file)).await
}

/// What becomes of a final transaction.
pub(crate) async fn verdict_of(
    node: &Node,
    transaction: &Transaction,
) -> Result<Verified, Refusal> {
    verdict_of_bytes(node, &serialize(transaction)).await
}

/// Asserts that a file was refused by the rule `code` because of the input `input`, and by no other.
#[track_caller]
pub(crate) fn assert_refused(
    verdict: &Result<Verified, Refusal>,
    code: &str,
    input: impl Into<Option<usize>>,
) {
    match verdict {
        Ok(verified) => panic!("accepted, not {code}: {:?}", verified.transaction),
        Err(refusal) => {
            assert_eq!(refusal.code(), code, "{refusal}");
            assert_eq!(refusal.input(), input.into(), "{refusal}");
            assert_sentence(refusal);
        }
    }
}

/// A person is told which input it is, counted from 1, in whole sentences.
#[track_caller]
fn assert_sentence(refusal: &Refusal) {
    let sentence = refusal.to_string();
    if let Some(input) = refusal.input() {
        let named = format!("Input {} ", input + 1);
        assert!(sentence.contains(&named), "{sentence}");
    }
    // The reader's first messages are the specification's own, without a full stop.
    assert!(
        sentence.ends_with('.') || matches!(refusal, Refusal::File(_)),
        "{sentence}"
    );
}

/// Asserts that a file was accepted.
#[track_caller]
pub(crate) fn assert_accepted(verdict: &Result<Verified, Refusal>, what: &str) {
    if let Err(refusal) = verdict {
        panic!("{what}: {}: {refusal}", refusal.code());
    }
}
