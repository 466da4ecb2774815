//! One account that the database refuses does not stop the follower (decisions, D20).

use super::*;
use crate::store::aside::{refuse, relent};
use crate::support::database::on_both;

on_both!(the_chain_is_followed_past_an_account_that_cannot_be_settled);

async fn the_chain_is_followed_past_an_account_that_cannot_be_settled(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let scene = Scene::new(&node, &rooms).await;
    let (hal, eve) = (&scene.hal, rooms.sign_in().await);
    let coins = [scene.proven(hal).await, scene.proven(&eve).await];
    let account = rooms.store.profile(&hal.id).await.expect("a database");
    refuse(&rooms.store, "profiles", &account.expect("a profile")).await;
    scene.spend(&coins).await;
    scene.expect(&eve, ended("spent")).await;
    let followed = scene.cursor().await.block.height();
    assert_eq!(followed, node.tip().await.0);
    let own = [hal.id.clone()];
    let live = rooms.store.live_claims_of("regtest", &own).await;
    assert_eq!(live.expect("a database"), []);
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 1);
    // Other users can still prove.
    scene.proven(&eve).await;
    assert_eq!(standing(&eve).await, counting());

    rooms.proving.expire().await.expect("a database");
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 1);
    relent(&rooms.store, "profiles").await;
    rooms.proving.expire().await.expect("a database");
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 0);
    assert_eq!(standing(hal).await, ended("spent"));
}
