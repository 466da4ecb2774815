//! Audits of a board that people use meanwhile.

use std::convert::Infallible;

use rand::Rng;
use tokio::sync::watch;

use super::*;

/// For how long the command checks a finding again, unless `--patience` sets another time.
const TIMEOUT: Duration = Duration::from_secs(30);

/// People join, prove, publish, withdraw, show a range and leave, coins are spent, blocks come and go: nothing of that is called false.
#[tokio::test]
async fn an_audit_of_a_busy_honest_board_passes() {
    // A node of its own, because this test removes blocks.
    let node = Node::start().await;
    let fixture = Fixture::on(&node, &[]).await;
    let (changed, changes) = watch::channel(());
    tokio::select! {
        () = audits(&fixture, changes) => {}
        never = people(&fixture, &changed) => match never {},
        never = follow(&fixture.app) => match never {},
    }
}

/// The log gets an entry whenever the audit compares something with its newest one: what differs is fetched again, also without patience.
#[tokio::test]
async fn a_log_that_grows_between_two_requests_is_not_called_false() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let fixture = Fixture::on(node, &[]).await;
    super::lists::people(&fixture.app, 3, 0).await;
    fixture.grow().await;
    let (state, entries) = (fixture.app.state.clone(), Arc::new(AtomicUsize::new(0)));
    let (count, origin) = (Arc::clone(&entries), fixture.app.origin.clone());
    fixture.proxy.tell(move |path, honest| {
        let compared = path.ends_with("/board.csv") || path.starts_with("/log/receipts");
        let number = match compared {
            true => count.fetch_add(1, Ordering::SeqCst),
            false => usize::MAX,
        };
        let state = state.clone();
        let address = format!("{origin}{path}");
        let entry = async move {
            if number >= 6 {
                return honest;
            }
            sign_in(&state, "twitter", &format!("late{number}"), None).await;
            node.mine(1).await;
            state
                .proving
                .follower
                .advance(api::chain_follower::ALL)
                .await
                .unwrap();
            while let Ok(Next::AtOnce) = state.board_log.step().await {}
            // The honest response of before would agree with the log as the audit has read it.
            let newest = http_client().get(address).send().await.unwrap();
            Answer::read(newest).await.bytes
        };
        entry.boxed()
    });
    fixture.run_anyway(&[]).await.done();
    assert!(entries.load(Ordering::SeqCst) > 6);
}

async fn audits(fixture: &Fixture<'_>, mut changes: watch::Receiver<()>) {
    for _ in 1..=size(5, 50) {
        changes.changed().await.unwrap();
        let (url, client) = (&fixture.proxy.url, http_client());
        nothing(&audit_at(url, &fixture.app, client, TIMEOUT).await);
    }
}

async fn people(fixture: &Fixture<'_>, changed: &watch::Sender<()>) -> Infallible {
    let node = fixture.node;
    let wallet = node.wallet().await;
    let mut here = Vec::new();
    loop {
        here.push(fixture.publisher(&wallet, "transaction").await);
        let one = rand::rng().random_range(0..here.len());
        let (person, proof, coins) = &mut here[one];
        match rand::rng().random_range(0..6) {
            step @ (0 | 1) => {
                let path = format!("/api/functions/v1/proofs/{proof}");
                let withdrawn = person.delete(&path).await.status.as_u16();
                assert!([204, 404].contains(&withdrawn), "{withdrawn}");
                if step == 0 {
                    let change = person.change(json!({ "shown_as": "range" })).await;
                    assert!(change.status.is_success(), "{change:?}");
                }
            }
            2 => {
                assert_eq!(person.delete_account().await.status, 200);
                here.swap_remove(one);
            }
            3 => {
                if let Some(coin) = coins.pop() {
                    wallet.spend_in_block(&[coin]).await;
                }
            }
            4 => {
                let blocks = node.mine(1).await;
                node.disconnect(blocks[0]).await;
                // Otherwise the new block would be the removed one.
                let elsewhere = script_of(&wallet.address(AddressType::Bech32).await);
                node.mine_to(&elsewhere).await;
                node.mine(1).await;
            }
            _ => drop(node.mine(1).await),
        }
        changed.send_replace(());
    }
}

/// Does what the server's jobs do.
async fn follow(app: &TestApp) -> Infallible {
    loop {
        // A step ends early when its block goes; the next one follows the new chain.
        let _ = app
            .state
            .proving
            .follower
            .advance(api::chain_follower::ALL)
            .await;
        app.state.store.notify();
        while let Ok(Next::AtOnce) = app.state.board_log.step().await {}
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
