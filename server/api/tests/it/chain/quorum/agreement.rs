//! Only what enough sources agree on counts.

use super::*;

#[tokio::test]
async fn both_kinds_of_sources_agree() {
    let chain = agreeing(all().await, 2).await;
    let node = node().await;
    let wallet = node.wallet().await;
    let [legacy, _, segwit, taproot] = AddressType::ALL;
    let coins = [taproot, legacy, segwit].map(|kind| (kind, Amount::ONE_BTC));
    let mut coins = wallet.fund_all(&coins).await;
    wallet.spend_in_block(&coins[..1]).await;
    let waiting = wallet.spend(&coins[1..2]).await.compute_txid();
    coins.extend([OutPoint::new(waiting, 0), nowhere()]);
    let _still = node.still().await;
    let snapshot = chain.look_up_with_times(&coins, &[2]).await.unwrap();
    assert_eq!((snapshot.tip.height, snapshot.tip.hash), node.tip().await);
    assert_eq!(chain.tip().await, Ok(snapshot.tip));
    let [
        Coin::Spent,
        Coin::SpentInMempool,
        Coin::Unspent(coin),
        Coin::Unspent(unconfirmed),
        Coin::Missing,
    ] = &snapshot.coins[..]
    else {
        panic!("{:?}", snapshot.coins);
    };
    assert_eq!(coin.output.value, Amount::ONE_BTC);
    assert_eq!(unconfirmed.block, None);
    let (height, block) = (coin.height.unwrap(), coin.block.unwrap());
    assert!(snapshot.median_times.into_keys().eq([block]));
    assert_eq!(chain.block_hash_at(height).await, Ok(Some(block)));
}

/// Two honest sources outvote a liar, which is asked last from then on. One liar of two can neither create nor spend a coin.
#[tokio::test]
async fn a_lying_source_is_outvoted_by_two_but_not_by_one() {
    for lie in [mark_spent, says_more] {
        let liar = Double::lying(a_core_rpc().await, lie);
        let sources: Vec<Source> = vec![liar.clone(), a_core_rpc().await, an_esplora().await];
        let three = agreeing(sources.clone(), 2).await;
        let coin = a_coin().await;
        let _still = node().await.still().await;
        for _ in 0..3 {
            assert!(is_there(&three, coin).await);
        }
        assert_eq!(liar.asked(), 1);
        for two in [[0, 2], [2, 0]] {
            let two = two.map(|at: usize| sources[at].clone()).to_vec();
            let snapshot = agreeing(two, 2).await.look_up(&[coin]).await;
            assert_eq!(snapshot.expect("one tip").coins, [Coin::Unknown]);
        }
    }
}

/// Disagreement about one coin delays no other (decisions, D12).
#[tokio::test]
async fn disagreement_about_one_coin_leaves_the_others_known() {
    let liar = Double::lying(an_esplora().await, |coin| {
        if matches!(coin, Coin::Unspent(coin) if coin.output.value == Amount::from_sat(5_000)) {
            *coin = Coin::SpentInMempool;
        }
    });
    let chain = agreeing(vec![a_core_rpc().await, liar], 2).await;
    let node = node().await;
    let coins = [70_000, 5_000, 80_000].map(Amount::from_sat);
    let coins = coins.map(|amount| (AddressType::Bech32, amount));
    let coins = node.wallet().await.fund_all(&coins).await;
    let _still = node.still().await;
    let coins = chain.look_up(&coins).await.expect("one tip").coins;
    assert_matches!(
        coins[..],
        [Coin::Unspent(_), Coin::Unknown, Coin::Unspent(_)]
    );
}

/// How long the newest block is awaited while the sources disagree about it.
const TIMEOUT: Duration = Duration::from_secs(15);

/// Sources that give the same answer at different tips do not agree.
#[tokio::test]
async fn a_lagging_source_does_not_agree() {
    let node = Node::start().await;
    let core = || Arc::new(core_rpc(&node));
    let lagging = Double::honest(core());
    let chain = agreeing(vec![core(), lagging.clone()], 2).await;
    let coin = node.wallet().await.coin().await;
    let old = core().tip().await.unwrap();
    lagging.change_tip(move |tip| *tip = old);
    node.mine(1).await;
    let disagreement = ChainError::Disagreement { needed: 2 };
    assert_eq!(chain.look_up(&[coin]).await, Err(disagreement.clone()));
    let begin = Instant::now();
    assert_eq!(chain.tip().await, Err(disagreement));
    let waited = begin.elapsed();
    assert!(waited > TIMEOUT / 2 && waited < TIMEOUT * 2, "{waited:?}");

    // One source gets the block a moment later, so the sources are asked again.
    let heard = lagging.clone();
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_millis(500)).await;
        heard.change_tip(|_| ());
    });
    let tip = chain.tip().await.expect("agreement");
    assert_eq!(tip.hash, node.tip().await.1);
    assert_eq!(chain.look_up(&[coin]).await.expect("agreement").tip, tip);
}

/// A source whose index has a block that it does not report as its tip yet.
#[tokio::test]
async fn a_coin_from_after_the_tip_does_not_count() {
    let lagging = Double::honest(a_core_rpc().await);
    let old = lagging.tip().await.unwrap();
    let chain = agreeing(vec![lagging.clone()], 1).await;
    let coin = a_coin().await;
    lagging.change_tip(move |tip| *tip = old);
    assert_eq!(chain.look_up(&[coin]).await, Err(ChainError::Moved));
    lagging.change_tip(|tip| tip.height = u32::MAX);
    let answer = chain.look_up(&[coin]).await;
    assert_matches!(answer, Err(ChainError::Invalid { .. }));
}

/// A source with history and one without agree only on the weaker answer.
#[tokio::test]
async fn history_needs_a_quorum() {
    let node = node().await;
    let forgetful = Double::lying(a_core_rpc().await, |coin| {
        if matches!(coin, Coin::Spent | Coin::Missing) {
            *coin = Coin::SpentOrMissing;
        }
    });
    let chain = agreeing(vec![an_esplora().await, forgetful], 2).await;
    let wallet = node.wallet().await;
    let coin = wallet.coin().await;
    wallet.spend_in_block(&[coin]).await;
    let _still = node.still().await;
    let snapshot = chain.look_up(&[coin, nowhere()]).await.expect("agreement");
    assert_eq!(snapshot.coins, [Coin::SpentOrMissing, Coin::SpentOrMissing]);
}

/// A pruned node may lack a block; another source is asked, and the block's hash proves the answer.
#[tokio::test]
async fn blocks_come_from_a_source_that_has_them() {
    let (proxy, pruned) = proxied().await;
    let wallet = node().await.wallet().await;
    let coin = wallet.coin().await;
    let block = wallet.spend_in_block(&[coin]).await;
    let chain = agreeing(vec![Arc::new(pruned), a_core_rpc().await], 2).await;
    proxy.lie(|call, result| {
        if call["method"] == "getblock" {
            *result = Value::Null;
        }
    });
    let spends = chain.spent_in_block(block).await;
    assert_eq!(spends.expect("a block").outpoints, [coin]);
    let unknown = BlockHash::hash(b"no such block");
    let unknown = chain.spent_in_block(unknown).await;
    assert_matches!(unknown, Err(ChainError::TooFew { .. }));
}
