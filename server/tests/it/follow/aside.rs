//! One account that the database refuses does not stop the follower (decisions, D20).

use super::*;
use crate::store::aside::{refuse, relent};
use crate::support::database::on_both;

on_both!(the_chain_is_followed_past_an_account_that_cannot_be_settled);

async fn the_chain_is_followed_past_an_account_that_cannot_be_settled(database: TestDatabase) {
    let node = Node::start().await;
    let rooms = rooms_on(&node, database).await;
    let (hal, eve) = (rooms.sign_in().await, rooms.sign_in().await);
    let wallet = node.wallet().await;
    let coins = [
        proven(&node, &hal, &wallet).await,
        proven(&node, &eve, &wallet).await,
    ];
    follow(&node, &rooms.follower).await;
    let account = rooms.store.profile(&hal.id).await.expect("a database");
    refuse(&rooms.store, "profiles", &account.expect("a profile")).await;
    let spender = spend(&wallet, &coins).await;
    node.confirm(&[spender]).await;
    follow(&node, &rooms.follower).await;
    assert_eq!(standing(&eve).await, ended("spent"));
    let followed = rooms.store.cursor("regtest").await.expect("a database");
    let (height, _) = node.tip().await;
    assert_eq!(followed.expect("a cursor").block.height(), height);
    let own = [hal.id.clone()];
    let live = rooms.store.live_claims_of("regtest", &own).await;
    assert_eq!(live.expect("a database"), []);
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 1);
    // Others go on proving.
    proven(&node, &eve, &wallet).await;
    assert_eq!(standing(&eve).await, counting());

    rooms.proving.expire().await.expect("a database");
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 1);
    relent(&rooms.store, "profiles").await;
    rooms.proving.expire().await.expect("a database");
    assert_eq!(rooms.store.set_aside().await.expect("a database"), 0);
    assert_eq!(standing(&hal).await, ended("spent"));
}
