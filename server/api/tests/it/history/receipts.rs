//! Receipts get the same verdict here and in browsers: both test with the same files (`web/src/lib/board-log/receipt.test.ts`).

use board_log::receipt::Extra;

use super::*;

const RECEIPT: &str = include_str!("../../../../../web/src/lib/board-log/fixture/row.tlog-proof");
const KEY: &str = include_str!("../../../../../web/src/lib/board-log/fixture/key.txt");

fn verdict(text: &str, key: &str) -> Result<String, String> {
    let key = key
        .parse::<VerifierKey>()
        .map_err(|error| error.to_string())?;
    let receipt = Receipt::read(text).map_err(|error| error.to_string())?;
    let shown = receipt.check(&[key]).map_err(|error| error.to_string())?;
    Ok(shown.row)
}

/// A change that an attacker makes to a receipt.
type Change = fn(&mut Receipt);

/// `board-log/tests/example.rs` changes every bit of a receipt.
#[test]
fn a_receipt_shows_its_row_and_no_other_way_leads_to_it() {
    let row = verdict(RECEIPT, KEY).unwrap();
    let row: Value = serde_json::from_str(&row).unwrap();
    assert_eq!(row["sats"], 125_000_000);
    let receipt = Receipt::read(RECEIPT).unwrap();
    assert_eq!(receipt.text(), RECEIPT);
    let changes: [Change; 6] = [
        |it| it.extra.index += 1,
        |it| it.extra.path.reverse(),
        |it| it.extra.path.push(Extra::hash([0; 32])),
        |it| it.index += 1,
        |it| {
            it.path.pop();
        },
        |it| it.checkpoint = it.checkpoint.replacen("/log\n", "/log/2\n", 1),
    ];
    for change in changes {
        let mut changed = receipt.clone();
        change(&mut changed);
        assert_ne!(changed, receipt);
        verdict(&changed.text(), KEY).expect_err("it has changed");
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
    app.sign_in().await;
    log(&app).await;
    let answer = person
        .request(Method::GET, "/api/functions/v1/receipt")
        .send()
        .await;
    let receipt = answer.unwrap().text().await.unwrap();
    let folder = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../web/src/lib/board-log/fixture"
    );
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(format!("{folder}/row.tlog-proof"), receipt).unwrap();
    let key = text(&app.origin, "key").await;
    std::fs::write(format!("{folder}/key.txt"), key).unwrap();
}
