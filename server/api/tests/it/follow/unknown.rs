//! When one of two sources has no answer about a coin, other users are not delayed (decisions, D12). The second source is an
//! Electrum server, which refuses scripts with a long history; anyone can give any address a long history.

use bitcoin::hashes::sha256;

use super::*;
use crate::support::double::Double;
use crate::support::electrum_lies::{changed, refusal};

on_both!(it_is_asked_for_again_ever_more_rarely);

/// A node, and an Electrum server that refuses to answer about some scripts.
struct Two {
    scene: Scene<'static>,
    electrum: Arc<Double>,
    refused: Arc<Mutex<HashSet<String>>>,
}

impl Two {
    async fn new(database: TestDatabase) -> Self {
        let node = Node::shared().await;
        let refused: Arc<Mutex<HashSet<String>>> = Arc::default();
        let scripts = Arc::clone(&refused);
        let port = ElectrumX::shared().await.port();
        let url = changed(port, move |method, params, result| {
            let script = params[0].as_str().unwrap_or_default();
            let refused = scripts.lock().unwrap().contains(script);
            if method.starts_with("blockchain.scripthash") && refused {
                *result = refusal("history too large");
            }
        })
        .await;
        let chain = format!("bitcoind:{},electrum:{url}", node.url());
        Self {
            scene: Scene::over(node, &chain, database, Some(2)).await,
            electrum: caught_up().await,
            refused,
        }
    }

    /// From now on the server refuses to answer about this coin's script.
    async fn refuse(&self, coin: OutPoint) {
        let place = json!([coin.txid.to_string(), coin.vout]);
        let coin = self.scene.node.call("gettxout", place).await;
        let script = hex::decode(text(&coin["scriptPubKey"]["hex"])).unwrap();
        let mut hash = sha256::Hash::hash(&script).to_byte_array();
        hash.reverse();
        self.refused.lock().unwrap().insert(hex::encode(hash));
    }

    fn answer_again(&self) {
        self.refused.lock().unwrap().clear();
    }

    async fn follow(&self) {
        let _still = self.scene.node.still().await;
        self.electrum.tip().await.unwrap();
        let follower = &self.scene.rooms.follower;
        while follower.step().await.unwrap() == Next::AtOnce {}
    }

    /// A user who has proven a new coin, which both sources know.
    async fn holder(&self) -> (Member<'_>, OutPoint) {
        let (person, coin) = (self.scene.rooms.sign_in().await, self.scene.coin().await);
        let file = self.scene.wallet.proof(&[coin], true).await.binary();
        let _still = self.scene.node.still().await;
        self.electrum.coins(&[coin]).await.unwrap();
        counts(&person.submit(&file).await);
        (person, coin)
    }

    /// Has every live claim looked up again.
    async fn sweep(&self) {
        self.scene.look_up_everything().await;
        self.follow().await;
        let cursor = self.scene.cursor().await;
        assert_eq!((cursor.sweep_after, cursor.sweep_due), (None, false));
    }
}

#[tokio::test]
async fn everybody_else_goes_on_and_a_block_that_spends_it_ends_its_claim() {
    let two = Two::new(TestDatabase::sqlite().await).await;
    let scene = &two.scene;
    let ((hal, his), (eve, hers)) = (two.holder().await, two.holder().await);
    let another = scene.coin().await;
    let file = scene.wallet.proof(&[another, hers], true).await.binary();
    two.refuse(hers).await;
    {
        let _still = scene.node.still().await;
        two.electrum.coins(&[another]).await.unwrap();
        let refused = eve.submit(&file).await.expect_err("nobody knows");
        assert_matches!(refused, SubmitError::UnknownCoin { input: 1 });
        let said = refused.to_string();
        assert!(said.starts_with("Input 2 spends a coin"), "{said}");
        assert_eq!(eve.proofs().await.len(), 1);
    }
    scene.spend(&[his]).await;
    two.follow().await;
    assert_eq!(standing(&hal).await, ended("spent"));
    // The sweep ends, and reaches the newest block; other tests add blocks to this node meanwhile.
    let before = i64::from(scene.node.tip().await.0);
    two.sweep().await;
    assert_eq!(standing(&eve).await, counting());
    assert_eq!(scene.unknown().await, 1);
    let newest = scene.cursor().await.block.height;
    let after = i64::from(scene.node.tip().await.0);
    assert!((before..=after).contains(&newest));
    // Others prove their coins meanwhile.
    let (ada, _) = two.holder().await;
    scene.spend(&[hers]).await;
    two.follow().await;
    assert_eq!(standing(&eve).await, ended("spent"));
    assert_eq!(standing(&ada).await, counting());
    assert_eq!(scene.unknown().await, 0);
}

async fn it_is_asked_for_again_ever_more_rarely(database: TestDatabase) {
    let two = Two::new(database).await;
    let (scene, clock) = (&two.scene, &two.scene.rooms.clock);
    let (eve, hers) = two.holder().await;
    two.refuse(hers).await;
    two.sweep().await;
    two.answer_again();
    clock.advance(59);
    two.sweep().await;
    assert_eq!(scene.unknown().await, 1, "not by a sweep, and not yet");
    two.refuse(hers).await;
    clock.advance(DAY);
    two.follow().await;
    two.answer_again();
    for (wait, unknown) in [(6 * 60 * 60 - 1, 1), (1, 0)] {
        clock.advance(wait);
        two.follow().await;
        assert_eq!(scene.unknown().await, unknown, "after six hours");
    }
    assert_eq!(standing(&eve).await, counting());
}

#[tokio::test]
async fn the_daily_verification_of_others_goes_on() {
    let two = Two::new(TestDatabase::sqlite().await).await;
    let rooms = &two.scene.rooms;
    let ((hal, _), (eve, hers)) = (two.holder().await, two.holder().await);
    for person in [&hal, &eve] {
        set_tier(&rooms.store, &person.id, "premium").await;
    }
    two.refuse(hers).await;
    rooms.clock.advance(DAY);
    let verify = async || {
        let _still = two.scene.node.still().await;
        two.electrum.tip().await.unwrap();
        rooms.proving.reverify_due().await.unwrap() == Next::AtOnce
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
    assert!(verify().await);
    let renewed = rooms.clock.now() + VALIDITY;
    assert_eq!(proof(&hal).await, ("reverified".to_owned(), renewed, None));
    assert_eq!(proof(&eve).await, before, "it stays as it is");
    assert!(!verify().await, "she is looked at again an hour later");
    two.answer_again();
    rooms.clock.advance(60 * 60);
    two.follow().await;
    assert!(verify().await);
    assert_eq!(proof(&eve).await.0, "reverified");
    assert_eq!(proof(&hal).await.1, renewed, "his are not due");
    assert_eq!(eve.holdings().await, Some(SATS));
}
