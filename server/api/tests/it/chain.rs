//! One list of behaviors; every chain source that reads a real chain must have all of them.

mod behaviors;
mod behind;
mod crowd;
mod double;
mod electrum;
mod faults;
mod lies;
mod limits;
mod network;
mod quorum;
mod stale;
mod unknown;

use std::sync::Arc;

use bitcoin::hashes::Hash;
use bitcoin::{OutPoint, Txid};
use chain::sources::core_rpc::CoreRpc;
use chain::sources::esplora::Esplora;
use chain::{ChainError, ChainSource, Coin};

use behaviors::{coin, unspent};

use crate::support::electrumx::CaughtUp;
use crate::support::esplora::EsploraServer;
use crate::support::http_client;
use crate::support::node::Node;

/// Makes each behavior a test of each source.
macro_rules! on_every_source {
    ($($behavior:ident),+ $(,)?) => {
        mod core_rpc {
            $(#[tokio::test]
            async fn $behavior() {
                let node = super::Node::shared().await;
                super::behaviors::$behavior(node, std::sync::Arc::new(super::core_rpc(node))).await;
            })+
        }

        mod esplora {
            $(#[tokio::test]
            async fn $behavior() {
                let node = super::Node::shared().await;
                super::behaviors::$behavior(node, std::sync::Arc::new(super::esplora(node).await)).await;
            })+
        }

        mod electrum_server {
            $(#[tokio::test]
            async fn $behavior() {
                let node = super::Node::shared().await;
                super::behaviors::$behavior(node, std::sync::Arc::new(super::CaughtUp::shared().await)).await;
            })+
        }
    };
}

on_every_source!(
    unspent_of_every_type,
    coinbase,
    unconfirmed,
    spent_in_the_mempool,
    unconfirmed_and_spent_in_the_mempool,
    spent_in_a_block,
    missing,
    data_output_is_no_coin,
    three_hundred_coins,
    spends_of_a_block,
    tip,
    blocks_by_height,
    headers,
    time_before_a_block,
    network,
    look_up_names_its_tip,
);

type Source = Arc<dyn ChainSource>;

/// A coin that never existed.
fn nowhere() -> OutPoint {
    OutPoint::new(Txid::hash(b"no such transaction"), 0)
}

fn core_rpc(node: &Node) -> CoreRpc {
    CoreRpc::new(node.url(), http_client()).unwrap()
}

async fn esplora(node: &'static Node) -> Esplora {
    let url = EsploraServer::start(node).await;
    Esplora::new(&url, http_client()).unwrap()
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
    assert!(matches!(error, ChainError::Unreachable { .. }), "{error:?}");
    let told = format!("{error} {error:?} {source:?} {}", source.name());
    assert!(!told.contains("opensesame"), "{told}");
}
