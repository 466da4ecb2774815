//! What a user gets when sources disagree: try again later, and nothing has changed.

use api::chain_follower;

use super::*;

/// How often a source that gets blocks late is asked before it has one.
const LATE: usize = 4;

/// A node of a test's own.
struct Fixture {
    node: Arc<Node>,
    proxy: Arc<Proxy>,
    /// Over the node, asked directly and through the proxy; both must agree.
    rooms: Rooms,
}

impl Fixture {
    async fn open() -> Self {
        let node = Arc::new(Node::start().await);
        let proxy = Proxy::to(node.url()).await;
        let chain = format!("bitcoind:{},bitcoind:{}", node.url(), proxy.url);
        let rooms = Rooms::open(TestDatabase::sqlite().await, &chain, Some(2)).await;
        Self { node, proxy, rooms }
    }

    /// A proof over a new coin of 1 BTC whose block has been followed.
    async fn followed_proof(&self) -> Vec<u8> {
        let wallet = self.node.wallet().await;
        let coin = wallet.coin().await;
        let followed = self.rooms.follower.advance(chain_follower::ALL).await;
        assert_eq!(followed.unwrap(), chain_follower::Position::Newest);
        wallet.proof(&[coin], true).await.binary()
    }

    async fn accepts(&self, file: &[u8]) {
        let accepted = self.rooms.sign_in().await.submit(file).await;
        let amount = accepted.expect("both agree in time").proof.amount_sats();
        assert_eq!(amount, 100_000_000);
    }
}

/// Rule B8: one of two sources always gets a block first, and a spend reaches, or leaves, one mempool first. No honest user may get an
/// error because of that.
#[tokio::test]
async fn sources_that_differ_for_a_moment_are_asked_again() {
    let fixture = Fixture::open().await;
    let file = fixture.followed_proof().await;
    // The first attempt asks the late source twice; the second waits for over a second.
    let old = fixture.node.call("getblockchaininfo", json!([])).await;
    let asked = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&asked);
    fixture.proxy.lie(move |call, result| {
        if call["method"] == "getblockchaininfo" && count.fetch_add(1, Ordering::Relaxed) < LATE {
            *result = old.clone();
        }
    });
    fixture.node.mine(1).await;
    fixture.accepts(&file).await;
    assert!(asked.load(Ordering::Relaxed) > LATE);

    let file = fixture.followed_proof().await;
    let first = AtomicBool::new(true);
    fixture.proxy.lie(move |call, result| {
        // Tries it with a coin that no transaction in the mempool spends.
        let unspent = call["method"] == "gettxout" && call["params"][2] == true;
        if unspent && first.swap(false, Ordering::Relaxed) {
            *result = Value::Null;
        }
    });
    fixture.accepts(&file).await;
}

/// The server tries twice, and not a third time.
#[tokio::test]
async fn a_block_in_each_of_two_attempts_is_an_error() {
    let fixture = Fixture::open().await;
    let person = fixture.rooms.sign_in().await;
    let file = fixture.followed_proof().await;
    let (node, proxy) = (Arc::clone(&fixture.node), Arc::clone(&fixture.proxy));
    let interruption = async move {
        node.mine(1).await;
        let again = async move { drop(node.mine(1).await) };
        proxy.interrupt("gettxout", || again.boxed());
    };
    fixture.proxy.interrupt("gettxout", || interruption.boxed());
    let refused = person.submit(&file).await;
    assert_matches!(refused, Err(SubmitError::Chain(ChainError::Moved)));
    fixture.accepts(&file).await;
}

#[tokio::test]
async fn submit_proof_with_disagreeing_sources_is_503() {
    let node = Node::shared().await;
    let liar = Proxy::to(node.url()).await;
    let chain = format!("--chain=bitcoind:{},bitcoind:{}", node.url(), liar.url);
    let quorum = ["--chain-quorum=2", "--network=regtest"];
    let app = TestApp::with(&[&chain, quorum[0], quorum[1], "--proof-binding=optional"]).await;
    let person = app.sign_in().await;
    let wallet = node.wallet().await;
    let file = wallet.proof(&[wallet.coin().await], true).await.binary();
    liar.lie(|call, result| {
        if call["method"] == "gettxout" {
            *result = Value::Null;
        }
    });
    let _still = node.still().await;
    let refused = person.submit(&file).await;
    assert_eq!(refused.problem(), (503, "coin-unknown"), "{refused:?}");
    let (input, status) = (&refused.body["input"], &refused.body["status"]);
    assert_eq!((input, status), (&json!(0), &json!("error")));
    assert_eq!(person.proofs().await, json!([]));
    liar.be_honest();
    person.submit(&file).await.ok();
}
