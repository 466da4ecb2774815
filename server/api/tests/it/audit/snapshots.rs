//! Boards whose responses agree with each other, but not with the log.

use std::io::Cursor;

use board_log::check;
use board_log::names::shown_name;
use board_log::note::{self, Signer};
use board_log::receipt::Receipt;
use board_log::shared::SharedRow;
use board_log::tiers::amount_words;
use board_log::tree::leaf;
use board_log::units::unix_time;
use card::Painter;
use image::ImageFormat;
use sha2::{Digest, Sha256};

use super::lists::{ROWS, honest_rows, made_up, page, people, rank};
use super::mutated::{SUMMARY, sats_of, summary};
use super::*;

/// These rows in every list, and sums that follow from them.
fn everywhere(proxy: &Proxy, rows: Vec<Value>) {
    proxy.change(move |path, honest| {
        let lie: Value = if path == SUMMARY {
            summary(&json!(rows))
        } else if let Some((_, id)) = path.split_once("id=eq.") {
            let found = rows.iter().filter(|row| row["id"] == json!(id));
            found.cloned().collect()
        } else if path.starts_with(ROWS) {
            page(path, rows.clone())
        } else if path == "/leaderboard" {
            return Some(with_first_rows(honest, &rows));
        } else {
            return None;
        };
        Some(lie.to_string().into_bytes())
    });
}

/// The leaderboard page of these rows.
fn with_first_rows(page: &[u8], rows: &[Value]) -> Vec<u8> {
    let page = std::str::from_utf8(page).unwrap();
    let (before, rest) = page.split_once("id=\"first-page\">").unwrap();
    let (block, after) = rest.split_once("</script>").unwrap();
    let mut block: Value = serde_json::from_str(block).unwrap();
    block["rows"] = json!(rows[..rows.len().min(100)]);
    block["summary"] = summary(&json!(rows));
    let (_, after) = after.split_once("</noscript>").unwrap();
    let table: String = rows.iter().map(cells).collect();
    let table = format!("<h1>Bitcoin Leaderboard</h1>Rank User Bitcoin{table}");
    format!("{before}id=\"first-page\">{block}</script><noscript>{table}</noscript>{after}")
        .into_bytes()
}

/// A row as readers without scripts see it.
fn cells(row: &Value) -> String {
    let sats = row["bitcoin_holdings"].as_f64().map(sats_of);
    let amount = amount_words(sats, row["shown_as"] == "range");
    let rank = row["rank"]
        .as_i64()
        .map_or("N/A".to_owned(), |rank| rank.to_string());
    let text = |name: &str| row[name].as_str().unwrap();
    let named = row["named"].as_bool().unwrap();
    let name = shown_name(text("provider"), text("username"), named);
    format!("{rank} {name} {amount} ")
}

/// A board with a few users, all of them in its log.
async fn logged(node: &Node) -> (Arc<Proxy>, TestApp) {
    let (stand_in, app) = board_behind(node).await;
    people(&app, 10, 2).await;
    grow(&app, node).await;
    (stand_in, app)
}

#[tokio::test]
async fn a_row_that_the_log_never_had_is_reported_and_false_the_second_time() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.url, &app, node);
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
        everywhere(&stand_in, rows);
        let report = auditor.run(&[]).await;
        assert_eq!(report.status.success(), passes, "{report:?}");
        let said = report.out;
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
    everywhere(&stand_in, rows);
    let hidden = hidden.as_str().unwrap();
    let part = format!("the snapshot of the log has @{hidden}, and the list of rows has not");
    let auditor = Auditor::at(&stand_in.url, &app, node);
    auditor.fails(&[], &part).await;
}

/// The log stops, while the board and the chain continue.
#[tokio::test]
async fn a_frozen_log_is_found() {
    let node = Node::start().await;
    let app = board(&node).await;
    let auditor = Auditor::new(&app, &node);
    grow(&app, &node).await;
    node.mine(149).await;
    auditor.passes(&[]).await;
    node.mine(2).await;
    auditor.fails(&[], "151 blocks ago").await;
    // Afterwards the gap stays visible, also for auditors who come later.
    log_newest(&app, &node).await;
    let said = Auditor::new(&app, &node).passes(&[]).await;
    assert!(said.contains("it has no entry between blocks"), "{said}");
}

/// The clock of the board is wrong, or its operator is.
#[tokio::test]
async fn an_entry_of_the_future_is_found() {
    let node = Node::shared().await;
    let app = board(node).await;
    let auditor = Auditor::new(&app, node);
    grow(&app, node).await;
    auditor.passes(&[]).await;
    app.state.clock.advance(7_200);
    grow(&app, node).await;
    auditor.finds("before other entries or in the future").await;
}

/// A block that was never in the chain.
#[tokio::test]
async fn an_entry_about_another_block_is_found() {
    let node = Node::shared().await;
    let app = board(node).await;
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
    let auditor = Auditor::at(&stand_in.url, &app, node);
    auditor.passes(&[]).await;
    let path = format!("/api/functions/v1/proofs/{id}");
    let proof = app.get(&path).await.body;
    let note = proof["note"].as_str().unwrap();
    let invalid = "the board's note on it is not valid";
    let another = json!(note.replacen("\"line\":\"P", "\"line\":\"Q", 1));
    let height = proof["statement"]["block"]["height"].as_u64().unwrap();
    for (at, lie, part) in [
        ("/note", Value::Null, invalid),
        ("/note", another, invalid),
        // The note has the right height: that of the block to which the line commits.
        (
            "/statement/block/height",
            json!(height + 1),
            "the board's note on it says something else",
        ),
    ] {
        let (mut proof, path) = (proof.clone(), path.clone());
        *proof.pointer_mut(at).unwrap() = lie;
        stand_in.change(move |asked, _| (asked == path).then(|| proof.to_string().into()));
        auditor.finds(part).await;
    }
    stand_in.change(|asked, honest| {
        let lie = String::from_utf8_lossy(honest).replace("\"amount_sats\":", "\"amount_sats\":1");
        let here = asked.starts_with("/api/functions/v1/proofs?");
        here.then(|| lie.into_bytes())
    });
    auditor.finds("has another amount for it").await;
}

/// The board shows another log to those who get receipts: a second history under the same key.
#[tokio::test]
async fn receipts_of_a_forked_log_are_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.url, &app, node);
    auditor.passes(&[]).await;
    let key = app.state.store.hold_log().await.unwrap().key("log").await;
    let key = key.unwrap().unwrap();
    stand_in.change(move |path, honest| {
        path.starts_with("/log/receipts").then(|| {
            let mut receipts: BTreeMap<String, String> = serde_json::from_slice(honest).unwrap();
            for receipt in receipts.values_mut() {
                *receipt = forked(receipt, &key);
            }
            serde_json::to_vec(&receipts).unwrap()
        })
    });
    auditor.finds("no valid receipt for the row").await;
}

/// The receipt in a log of which another entry, one before its own, is different.
fn forked(receipt: &str, key: &str) -> String {
    let mut receipt = Receipt::read(receipt).unwrap();
    let mut checkpoint = check::unsigned(&receipt.checkpoint).unwrap();
    assert_eq!((checkpoint.size, receipt.index), (3, 2));
    receipt.path = vec![[7; 32]];
    let entry = leaf(receipt.extra.entry.as_bytes());
    let root = Sha256::new_with_prefix([1])
        .chain_update([7; 32])
        .chain_update(entry);
    checkpoint.root = root.finalize().into();
    let signer = Signer::read(&checkpoint.origin, key).unwrap();
    receipt.checkpoint = note::sign(&checkpoint.to_string(), &[&signer]);
    receipt.check(&[signer.public().clone()]).unwrap();
    receipt.text()
}

/// What a search shows is compared with the row, for a sample.
#[tokio::test]
async fn another_row_in_a_search_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.url, &app, node);
    let lies: [fn(&str) -> String; 2] = [
        |text| text.replace("\"verified\":true", "\"verified\":false"),
        |_| "[]".to_owned(),
    ];
    for lie in lies {
        stand_in.change(move |path, honest| {
            let here = path.contains("&username=ilike");
            here.then(|| lie(&String::from_utf8_lossy(honest)).into_bytes())
        });
        let part = "the result of a search for the name of @name";
        auditor.finds(part).await;
    }
}

/// Cards are drawn again for a sample: one satoshi more is another picture.
#[tokio::test]
async fn another_amount_on_a_card_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.url, &app, node);
    auditor.passes(&[]).await;
    let painter = Painter::new(&stand_in.url);
    let rows = honest_rows(&app).await;
    let lies: BTreeMap<String, Vec<u8>> =
        rows.iter().map(|row| richer_card(&painter, row)).collect();
    stand_in.change(move |path, _| lies.get(path.split('?').next()?).cloned());
    auditor.finds("the card of @name").await;
}

/// The address of a row's card, and a card with one satoshi more.
fn richer_card(painter: &Painter, row: &Value) -> (String, Vec<u8>) {
    let username = row["username"].as_str().unwrap();
    let row = SharedRow {
        name: format!("@{username}"),
        rank: row["rank"].as_i64(),
        sats: Some(row["bitcoin_holdings"].as_f64().map_or(0, sats_of) + 1),
        is_range: false,
        last_verified: row["last_verified"].as_str().and_then(unix_time),
    };
    let mut png = Cursor::new(Vec::new());
    let picture = painter.draw(Some(&row)).unwrap();
    picture.write_to(&mut png, ImageFormat::Png).unwrap();
    (format!("/card/{username}.png"), png.into_inner())
}

#[tokio::test]
async fn a_download_that_is_not_the_snapshot_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = logged(node).await;
    let auditor = Auditor::at(&stand_in.url, &app, node);
    for (file, from, to) in [
        ("board.csv", ",10.0", ",90.0"),
        ("board.json", "name3", "name4"),
    ] {
        stand_in.change(move |asked, honest| {
            let text = String::from_utf8_lossy(honest).replacen(from, to, 1);
            asked.ends_with(file).then(|| text.into_bytes())
        });
        let part = format!("/api/functions/v1/{file} is not made from the snapshot");
        auditor.fails(&[], &part).await;
    }
}
