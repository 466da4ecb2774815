//! When one of two sources has no answer about a coin, other users are not delayed (decisions, D12). The second source is an
//! Electrum server, which refuses scripts with a long history; anyone can give any address a long history.

use std::collections::HashSet;
use std::sync::Mutex;

use bitcoin::hashes::sha256;
use chain::clock::DAY;

use super::*;
use crate::jobs::{execute, set_tier};
use crate::support::electrum_lies::{changed, refusal};

on_both!(it_is_asked_for_again_ever_more_rarely);

/// A node, and an Electrum server that refuses to answer about some scripts.
struct Two {
    node: &'static Node,
    electrum: CaughtUp,
    refused: Arc<Mutex<HashSet<String>>>,
    rooms: Rooms,
}

impl Two {
    async fn new(database: TestDatabase) -> Self {
        let node = Node::shared().await;
        let refused: Arc<Mutex<HashSet<String>>> = Arc::default();
        let scripts = Arc::clone(&refused);
        let port = ElectrumX::shared().await.port();
        let url = changed(port, move |method, params, result| {
            let scripts = scripts.lock().expect("no panic");
            let script = params[0].as_str().unwrap_or_default();
            if method.starts_with("blockchain.scripthash") && scripts.contains(script) {
                *result = refusal("history too large");
            }
        })
        .await;
        let chain = format!("bitcoind:{},electrum:{url}", node.url());
        Self {
            node,
            electrum: CaughtUp::shared().await,
            refused,
            rooms: rooms_with(&chain, database, Some(2)).await,
        }
    }

    /// From now on the server refuses to answer about this coin's script.
    async fn refuse(&self, coin: OutPoint) {
        let place = json!([coin.txid.to_string(), coin.vout]);
        let answer = self.node.call("gettxout", place).await;
        let script = answer["scriptPubKey"]["hex"].as_str().expect("a script");
        let script = hex::decode(script).expect("hex");
        let mut hash = sha256::Hash::hash(&script).to_byte_array();
        hash.reverse();
        let mut refused = self.refused.lock().expect("no panic");
        refused.insert(hex::encode(hash));
    }

    fn answer_again(&self) {
        self.refused.lock().expect("no panic").clear();
    }

    /// Both sources have the same state.
    async fn caught_up(&self, coins: &[OutPoint]) {
        self.electrum.tip().await.expect("an answer");
        self.electrum.coins(coins).await.expect("an answer");
    }

    async fn follow(&self) {
        let _still = self.node.still().await;
        self.electrum.tip().await.expect("an answer");
        while self.rooms.follower.step().await.expect("it is followed") == Next::AtOnce {}
    }

    async fn prove(&self, person: &Member<'_>, wallet: &Wallet<'_>, coin: OutPoint) -> Answer {
        let file = wallet.proof(&[coin], true).await.binary();
        let _still = self.node.still().await;
        self.caught_up(&[coin]).await;
        person.submit(&file).await
    }

    /// A user who has proven a new coin.
    async fn holder(&self, wallet: &Wallet<'_>) -> (Member<'_>, OutPoint) {
        let person = self.rooms.sign_in().await;
        let coin = wallet.fund(AddressType::Bech32, COIN).await;
        counts(&self.prove(&person, wallet, coin).await);
        (person, coin)
    }

    async fn unknown(&self) -> i64 {
        let now = self.rooms.clock.now();
        let unknown = self.rooms.store.unknown_claims("regtest", now).await;
        unknown.expect("a database")
    }

    /// Has every live claim looked up again.
    async fn sweep(&self) {
        let all_again = "update chain_cursor set sweep_due = true";
        execute(&self.rooms.store, all_again).await;
        self.follow().await;
        let cursor = self.rooms.store.cursor("regtest").await;
        let cursor = cursor.expect("a database").expect("a cursor");
        assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    }
}

#[tokio::test]
async fn everybody_else_goes_on_and_a_block_that_spends_it_ends_its_claim() {
    let scene = Two::new(TestDatabase::sqlite().await).await;
    let wallet = scene.node.wallet().await;
    let (hal, his) = scene.holder(&wallet).await;
    let (eve, hers) = scene.holder(&wallet).await;
    let another = wallet.fund(AddressType::Bech32, COIN).await;
    let file = wallet.proof(&[another, hers], true).await.binary();
    scene.refuse(hers).await;
    {
        let _still = scene.node.still().await;
        scene.caught_up(&[another]).await;
        let refused = eve.submit(&file).await.expect_err("nobody knows");
        assert_matches!(refused, SubmitError::UnknownCoin { input: 1 });
        let said = refused.to_string();
        assert!(said.starts_with("Input 2 spends a coin"), "{said}");
        assert_eq!(eve.proofs().await.len(), 1);
    }
    let spend = async |coin| {
        let spender = spend(&wallet, &[coin]).await;
        scene.node.confirm(&[spender]).await;
        scene.follow().await;
    };
    spend(his).await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // The sweep ends, and reaches the newest block; other tests add blocks to this node meanwhile.
    let before = scene.node.tip().await.0;
    scene.sweep().await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(scene.unknown().await, 1);
    let newest = scene.rooms.store.cursor("regtest").await;
    let newest = newest.expect("a database").expect("a cursor").block.height;
    let after = scene.node.tip().await.0;
    assert!((i64::from(before)..=i64::from(after)).contains(&newest));
    // Others prove their coins meanwhile.
    let (ada, _) = scene.holder(&wallet).await;
    spend(hers).await;
    assert_eq!(standing(&eve).await, ended("spent"));
    assert_eq!(standing(&ada).await, counting());
    assert_eq!(scene.unknown().await, 0);
}

async fn it_is_asked_for_again_ever_more_rarely(database: TestDatabase) {
    let scene = Two::new(database).await;
    let wallet = scene.node.wallet().await;
    let (eve, hers) = scene.holder(&wallet).await;
    scene.refuse(hers).await;
    scene.sweep().await;
    scene.answer_again();
    scene.rooms.clock.advance(59);
    scene.sweep().await;
    assert_eq!(scene.unknown().await, 1, "not by a sweep, and not yet");
    scene.refuse(hers).await;
    scene.rooms.clock.advance(DAY);
    scene.follow().await;
    scene.answer_again();
    scene.rooms.clock.advance(6 * 60 * 60 - 1);
    scene.follow().await;
    assert_eq!(scene.unknown().await, 1, "after six hours");
    scene.rooms.clock.advance(1);
    scene.follow().await;
    assert_eq!(scene.unknown().await, 0);
    assert_eq!(standing(&eve).await, counting());
}

#[tokio::test]
async fn the_daily_verification_of_others_goes_on() {
    let scene = Two::new(TestDatabase::sqlite().await).await;
    let wallet = scene.node.wallet().await;
    let (hal, _) = scene.holder(&wallet).await;
    let (eve, hers) = scene.holder(&wallet).await;
    for person in [&hal, &eve] {
        set_tier(&scene.rooms.store, &person.id, "premium").await;
    }
    scene.refuse(hers).await;
    scene.rooms.clock.advance(DAY);
    let verify = async || {
        let _still = scene.node.still().await;
        scene.electrum.tip().await.expect("an answer");
        scene.rooms.proving.reverify_some().await.unwrap()
    };
    let proof = async |person: &Member<'_>| {
        let proof = person.newest_proof().await;
        (
            proof.status,
            proof.expires_at.0,
            proof.ended_at.map(|it| it.0),
        )
    };
    let before = proof(&eve).await;
    assert_eq!(verify().await, 2);
    let renewed = ("reverified".to_owned(), scene.rooms.clock.now() + 90 * DAY);
    let (status, expires_at, _) = proof(&hal).await;
    assert_eq!((status, expires_at), renewed);
    assert_eq!(proof(&eve).await, before, "it stays as it is");
    assert_eq!(verify().await, 0, "she is looked at again an hour later");
    scene.answer_again();
    scene.rooms.clock.advance(60 * 60);
    scene.follow().await;
    assert_eq!(verify().await, 1);
    assert_eq!(proof(&eve).await.0, "reverified");
    assert_eq!(eve.holdings().await, Some(SATS));
}
