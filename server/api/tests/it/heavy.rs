//! Files that cost a lot of work, and other users' requests meanwhile.

use crate::binding::Scene;
use crate::forge::{Lock, Single, signed, spend};
use crate::funding::coins;
use crate::support::prelude::*;

mod at_once;

/// A thousand with `./test all`. The test has one thread for the server and all its clients: work that blocks the
/// thread would delay every other response.
#[tokio::test]
async fn a_thousand_inputs_do_not_hold_up_other_requests() {
    let inputs = size(300, 1_000);
    let scene = Scene::optional().await;
    let single = Single::new(Lock::Wpkh);
    let coins = coins(scene.node, &vec![single.script_pubkey(); inputs]).await;
    let file = serialize(&signed(&single, spend(&coins), &coins));
    let person = scene.app.sign_in().await;
    let answered = AtomicUsize::new(0);
    let others = async {
        loop {
            let board = scene.app.get("/api/rest/v1/profiles?limit=10").await;
            assert_eq!(board.status, 200, "{board:?}");
            answered.fetch_add(1, Ordering::Relaxed);
        }
    };
    let submitted = tokio::select! {
        submitted = person.submit(&file) => submitted,
        () = others => unreachable!("others ask until the file is done"),
    };
    assert_eq!(submitted.body["status"], "success", "{submitted:?}");
    let answered = answered.into_inner();
    assert!(answered >= 10, "only {answered} requests were answered");
}
