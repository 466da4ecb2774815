//! Boards whose responses agree with each other, but not with the log.

use super::lists::{ROWS, board_behind, honest_rows, made_up, number_in, people, rank};
use super::mutated::{SUMMARY, summary};
use super::*;

/// These rows in every list, and sums that follow from them.
fn everywhere(rows: Vec<Value>) -> Lie {
    Arc::new(move |path, honest| {
        let lie = if path == SUMMARY {
            Some(summary(&json!(rows)))
        } else if let Some((_, id)) = path.split_once("id=eq.") {
            let found = rows.iter().filter(|row| row["id"] == json!(id));
            Some(found.cloned().collect())
        } else if path.starts_with(ROWS) {
            let offset = number_in(&path, "offset").unwrap_or(0);
            let limit = number_in(&path, "limit").unwrap_or(1_000);
            let rows = rows.iter().skip(offset).take(limit);
            Some(rows.cloned().collect())
        } else if path == "/leaderboard" {
            let page = with_first_rows(&honest, &rows[..rows.len().min(100)]);
            return Box::pin(async move { page });
        } else {
            None
        };
        Box::pin(async move { lie.map_or(honest, |lie| lie.to_string().into_bytes()) })
    })
}

/// The leaderboard page with these rows.
pub(super) fn with_first_rows(page: &[u8], rows: &[Value]) -> Vec<u8> {
    let page = std::str::from_utf8(page).unwrap();
    let (before, rest) = page.split_once("id=\"first-page\">").unwrap();
    let (block, after) = rest.split_once("</script>").unwrap();
    let mut block: Value = serde_json::from_str(block).unwrap();
    block["rows"] = json!(rows);
    format!("{before}id=\"first-page\">{block}</script>{after}").into_bytes()
}

/// A board with a few users, all of them in its log.
async fn logged(node: &Node) -> (crate::support::stand_in::StandIn, TestApp) {
    let (stand_in, app) = board_behind(node).await;
    people(&app, 10, 2).await;
    grow(&app, node).await;
    (stand_in, app)
}

#[tokio::test]
async fn a_row_that_the_log_never_had_is_reported_and_false_the_second_time() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.origin, &app, node);
    let honest = auditor.passes(&[]).await;
    assert!(!honest.contains("not in the log"), "{honest}");
    // Last, so that no other rank changes: badges and embedded rows are honest.
    let fake = made_up(json!(0.001));
    // Until there is another entry, the row may still be logged.
    for (another_entry, passes) in [(false, true), (false, true), (true, false)] {
        if another_entry {
            grow(&app, node).await;
        }
        let mut rows = honest_rows(&app).await;
        let proven = |row: &&Value| !row["bitcoin_holdings"].is_null();
        rows.insert(rows.iter().filter(proven).count(), fake.clone());
        rank(&mut rows);
        stand_in.tell(everywhere(rows));
        let report = auditor.run(&[]).await;
        assert_eq!(report.status.success(), passes, "{report:?}");
        let said = told(&report);
        let part = "@satoshi with 0.00100000 BTC, verified never: not in the log like this";
        assert!(said.contains(part), "{said}");
        assert_eq!(said.contains("has shown @satoshi"), !passes, "{said}");
    }
}

#[tokio::test]
async fn a_row_that_the_list_hides_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let mut rows = honest_rows(&app).await;
    let hidden = rows.remove(3)["username"].take();
    rank(&mut rows);
    stand_in.tell(everywhere(rows));
    let hidden = hidden.as_str().unwrap();
    let part = format!("the snapshot of the log has @{hidden}, and the list of rows has not");
    let auditor = Auditor::at(&stand_in.origin, &app, node);
    auditor.fails(&[], &part).await;
}

/// The log stops, while the board and the chain continue.
#[tokio::test]
async fn a_frozen_log_is_found() {
    let node = Node::start().await;
    let app = board(&node, TestDatabase::sqlite().await).await;
    let auditor = Auditor::new(&app, &node);
    grow(&app, &node).await;
    node.mine(149).await;
    auditor.passes(&[]).await;
    node.mine(2).await;
    auditor.fails(&[], "151 blocks ago").await;
}

/// A block that was never in the chain.
#[tokio::test]
async fn an_entry_about_another_block_is_found() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    app.sign_in().await;
    node.mine(1).await;
    {
        let _still = node.still().await;
        app.caught_up().await;
        let followed = app.state.follower.advance(api::follow::ALL);
        followed.await.unwrap();
        let other = format!("update chain_cursor set hash = '{}'", "ab".repeat(32));
        execute(&app.state.store, other).await;
        app.state.history.step().await.unwrap();
    }
    let part = "blocks that the chain does not have";
    Auditor::new(&app, node).fails(&[], part).await;
}

/// Rule C13: the audit reads the board's note on a proof.
#[tokio::test]
async fn a_proof_without_the_boards_note_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    let wallet = node.wallet().await;
    let (_, id, _) = publisher(&app, node, &wallet, "message").await;
    grow(&app, node).await;
    let auditor = Auditor::at(&stand_in.origin, &app, node);
    auditor.passes(&[]).await;
    let path = format!("/api/functions/v1/proofs/{id}");
    let proof = app.get(&path).await.body;
    let note = proof["note"].as_str().unwrap();
    for lie in [
        Value::Null,
        json!(note.replacen("\"line\":\"P", "\"line\":\"Q", 1)),
    ] {
        let (mut proof, path) = (proof.clone(), path.clone());
        proof["note"] = lie;
        stand_in.tell(Arc::new(move |asked, honest| {
            let lie = (asked == path).then(|| proof.to_string().into_bytes());
            Box::pin(async move { lie.unwrap_or(honest) })
        }));
        let part = "the board's note on it is not valid";
        auditor.fails(&[], part).await;
    }
}

#[tokio::test]
async fn a_download_that_is_not_the_snapshot_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.origin, &app, node);
    for (file, from, to) in [
        ("board.csv", ",10.0", ",90.0"),
        ("board.json", "name3", "name4"),
    ] {
        stand_in.tell(Arc::new(move |asked, honest| {
            let lie = asked.ends_with(file);
            let text = String::from_utf8_lossy(&honest).replacen(from, to, 1);
            Box::pin(async move { if lie { text.into_bytes() } else { honest } })
        }));
        let part = format!("/api/functions/v1/{file} is not made from the snapshot");
        auditor.fails(&[], &part).await;
    }
}
