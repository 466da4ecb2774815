//! Boards whose responses agree with each other, but not with the log.

use board_log::check;
use board_log::note::{self, Signer};
use board_log::receipt::Receipt;
use board_log::tree::leaf;
use sha2::{Digest, Sha256};

use super::*;

#[tokio::test]
async fn a_row_that_the_log_never_had_is_reported_and_false_the_second_time() {
    let fixture = Fixture::logged().await;
    let honest = fixture.expect_pass(&[]).await;
    assert!(!honest.contains("not in the log"), "{honest}");
    let fake = "insert into profiles (id, provider, subject, username, username_folded, named, holdings_sats, created_at, updated_at)
        values ('0190d0c2-0000-7000-8000-000000000001', 'twitter', 'x', 'satoshi', 'satoshi', true, 100000, 1, 1)";
    // Until there is another entry, the row may still be logged.
    for succeeds in [true, true, false] {
        if !succeeds {
            fixture.grow().await;
        }
        let _twin = fixture.pretend(fake).await;
        let report = fixture.run(&[]).await;
        assert_eq!(report.status.success(), succeeds, "{report:?}");
        let said = report.out;
        let part = "@satoshi with 0.00100000 BTC, verified never: not in the log like this";
        assert!(said.contains(part), "{said}");
        assert_eq!(said.contains("has shown @satoshi"), !succeeds, "{said}");
    }
}

#[tokio::test]
async fn a_row_that_the_list_hides_is_found() {
    let fixture = Fixture::logged().await;
    let hides = "delete from profiles where username = 'name3'";
    let _twin = fixture.pretend(hides).await;
    let part = "the snapshot of the log has @name3, and the list of rows has not";
    fixture.expect_failure(part).await;
}

/// The log stops, while the board and the chain continue.
#[tokio::test]
async fn a_frozen_log_is_found() {
    let node = Node::start().await;
    let mut fixture = Fixture::on(&node, &[]).await;
    fixture.grow().await;
    node.mine(149).await;
    fixture.expect_pass(&[]).await;
    node.mine(2).await;
    fixture.expect_failure("151 blocks ago").await;
    // Afterwards the gap stays visible, also for auditors who come later.
    fixture.log_newest().await;
    fixture.forget();
    let said = fixture.expect_pass(&[]).await;
    assert!(said.contains("it has no entry between blocks"), "{said}");
}

/// The clock of the board is wrong, or its operator is; and a block that was never in the chain.
#[tokio::test]
async fn an_entry_of_the_future_or_about_another_block_is_found() {
    let mut fixture = Fixture::new().await;
    fixture.grow().await;
    fixture.expect_pass(&[]).await;
    fixture.app.state.clock.advance(7_200);
    fixture.grow().await;
    fixture
        .expect_false("before other entries or in the future")
        .await;

    fixture = Fixture::new().await;
    fixture.app.sign_in().await;
    {
        let _still = fixture.node.still().await;
        fixture.app.caught_up().await;
        let followed = fixture
            .app
            .state
            .proving
            .follower
            .advance(api::chain_follower::ALL);
        followed.await.unwrap();
        let other = format!("update chain_cursor set hash = '{}'", "ab".repeat(32));
        execute(&fixture.app.state.store, other).await;
        fixture.app.state.board_log.step().await.unwrap();
    }
    fixture
        .expect_failure("blocks that the chain does not have")
        .await;
}

/// Rule C13: the audit reads the board's note on a proof.
#[tokio::test]
async fn a_proof_without_the_boards_note_is_found() {
    let fixture = Fixture::new().await;
    let wallet = fixture.node.wallet().await;
    let (_, id, _) = fixture.publisher(&wallet, "message").await;
    fixture.grow().await;
    fixture.expect_pass(&[]).await;
    let path = format!("/api/functions/v1/proofs/{id}");
    let proof = fixture.app.get(&path).await.body;
    let note = text(&proof["note"]);
    let another = json!(note.replacen("\"line\":\"P", "\"line\":\"Q", 1));
    let other = json!(format!("{}00", text(&proof["transaction"])));
    // The note has the right height: that of the block to which the line commits.
    let of_block = "/statement/block/height";
    let height = proof.pointer(of_block).unwrap().as_u64().unwrap();
    for (at, lie, part) in [
        ("/note", json!(""), "is not valid"),
        ("/note", another, "is not valid"),
        (of_block, json!(height + 1), "says something else"),
        // The note is not about other coins below the same line.
        ("/transaction", other, "says something else"),
        ("/inputs/1/value_sats", json!(1), "says something else"),
    ] {
        let (mut proof, path) = (proof.clone(), path.clone());
        *proof.pointer_mut(at).unwrap() = lie;
        let change = move |asked: &str, _: &[u8]| (asked == path).then(|| proof.to_string().into());
        fixture.proxy.change(change);
        fixture
            .expect_false(&format!("the board's note on it {part}"))
            .await;
    }
    fixture.proxy.change(|asked, honest| {
        let lie = String::from_utf8_lossy(honest).replace("\"amount_sats\":", "\"amount_sats\":1");
        let here = asked.starts_with("/api/functions/v1/proofs?");
        here.then(|| lie.into_bytes())
    });
    fixture.expect_false("has another amount for it").await;
}

/// The board shows another log to those who get receipts: a second history under the same key.
#[tokio::test]
async fn receipts_of_a_forked_log_are_found() {
    let fixture = Fixture::logged().await;
    fixture.expect_pass(&[]).await;
    let mut log = fixture.app.state.store.hold_log().await.unwrap();
    let key = log.key("log").await.unwrap().unwrap();
    drop(log);
    fixture.proxy.change(move |path, honest| {
        path.starts_with("/log/receipts").then(|| {
            let mut receipts: BTreeMap<String, String> = serde_json::from_slice(honest).unwrap();
            for receipt in receipts.values_mut() {
                *receipt = forked(receipt, &key);
            }
            serde_json::to_vec(&receipts).unwrap()
        })
    });
    fixture.expect_false("no valid receipt for the row").await;
}

/// The receipt in a log of which another entry, one before its own, is different.
fn forked(receipt: &str, key: &str) -> String {
    let mut receipt = Receipt::read(receipt).unwrap();
    let mut checkpoint = check::unsigned(&receipt.checkpoint).unwrap();
    assert_eq!((checkpoint.size, receipt.index), (3, 2));
    receipt.path = vec![[7; 32]];
    let entry = leaf(receipt.extra.entry.as_bytes());
    checkpoint.root = Sha256::digest([&[1][..], &[7; 32], &entry].concat()).into();
    let signer = Signer::read(&checkpoint.origin, key).unwrap();
    receipt.checkpoint = note::sign(&checkpoint.to_string(), &[&signer]);
    receipt.check(&[signer.public().clone()]).unwrap();
    receipt.text()
}
