//! An entry for each block at which the board changed, with a node that mines the blocks.

use api::follow::ALL;

use super::*;
use crate::binding::app_with;

/// Follows the chain to its tip, and adds the entries that are due. Returns the entries.
async fn logged(app: &TestApp) -> Vec<Value> {
    app.caught_up().await;
    app.state.follower.advance(ALL).await.unwrap();
    while app.state.history.step().await.unwrap() == Next::AtOnce {}
    whole_log(&app.origin).await.1
}

#[tokio::test]
async fn a_block_has_one_entry_however_often_the_board_changes() {
    // The test decides when blocks are mined.
    let node = Node::start().await;
    let app = app_with(TestDatabase::sqlite().await, &node, &[]).await;
    let kinds = |entries: &[Value]| -> Vec<Value> {
        let kinds = entries.iter();
        kinds
            .map(|it| json!([it["kind"], it["height"], it["rows"]]))
            .collect()
    };
    let (height, first_block) = node.tip().await;
    let begin = json!(["begin", null, null]);
    let page = json!(["page", null, null]);
    assert_eq!(
        kinds(&logged(&app).await),
        [begin.clone(), page.clone()],
        "nothing to say of the board"
    );
    app.sign_in().await;
    let entries = logged(&app).await;
    let first = json!(["board", height, 1]);
    assert_eq!(
        kinds(&entries),
        [begin.clone(), page.clone(), first.clone()]
    );
    assert_eq!(entries[2]["block"], json!(first_block.to_string()));
    // The same block again.
    for _ in 0..2 {
        app.sign_in().await;
        assert_eq!(logged(&app).await, entries);
    }
    // The next one, with all unlogged changes.
    let second_block = node.mine(1).await[0];
    let entries = logged(&app).await;
    let second = json!(["board", height + 1, 3]);
    assert_eq!(kinds(&entries), [begin, page, first, second]);
    assert_eq!(entries[3]["block"], json!(second_block.to_string()));
    assert_eq!(entries[3]["root"], json!(snapshot(&app).await.1));
    // Blocks without a change have no entry.
    node.mine(2).await;
    assert_eq!(logged(&app).await, entries);
    app.sign_in().await;
    let entries = logged(&app).await;
    assert_eq!(kinds(&entries[4..]), [json!(["board", height + 3, 4])]);
    // At least one entry for every 144 blocks.
    node.mine(143).await;
    assert_eq!(logged(&app).await, entries);
    node.mine(1).await;
    let entries = logged(&app).await;
    assert_eq!(kinds(&entries[5..]), [json!(["board", height + 147, 4])]);
    assert_eq!(entries[5]["root"], json!(snapshot(&app).await.1));
}
