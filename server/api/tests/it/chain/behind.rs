//! Rule B6: a source of mainnet whose newest block is old is no source, whichever it is.

use std::sync::Arc;

use async_trait::async_trait;
use bitcoin::constants::genesis_block;
use bitcoin::hashes::Hash;
use bitcoin::{BlockHash, Network, OutPoint, Txid};
use chain::clock::Clock;
use chain::sources::core_rpc::CoreRpc;
use chain::{Behind, Chain, ChainError, ChainSource, Coin, Spends, Tip};
use serde_json::json;

use super::{Source, core_rpc, esplora};
use crate::support::electrumx::CaughtUp;
use crate::support::http_client;
use crate::support::node::Node;
use crate::support::rpc_proxy::RpcProxy;

const HOUR: i64 = 60 * 60;
const YEAR: i64 = 365 * 24 * HOUR;

/// A real source that passes for one of mainnet: only the blocks by which networks are told apart are made up.
#[derive(Debug)]
struct OfMainnet(Source);

#[async_trait]
impl ChainSource for OfMainnet {
    fn name(&self) -> &str {
        self.0.name()
    }

    async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        if height == 0 {
            return Ok(Some(genesis_block(Network::Bitcoin).block_hash()));
        }
        Ok(Some(super::network::BITCOIN.parse().expect("a hash")))
    }

    async fn tip(&self) -> Result<Tip, ChainError> {
        self.0.tip().await
    }

    async fn coins(&self, outpoints: &[OutPoint]) -> Result<Vec<Coin>, ChainError> {
        self.0.coins(outpoints).await
    }

    async fn spent_in_block(&self, block: BlockHash) -> Result<Option<Spends>, ChainError> {
        self.0.spent_in_block(block).await
    }
}

async fn of_mainnet(sources: Vec<Source>, clock: &Clock) -> Chain {
    let needed = sources.len();
    let sources = sources
        .into_iter()
        .map(|source| Arc::new(OfMainnet(source)) as Source);
    let sources = sources.collect();
    Chain::connect_all(sources, needed, Network::Bitcoin, clock.clone())
        .await
        .expect("it passes for mainnet")
}

async fn all() -> Vec<Source> {
    let node = Node::shared().await;
    vec![
        Arc::new(core_rpc(node)),
        Arc::new(esplora(node).await),
        Arc::new(CaughtUp::shared().await),
    ]
}

#[tokio::test]
async fn every_source_is_asked_no_more_once_its_newest_block_is_old() {
    let _still = Node::shared().await.still().await;
    let nowhere = OutPoint::new(Txid::hash(b"no such transaction"), 0);
    for source in all().await {
        let newest = source.tip().await.expect("an answer").median_time;
        let clock = Clock::manual(newest + 3 * HOUR);
        let chain = of_mainnet(vec![source.clone()], &clock).await;
        assert!(chain.tip().await.is_ok(), "{source:?}");
        assert!(chain.look_up(&[nowhere]).await.is_ok(), "{source:?}");
        clock.advance(YEAR);
        let old = Behind::Stale {
            hours: (YEAR + 3 * HOUR) / HOUR,
        };
        let refused = chain.look_up(&[nowhere]).await.expect_err("no answer");
        assert_eq!(refused.behind(), Some(old), "{source:?}");
        let refused = chain.tip().await.expect_err("no answer");
        assert_eq!(refused.behind(), Some(old), "{source:?}");
        let said = refused.to_string();
        assert!(
            said.contains("its newest block is 8763 hours old"),
            "{said}"
        );
    }
}

#[tokio::test]
async fn a_quorum_of_old_sources_is_none_and_says_why() {
    let _still = Node::shared().await.still().await;
    let sources = all().await;
    let newest = sources[0].tip().await.expect("an answer").median_time;
    let chain = of_mainnet(sources, &Clock::manual(newest + YEAR)).await;
    let refused = chain.tip().await.expect_err("no answer");
    assert!(
        matches!(refused, ChainError::TooFew { answered: 0, .. }),
        "{refused:?}"
    );
    let old = Behind::Stale { hours: YEAR / HOUR };
    assert_eq!(refused.behind(), Some(old));
}

/// Test networks stand still for days, and prove nothing of value.
#[tokio::test]
async fn other_networks_may_stand_still() {
    let _still = Node::shared().await.still().await;
    for source in all().await {
        let newest = source.tip().await.expect("an answer").median_time;
        let clock = Clock::manual(newest + YEAR);
        let chain = Chain::connect_all(vec![source], 1, Network::Regtest, clock).await;
        assert!(chain.expect("regtest").tip().await.is_ok());
    }
}

/// Headers come before their blocks; at the newest ones a node may be at work.
#[tokio::test]
async fn a_node_is_syncing_when_it_says_so_or_lacks_the_blocks_of_many_headers() {
    let node = Node::shared().await;
    let proxy = RpcProxy::start(node.url()).await;
    let source = CoreRpc::new(&proxy.url, http_client()).expect("a URL");
    for (ahead, initial, syncing) in [
        (0, false, false),
        (6, false, false),
        (7, false, true),
        (400_000, true, true),
        (0, true, true),
    ] {
        proxy.lie(move |_, info| {
            info["headers"] = json!(info["blocks"].as_u64().expect("a height") + ahead);
            info["initialblockdownload"] = json!(initial);
        });
        let tip = source.tip().await;
        assert_eq!(tip.is_err(), syncing, "{ahead} {initial}: {tip:?}");
        let behind = tip.err().and_then(|error| error.behind());
        assert_eq!(
            matches!(behind, Some(Behind::Syncing { .. })),
            syncing,
            "{behind:?}"
        );
    }
}
