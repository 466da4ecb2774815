//! Rule B6: a mainnet source whose newest block is old is refused, whatever its kind.

use chain::Behind;

use super::*;

const HOUR: i64 = 60 * 60;
const YEAR: i64 = 365 * 24 * HOUR;

/// Real sources presented as mainnet: only the blocks that identify a network are made up.
async fn of_mainnet(sources: Vec<Source>, clock: &Clock) -> Chain {
    let (needed, sources) = (sources.len(), sources.into_iter());
    let sources = sources.map(|source| Arc::new(Double::new(source).on_mainnet()) as Source);
    let (network, clock) = (Network::Bitcoin, clock.clone());
    let chain = Chain::connect(sources.collect(), needed, network, None, clock).await;
    chain.expect("it passes for mainnet")
}

#[tokio::test]
async fn sources_are_asked_no_more_once_their_newest_block_is_old_and_a_quorum_says_why() {
    let _still = Node::shared().await.still().await;
    let nowhere = nowhere();
    for source in all().await {
        let newest = source.tip().await.unwrap().median_time;
        let clock = Clock::manual(newest + 3 * HOUR);
        let chain = of_mainnet(vec![source.clone()], &clock).await;
        assert!(chain.tip().await.is_ok(), "{source:?}");
        assert!(chain.look_up(&[nowhere]).await.is_ok(), "{source:?}");
        clock.advance(YEAR);
        let old = Some(Behind::Stale { hours: 8_763 });
        let refused = chain.look_up(&[nowhere]).await.unwrap_err();
        assert_eq!(refused.behind(), old, "{source:?}");
        let refused = chain.tip().await.unwrap_err();
        assert_eq!(refused.behind(), old, "{source:?}");
        let said = refused.to_string();
        has(&said, &["its newest block is 8763 hours old"]);
        // Test networks may stand still for days, and prove nothing of value.
        let chain = Chain::connect(vec![source], 1, Network::Regtest, None, clock).await;
        assert!(chain.unwrap().tip().await.is_ok());
    }
    let sources = all().await;
    let newest = sources[0].tip().await.unwrap().median_time;
    let chain = of_mainnet(sources, &Clock::manual(newest + YEAR)).await;
    let refused = chain.tip().await.expect_err("no answer");
    assert_matches!(refused, ChainError::TooFew { answered: 0, .. });
    let old = Behind::Stale { hours: YEAR / HOUR };
    assert_eq!(refused.behind(), Some(old));
}

/// Headers arrive before their blocks, so a node may know headers without their blocks.
#[tokio::test]
async fn a_node_is_syncing_when_it_says_so_or_lacks_the_blocks_of_many_headers() {
    let (proxy, source) = proxied().await;
    for (ahead, initial, syncing) in [
        (0, false, false),
        (6, false, false),
        (7, false, true),
        (400_000, true, true),
        (0, true, true),
    ] {
        proxy.lie(move |_, info| {
            info["headers"] = json!(info["blocks"].as_u64().unwrap() + ahead);
            info["initialblockdownload"] = json!(initial);
        });
        let tip = source.tip().await;
        assert_eq!(tip.is_err(), syncing, "{ahead} {initial}: {tip:?}");
        let behind = tip.err().and_then(|error| error.behind());
        let said = matches!(behind, Some(Behind::Syncing { .. }));
        assert_eq!(said, syncing, "{behind:?}");
    }
}
