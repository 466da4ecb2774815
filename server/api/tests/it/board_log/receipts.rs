//! Receipts get the same verdict here and in browsers: both test with the same files (`web/src/lib/board-log/receipt.test.ts`).

use board_log::receipt::Extra;

use super::*;

pub(super) const RECEIPT: &str =
    include_str!("../../../../../web/src/lib/board-log/fixture/row.tlog-proof");
pub(super) const KEY: &str = include_str!("../../../../../web/src/lib/board-log/fixture/key.txt");

/// A change that an attacker makes to a receipt.
type Change = fn(&mut Receipt);

/// `board-log/tests/example.rs` changes every bit of a receipt.
#[test]
fn a_receipt_proves_its_row_and_a_changed_one_nothing() {
    let keys = [KEY.parse::<VerifierKey>().unwrap()];
    let receipt = Receipt::read(RECEIPT).unwrap();
    assert_eq!(receipt.text(), RECEIPT);
    assert_eq!(receipt.check(&keys).unwrap().row.sats, Some(125_000_000));
    let changes: [Change; 6] = [
        |it| it.extra.index += 1,
        |it| it.extra.path.reverse(),
        |it| it.extra.path.push(Extra::hash([0; 32])),
        |it| it.index += 1,
        |it| it.path.truncate(it.path.len() - 1),
        |it| it.checkpoint = it.checkpoint.replacen("/log\n", "/log/2\n", 1),
    ];
    for change in changes {
        let mut changed = receipt.clone();
        change(&mut changed);
        assert_ne!(changed, receipt);
        let read = Receipt::read(&changed.text()).and_then(|it| it.check(&keys));
        read.expect_err("it has changed");
    }
}

/// Writes the files: `cargo test -p api --test it write_the_receipt -- --ignored`.
#[tokio::test]
#[ignore = "writes files of the repository"]
async fn write_the_receipt() {
    let app = TestApp::development().await;
    let mut people = Vec::new();
    for _ in 0..7 {
        people.push(app.sign_in().await);
    }
    log(&app).await;
    let person = &people[4];
    person.proves("wallet_verification.psbt").await;
    log(&app).await;
    join(&app).await;
    let receipt = person.get(super::RECEIPT).await.bytes;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = folder.join("../../web/src/lib/board-log/fixture");
    std::fs::write(folder.join("row.tlog-proof"), receipt).unwrap();
    let key = text(&app.origin, "key").await;
    std::fs::write(folder.join("key.txt"), key).unwrap();
}
