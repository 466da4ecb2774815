//! An entry for each block at which the board changed, with a node that mines the blocks.

use super::*;
use crate::binding::app_with;

/// The entries after `known`, once those that are due are added: their kinds, heights and rows.
async fn added(app: &TestApp, known: usize) -> Value {
    log(app).await;
    let entries = entries(app).await;
    let added = entries[known..].iter();
    let added = added.map(|it| json!([it["kind"], it["height"], it["rows"]]));
    added.collect()
}

#[tokio::test]
async fn a_block_has_one_entry_however_often_the_board_changes() {
    // The test decides when blocks are mined.
    let node = Node::start().await;
    let app = app_with(TestDatabase::sqlite().await, &node, &[]).await;
    let (height, first_block) = node.tip().await;
    // The block changed nothing on the board.
    let beginning = json!([["begin", null, null], ["page", null, null]]);
    assert_eq!(added(&app, 0).await, beginning);
    app.sign_in().await;
    assert_eq!(added(&app, 2).await, json!([["board", height, 1]]));
    // Adds nothing for the same block.
    for _ in 0..2 {
        app.sign_in().await;
        assert_eq!(added(&app, 3).await, json!([]));
    }
    // The next block's entry has all unlogged changes.
    let second_block = node.mine(1).await[0];
    assert_eq!(added(&app, 3).await, json!([["board", height + 1, 3]]));
    snapshot(&app).await;
    let entries = entries(&app).await;
    for (entry, block) in [(2, first_block), (3, second_block)] {
        assert_eq!(entries[entry]["block"], block.to_string());
    }
    // Blocks without a change have no entry.
    node.mine(2).await;
    assert_eq!(added(&app, 4).await, json!([]));
    app.sign_in().await;
    assert_eq!(added(&app, 4).await, json!([["board", height + 3, 4]]));
    // At least one entry for every 144 blocks.
    node.mine(143).await;
    assert_eq!(added(&app, 5).await, json!([]));
    node.mine(1).await;
    assert_eq!(added(&app, 5).await, json!([["board", height + 147, 4]]));
    snapshot(&app).await;
}
