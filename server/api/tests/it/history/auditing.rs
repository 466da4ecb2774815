//! `reserves-audit` stores what it saw of the log, and checks receipts.

use audit::log;

use super::believed::{audited, board_behind, join, said};
use super::*;

/// A proxy in front of the board may answer with its own page.
#[tokio::test]
async fn what_is_no_checkpoint_says_nothing_of_the_log() {
    let (stand_in, app, site) = board_behind().await;
    join(&app, "first").await;
    let seen = log::look(&site, None, None).await.unwrap().seen;
    let page = "<!doctype html>\n\n<title>Back soon</title>\n";
    stand_in.tell_at("/log/checkpoint", page.to_owned());
    for before in [None, Some(&seen)] {
        let said = log::look(&site, before, None).await.expect_err("a page");
        assert_matches!(said, LogError::Site(_));
        let said = said.to_string();
        for part in ["/log/checkpoint", "not a signed note"] {
            assert!(said.contains(part), "{said}");
        }
    }
    stand_in.be_honest();
    // A well-formed one is verified even when a stranger's key signed it.
    let strangers = Signer::generate().unwrap();
    let strangers = Signer::read("127.0.0.1/log", &strangers).unwrap();
    let look = log::look(&site, Some(&seen), Some(strangers.public())).await;
    assert_eq!(said(look), CheckError::Note(NoteError::Stranger));
}

#[test]
fn a_receipt_is_checked_offline() {
    let fixture = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../web/src/lib/board-log/fixture"
    );
    let folder = tempfile::tempdir().unwrap();
    let seen = format!("--seen={}", folder.path().display());
    let receipt = format!("--receipt={fixture}/row.tlog-proof");
    let refusal = |arguments: &[&str]| audited(arguments).failed();
    let said = refusal(&[&receipt, &seen]);
    assert!(said.contains("with --key"), "{said}");
    let key = std::fs::read_to_string(format!("{fixture}/key.txt")).unwrap();
    let key = key.trim();
    let said = audited(&[&receipt, &seen, "--key", key]).done();
    for part in ["At block 1000", "1.25000000 BTC", "\"sats\":125000000"] {
        assert!(said.contains(part), "{said}");
    }
    // Receipts of another key are neither confirmed nor false: it may be an earlier key of the log.
    let host = key.split('+').next().unwrap();
    let material = Signer::generate().unwrap();
    let other = Signer::read(host, &material).unwrap();
    let other = other.public().to_string();
    let said = refusal(&[&receipt, &seen, "--key", &other]);
    assert!(said.contains("pass the key that it had then"), "{said}");
    // With the state that an audit has stored.
    let host = key.split('/').next().unwrap().replace(':', "_");
    let kept = json!({ "checkpoint": "", "keys": [key] }).to_string();
    std::fs::write(folder.path().join(format!("{host}.log.json")), kept).unwrap();
    audited(&[&receipt, &seen]).done();
    let changed = folder.path().join("changed");
    let text = std::fs::read_to_string(format!("{fixture}/row.tlog-proof")).unwrap();
    std::fs::write(&changed, text.replace("index 3", "index 2")).unwrap();
    let said = refusal(&[&format!("--receipt={}", changed.display()), &seen]);
    assert!(said.contains("the receipt is false"), "{said}");
}

#[tokio::test]
async fn a_receipt_of_a_range_says_what_the_board_said() {
    let app = TestApp::development().await;
    let folder = tempfile::tempdir().unwrap();
    let seen = format!("--seen={}", folder.path().display());
    use ShownAs::{Exact, Range};
    for (name, sats, shown_as, words) in [
        ("whale", 1_234_500_000, Range, "with at least 10 BTC:"),
        ("shrimp", 5, Range, "with under 0.1 BTC:"),
        ("open", 1_234_500_000, Exact, "with 12.34500000 BTC:"),
    ] {
        let person = sign_in(&app.state, "twitter", name, None).await;
        prove(&app.state, &person, sats).await;
        app.show_as(&person.id, shown_as).await;
        log(&app).await;
        let receipt = app
            .state
            .history
            .receipt(&person.id)
            .await
            .unwrap()
            .unwrap();
        let file = folder.path().join(name);
        std::fs::write(&file, receipt).unwrap();
        let file = format!("--receipt={}", file.display());
        let key = format!("--key={}", key(&app.origin).await);
        let said = audited(&[&file, &seen, &key]).done();
        assert!(said.contains(words), "{said}");
    }
}
