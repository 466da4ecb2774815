//! The behavior of every chain source, against a real node.

use chain::Unspent;

use super::*;

pub(super) async fn coin(source: &Source, outpoint: OutPoint) -> Coin {
    let mut coins = coins(source, &[outpoint]).await;
    assert_eq!(coins.len(), 1);
    coins.remove(0)
}

/// Looks the coins up again when a block of another test came meanwhile.
async fn coins(source: &Source, outpoints: &[OutPoint]) -> Vec<Coin> {
    loop {
        match source.coins(outpoints).await {
            Err(ChainError::Moved) => {}
            coins => return coins.unwrap(),
        }
    }
}

pub(super) async fn unspent(source: &Source, outpoint: OutPoint) -> Unspent {
    match coin(source, outpoint).await {
        Coin::Unspent(unspent) => unspent,
        coin => panic!("{outpoint} is {coin:?}"),
    }
}

/// A field of a block's header, as the node tells it.
async fn header(node: &Node, block: &BlockHash, field: &str) -> Value {
    node.call("getblockheader", json!([block])).await[field].take()
}

async fn block_of(node: &Node, txid: Txid) -> (u32, BlockHash) {
    let transaction = node.call("getrawtransaction", json!([txid, 1])).await;
    let block = text(&transaction["blockhash"]).parse().unwrap();
    let height = header(node, &block, "height").await.as_u64();
    (u32::try_from(height.unwrap()).unwrap(), block)
}

pub(super) async fn unspent_of_every_type(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let multisig = node.multisig().await;
    let mut payments = vec![(multisig.address(), Amount::from_sat(1_000_000_001))];
    // Values that a float cannot represent exactly.
    let values = [546, 10_000_007, 99_999_999, 70_000_003];
    for (kind, sats) in AddressType::ALL.into_iter().zip(values) {
        payments.push((wallet.address(kind).await, Amount::from_sat(sats)));
    }
    for (outpoint, (address, value)) in node.pay(&payments).await.iter().zip(payments) {
        let coin = unspent(&source, *outpoint).await;
        assert_eq!(coin.output.value, value);
        assert_eq!(coin.output.script_pubkey, script_of(&address));
        let (height, hash) = block_of(node, outpoint.txid).await;
        assert_eq!((coin.height, coin.block), (Some(height), Some(hash)));
        assert!(!coin.coinbase);
    }
}

pub(super) async fn coinbase(node: &'static Node, source: Source) {
    let block = node.mine(1).await[0];
    let answer = node.call("getblock", json!([block])).await;
    let txid = text(&answer["tx"][0]).parse().unwrap();
    let coin = unspent(&source, OutPoint::new(txid, 0)).await;
    assert!(coin.coinbase);
    assert_eq!(coin.block, Some(block));
}

pub(super) async fn unconfirmed(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let transaction = wallet.spend(&[wallet.coin().await]).await;
    let outpoint = OutPoint::new(transaction.compute_txid(), 0);
    let coin = unspent(&source, outpoint).await;
    assert_eq!(coin.output, transaction.output[0]);
    let place = (coin.height, coin.block, coin.coinbase);
    assert_eq!(place, (None, None, false));
    let block = node.confirm(&[outpoint.txid]).await;
    assert_eq!(unspent(&source, outpoint).await.block, Some(block));
}

pub(super) async fn spent_in_the_mempool_or_in_a_block(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let [legacy, _, segwit, taproot] = AddressType::ALL;
    let coins = [legacy, taproot, segwit].map(|kind| (kind, Amount::ONE_BTC));
    let coins = wallet.fund_all(&coins).await;
    let second = OutPoint::new(wallet.spend(&coins[..1]).await.compute_txid(), 0);
    wallet.spend(&[second]).await;
    wallet.spend_in_block(&coins[2..]).await;
    assert_eq!(coin(&source, coins[0]).await, Coin::SpentInMempool);
    unspent(&source, coins[1]).await;
    assert_eq!(coin(&source, coins[2]).await, Coin::Spent);
    // An unconfirmed coin.
    assert_eq!(coin(&source, second).await, Coin::SpentInMempool);
}

pub(super) async fn missing(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let confirmed = wallet.coin().await;
    let past_the_end = [2, u32::MAX].map(|vout| OutPoint { vout, ..confirmed });
    for nowhere in [nowhere(), past_the_end[0], past_the_end[1]] {
        assert_eq!(coin(&source, nowhere).await, Coin::Missing);
    }
    let txid = wallet.spend(&[confirmed]).await.compute_txid();
    assert_eq!(coin(&source, OutPoint::new(txid, 1)).await, Coin::Missing);
}

pub(super) async fn data_output_is_no_coin(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    wallet.coin().await;
    let sent = wallet.call("send", json!([[{"data": "c0ffee"}]])).await;
    let txid = text(&sent["txid"]).parse().unwrap();
    node.confirm(&[txid]).await;
    let coins = coins(&source, &[OutPoint::new(txid, 0), OutPoint::new(txid, 1)]).await;
    assert!(coins.contains(&Coin::Missing), "{coins:?}");
    assert_matches!(coins[..], [Coin::Unspent(_), _] | [_, Coin::Unspent(_)]);
}

pub(super) async fn three_hundred_coins(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let wanted: Vec<_> = (10_000..10_300).map(Amount::from_sat).collect();
    let mut outpoints = wallet.fund_one_address(AddressType::Bech32, &wanted).await;
    // Two coins of one transaction with others between them, and a missing coin.
    outpoints.insert(150, nowhere());
    let coins = coins(&source, &outpoints).await;
    let values = coins.iter().filter_map(|coin| match coin {
        Coin::Unspent(coin) => Some(coin.output.value),
        _ => None,
    });
    assert!(values.eq(wanted));
    assert_eq!(coins[150], Coin::Missing);
    assert_eq!(source.coins(&[]).await.unwrap(), []);
}

pub(super) async fn spends_of_a_block(node: &'static Node, source: Source) {
    let wallet = node.wallet().await;
    let coins = wallet.coins::<3>().await;
    let first = wallet.spend(&coins[..2]).await.compute_txid();
    let second = wallet.spend(&coins[2..]).await.compute_txid();
    let block = node.confirm(&[first, second]).await;
    let previous = async |block: &BlockHash| header(node, block, "previousblockhash").await;
    let spends = source.spent_in_block(block).await.unwrap();
    assert_eq!(json!(spends.previous), previous(&block).await);
    let spent: HashSet<_> = spends.outpoints.into_iter().collect();
    assert_eq!(spent, coins.into());

    let empty = node.mine(1).await[0];
    let none = source.spent_in_block(empty).await.unwrap();
    assert_eq!(json!(none.previous), previous(&empty).await);
    assert_eq!(none.outpoints, []);
    let unknown = source.spent_in_block(no_block()).await;
    assert_matches!(unknown, Err(ChainError::Unreachable { .. }));
}

fn no_block() -> BlockHash {
    BlockHash::hash(b"no such block")
}

pub(super) async fn blocks_by_height(node: &'static Node, source: Source) {
    let (height, hash) = node.tip().await;
    assert_eq!(source.block_hash_at(height).await, Ok(Some(hash)));
    let genesis = genesis_block(Network::Regtest).block_hash();
    assert_eq!(source.block_hash_at(0).await, Ok(Some(genesis)));
    assert_eq!(source.block_hash_at(1_000_000).await, Ok(None));
    // A statement is dated by a block; its header is published with the proof.
    for height in [1, height / 2] {
        let hash = source.block_hash_at(height).await.unwrap().unwrap();
        let header = source.block_header(hash).await.unwrap();
        assert_eq!(header.block_hash(), hash);
    }
}

pub(super) async fn time_before_a_block(node: &'static Node, source: Source) {
    for height in [1, 7, 11, 12, 100] {
        let before = node.call("getblockhash", json!([height - 1])).await;
        let before = node.call("getblockheader", json!([before])).await;
        let block = text(&before["nextblockhash"]).parse().unwrap();
        let time = source.median_time_before(block).await;
        assert_eq!(json!(time.unwrap()), before["mediantime"]);
    }
    let unknown = source.median_time_before(no_block()).await;
    assert_matches!(unknown, Err(ChainError::Unreachable { .. }));
}

pub(super) async fn network(_node: &'static Node, source: Source) {
    let chain = agreeing(vec![source.clone()], 1).await;
    assert_eq!(chain.network(), Network::Regtest);
    for other in [Network::Bitcoin, Network::Testnet, Network::Signet] {
        let refused = Chain::connect(vec![source.clone()], 1, other, None, Clock::System).await;
        assert_matches!(refused, Err(ChainError::Invalid { .. }));
    }
}

pub(super) async fn look_up_names_its_tip(node: &'static Node, source: Source) {
    let outpoint = node.wallet().await.coin().await;
    let chain = agreeing(vec![source], 1).await;
    let still = node.still().await;
    let snapshot = chain.look_up(&[outpoint]).await.unwrap();
    let tip = (snapshot.tip.height, snapshot.tip.hash);
    assert_eq!(tip, node.tip().await);
    let median_time = header(node, &tip.1, "mediantime").await;
    assert_eq!(median_time, snapshot.tip.median_time);
    drop(still);
    let Coin::Unspent(coin) = &snapshot.coins[0] else {
        panic!("{:?}", snapshot.coins);
    };
    let (height, _) = block_of(node, outpoint.txid).await;
    assert_eq!(coin.confirmations(&snapshot.tip), tip.0 - height + 1);
}
