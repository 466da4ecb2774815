//! One list of behaviors; every chain source that reads a real chain must have all of them.

mod behaviors;
mod behind;
mod faults;
mod limits;
mod network;
mod quorum;
mod stale;
mod unknown;

use behaviors::{coin, unspent};
use chain::Coin;
use chain::sources::core_rpc::CoreRpc;
use chain::sources::esplora::Esplora;

use crate::support::double::{Double, Source};
use crate::support::prelude::*;

/// Makes each behavior a test of each source.
macro_rules! each_is_a_test {
    ($($source:ident: $open:ident),+; $behaviors:tt) => {
        $(mod $source {
            each_is_a_test!($open: $behaviors);
        })+
    };
    ($open:ident: [$($behavior:ident),+ $(,)?]) => {
        $(#[tokio::test]
        async fn $behavior() {
            super::behaviors::$behavior(super::Node::shared().await, super::$open().await).await;
        })+
    };
}

each_is_a_test!(
    core_rpc: a_core_rpc, esplora: an_esplora;
    [
        unspent_of_every_type, coinbase, unconfirmed, spent_in_the_mempool_or_in_a_block, missing, data_output_is_no_coin,
        three_hundred_coins, spends_of_a_block, blocks_by_height, time_before_a_block, network, look_up_names_its_tip,
    ]
);

/// A chain over these sources, of which this many must agree.
async fn agreeing(sources: Vec<Source>, needed: usize) -> Chain {
    let (network, clock) = (Network::Regtest, Clock::System);
    let chain = Chain::connect(sources, needed, network, None, clock).await;
    chain.expect("enough sources on this network")
}

/// One source of each kind.
async fn all() -> Vec<Source> {
    vec![a_core_rpc().await, an_esplora().await]
}

/// A source at a proxy in front of the shared node.
async fn proxied() -> (Arc<Proxy>, CoreRpc) {
    let proxy = Proxy::to(Node::shared().await.url()).await;
    let source = CoreRpc::new(&proxy.url, http_client()).unwrap();
    (proxy, source)
}

/// A coin that never existed.
fn nowhere() -> OutPoint {
    OutPoint::new(Txid::hash(b"no such transaction"), 0)
}

fn core_rpc(node: &Node) -> CoreRpc {
    CoreRpc::new(node.url(), http_client()).unwrap()
}

async fn esplora(node: &'static Node) -> Esplora {
    Esplora::new(&EsploraServer::start(node).await, http_client()).unwrap()
}

async fn a_core_rpc() -> Source {
    Arc::new(core_rpc(Node::shared().await))
}

async fn an_esplora() -> Source {
    Arc::new(esplora(Node::shared().await).await)
}

/// Without an index of all transactions, a source does not claim to know more.
#[tokio::test]
async fn core_rpc_without_an_index_claims_no_more_than_it_knows() {
    let node = Node::start_with(&["-txindex=0"]).await;
    let source: Source = Arc::new(core_rpc(&node));
    let wallet = node.wallet().await;
    let coins = wallet.coins::<3>().await;
    wallet.spend_in_block(&coins[..1]).await;
    wallet.spend(&coins[1..2]).await;
    assert_eq!(coin(&source, coins[0]).await, Coin::SpentOrMissing);
    assert_eq!(coin(&source, coins[1]).await, Coin::SpentInMempool);
    unspent(&source, coins[2]).await;
    assert_eq!(coin(&source, nowhere()).await, Coin::SpentOrMissing);
}

/// The error for a wrong password contains no password.
#[tokio::test]
async fn core_rpc_refuses_a_wrong_password() {
    let node = Node::shared().await;
    let url = node.url().replace("test:", "test:opensesame");
    let source = CoreRpc::new(&url, http_client()).unwrap();
    let error = source.tip().await.expect_err("a wrong password");
    assert_matches!(error, ChainError::Unreachable { .. });
    let texts = format!("{error} {error:?} {}", source.name());
    assert!(!texts.contains("opensesame"), "{texts}");
}
