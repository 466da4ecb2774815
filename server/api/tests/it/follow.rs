//! Following the chain: what happens to a claim when its coin moves (rules B7 to B9).

mod absence;
mod clock;
mod electrum;
mod recording;
mod reorganizations;
mod replicas;
mod sources;
mod spending;
mod stale;
mod unknown;

use std::sync::Arc;

use api::follow::Follower;
use api::jobs::Next;
use api::proof::{Outcome, SubmitError, VALIDITY};
use bitcoin::hashes::Hash;
use bitcoin::{Amount, BlockHash, OutPoint, Txid};
use chain::ChainSource;
use serde_json::json;
use store::binding::Binding;
use store::claims::{NewClaim, NewProof, Recorded};
use store::follower::{Block, Cursor};
use store::profiles::Identity;
use uuid::Uuid;

use crate::support::app::NOW;
use crate::support::database::{TestDatabase, on_both};
use crate::support::electrumx::{CaughtUp, ElectrumX};
use crate::support::node::{AddressType, Node, Wallet, script_of};
use crate::support::rooms::{Member, Rooms};
use crate::support::rpc_proxy::RpcProxy;

pub(super) const COIN: Amount = Amount::from_sat(30_000_000);

/// The sats of a coin.
pub(super) const SATS: i64 = 30_000_000;

type Answer = Result<Outcome, SubmitError>;

/// Rooms over this node; binding has its own tests.
pub(super) async fn rooms_on(node: &Node, database: TestDatabase) -> Rooms {
    rooms_with(&format!("bitcoind:{}", node.url()), database, None).await
}

pub(super) async fn rooms_with(chain: &str, database: TestDatabase, quorum: Option<u8>) -> Rooms {
    Rooms::open(database, chain, quorum).await
}

/// Follows the chain to its tip, while no block is mined.
pub(super) async fn follow(node: &Node, follower: &Follower) {
    let _still = node.still().await;
    while follower.step().await.expect("the chain is followed") == Next::AtOnce {}
}

/// Submits a signed file over these coins, while no block is mined.
pub(super) async fn prove(
    node: &Node,
    person: &Member<'_>,
    wallet: &Wallet<'_>,
    coins: &[OutPoint],
) -> Answer {
    let file = wallet.proof(coins, true).await.binary();
    let _still = node.still().await;
    person.submit(&file).await
}

/// The file proves new coins.
#[track_caller]
pub(super) fn counts(answer: &Answer) {
    let recorded = answer.as_ref().map(|outcome| &outcome.recorded);
    assert_matches!(recorded, Ok(Recorded::Verified { .. }));
}

/// A new coin of 0.3 BTC that this user has proven.
pub(super) async fn proven(node: &Node, person: &Member<'_>, wallet: &Wallet<'_>) -> OutPoint {
    let coin = wallet.fund(AddressType::Bech32, COIN).await;
    counts(&prove(node, person, wallet, &[coin]).await);
    coin
}

/// Spends coins in the mempool.
pub(super) async fn spend(wallet: &Wallet<'_>, coins: &[OutPoint]) -> Txid {
    wallet.spend(coins).await.compute_txid()
}

/// Holdings, and how the newest proof has ended, if it has.
type Standing = (Option<i64>, bool, Option<String>);

pub(super) async fn standing(person: &Member<'_>) -> Standing {
    let proof = person.newest_proof().await;
    let active = proof.ended_at.is_none();
    (person.holdings().await, active, proof.ended_reason)
}

pub(super) fn counting() -> Standing {
    (Some(SATS), true, None)
}

pub(super) fn ended(reason: &str) -> Standing {
    (None, false, Some(reason.to_owned()))
}

/// A node, a server that follows it, and a holder with a wallet.
pub(super) struct Scene<'a> {
    node: &'a Node,
    rooms: &'a Rooms,
    hal: Member<'a>,
    wallet: Wallet<'a>,
}

impl<'a> Scene<'a> {
    async fn new(node: &'a Node, rooms: &'a Rooms) -> Self {
        Self {
            node,
            rooms,
            hal: rooms.sign_in().await,
            wallet: node.wallet().await,
        }
    }

    /// A new coin that this user has proven, in a followed block.
    async fn proven(&self, person: &Member<'_>) -> OutPoint {
        let coin = proven(self.node, person, &self.wallet).await;
        follow(self.node, &self.rooms.follower).await;
        coin
    }

    /// Spends coins in a new block.
    async fn spend(&self, coins: &[OutPoint]) -> (Txid, BlockHash) {
        let spender = spend(&self.wallet, coins).await;
        (spender, self.node.confirm(&[spender]).await)
    }

    /// Follows the chain; afterwards this user's newest proof has this state.
    async fn expect(&self, person: &Member<'_>, expected: Standing) {
        follow(self.node, &self.rooms.follower).await;
        assert_eq!(standing(person).await, expected);
    }

    async fn cursor(&self) -> Cursor {
        let cursor = self.rooms.store.cursor("regtest").await;
        cursor.expect("a database").expect("a cursor")
    }

    /// Mines blocks that replace the earlier ones: each pays the wallet.
    async fn branch(&self, blocks: usize) {
        for _ in 0..blocks {
            let address = self.wallet.address(AddressType::Bech32).await;
            self.node.mine_to(&script_of(&address)).await;
        }
    }

    /// Another signed file over a coin.
    async fn another_file(&self, coin: OutPoint) -> Vec<u8> {
        let address = self.wallet.address(AddressType::Bech32).await;
        let payment = [(address, Amount::from_sat(20_000))];
        let transfer = self.wallet.transfer(&[coin], &payment).await;
        self.wallet.sign(&transfer, true).await.binary()
    }
}

fn identity(subject: &str) -> Identity {
    Identity {
        provider: "twitter",
        subject: subject.to_owned(),
        username: None,
        email: None,
        avatar_url: None,
    }
}

/// A proof of one coin that never existed.
fn proof_of(user: &str, network: &'static str, now: i64, number: u32) -> NewProof {
    NewProof {
        id: Uuid::now_v7().to_string(),
        user_id: user.to_owned(),
        tx_hash: format!("t{number}"),
        file_name: "cold.psbt".to_owned(),
        binding: Binding::Message,
        statement: None,
        mock: false,
        created_at: now,
        expires_at: now + VALIDITY,
        network,
        tip: BlockHash::from_byte_array([7; 32]).to_string(),
        coins: vec![NewClaim {
            txid: format!("{number:064x}"),
            vout: 0,
            value_sats: SATS,
            funding_block: "00".repeat(32),
            funding_height: Some(1),
        }],
        publication: None,
    }
}
