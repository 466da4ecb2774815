//! What the command says about a board's log, and what it stores.

use std::fs;
use std::path::PathBuf;

use super::*;

impl Auditor<'_> {
    /// The file that an audit has stored; it must be the only one.
    fn kept(&self) -> PathBuf {
        let files = fs::read_dir(self.home.path().join(".proof-of-reserves")).unwrap();
        let files: Vec<PathBuf> = files.map(|it| it.unwrap().path()).collect();
        let [file] = &files[..] else {
            panic!("{files:?}");
        };
        file.clone()
    }

    /// The report of an audit that fails, and what it says on standard error.
    async fn failed_report(&self) -> (Value, String) {
        let failed = self.run(&["--json"]).await;
        assert!(!failed.status.success(), "{failed:?}");
        (serde_json::from_str(&failed.out).unwrap(), failed.err)
    }
}

#[tokio::test]
async fn a_rewritten_log_is_a_finding_and_the_command_fails() {
    let node = Node::shared().await;
    let app = board(node).await;
    let auditor = Auditor::new(&app, node);
    grow(&app, node).await;
    let first = auditor.passes(&[]).await;
    assert!(first.contains("3 entries, seen for the first time"));
    let file = auditor.kept();
    // A hard link to the file: it must be replaced, not overwritten, so that a kill leaves the old or the new content.
    let before = auditor.home.path().join("before");
    let text = fs::read(&file).unwrap();
    fs::hard_link(&file, &before).unwrap();

    grow(&app, node).await;
    let second = auditor.passes(&[]).await;
    assert!(second.contains("4 entries, which has only grown since it had 3"));
    assert_eq!(fs::read(&before).unwrap(), text);
    let seen = fs::read(auditor.kept()).unwrap();
    assert_ne!(seen, text);

    // The second entry replaces the first, and the key signs that a block later.
    let rewritten = "update log_tiles set hashes = substr(hashes, 65, 64) || substr(hashes, 65) where level = 0";
    execute(&app.state.store, rewritten).await;
    grow(&app, node).await;
    let (report, _) = auditor.failed_report().await;
    assert_eq!(report["log"], Value::Null);
    assert_eq!(report["not_checked"]["log"], Value::Null);
    assert_eq!(report["false"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["false"][0]["code"], "log");
    auditor.finds("it has been rewritten").await;
    // The evidence stays.
    assert_eq!(fs::read(auditor.kept()).unwrap(), seen);

    // A file that no audit wrote is no evidence against the board; the error comes before the board is asked.
    for text in ["", "{}", r#"{"checkpoint": "", "keys": []}"#] {
        fs::write(&file, text).unwrap();
        let failed = auditor.run(&[]).await;
        let part = "was not written by an audit. Restore the file; or remove it";
        assert!(failed.out.is_empty(), "{text}: {failed:?}");
        let said = failed.failed();
        assert!(said.contains(part), "{text}: {said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[tokio::test]
async fn a_log_that_does_not_answer_is_not_called_right_and_costs_no_report() {
    let node = Node::shared().await;
    let app = board(node).await;
    let auditor = Auditor::new(&app, node);
    app.sign_in().await;
    let away = "alter table log_published rename to log_published_elsewhere";
    execute(&app.state.store, away).await;
    let (report, said) = auditor.failed_report().await;
    assert!(said.contains("the board's log was not checked"), "{said}");
    assert_eq!(
        (&report["log"], &report["false"]),
        (&json!(null), &json!([]))
    );
    let part = "cannot read /log/checkpoint from the board";
    let why = report["not_checked"]["log"].as_str().unwrap();
    assert!(why.contains(part), "{why}");

    let told = auditor.fails(&[], "\nFalse\n  nothing\n").await;
    assert!(!told.contains("/log, "), "{told}");
    let (_, not_checked) = told.split_once("\nNot checked\n").unwrap();
    let part = "the board's log: cannot read /log/checkpoint";
    assert!(not_checked.contains(part), "{told}");
}

/// A log that ended correctly is no finding; any other end is one, with the reason and the next step.
#[tokio::test]
async fn a_new_log_goes_on_from_one_that_has_ended_and_is_a_finding_otherwise() {
    let node = Node::shared().await;
    let app = board(node).await;
    let auditor = Auditor::new(&app, node);
    grow(&app, node).await;
    auditor.passes(&[]).await;
    let because = "The board has another host.";
    let url = app.state.config.database_url.expose();
    operate(url, &["new-log", "--because", because]);

    let file = auditor.kept();
    let before = fs::read_to_string(&file).unwrap();
    let passed = auditor.passes(&[]).await;
    let part = format!("/log, which ended after 4 entries: \"{because}\"");
    assert!(passed.contains(&part), "{passed}");

    // The old log ended before the size that was seen.
    let more = before.replacen("/log\\n3\\n", "/log\\n9\\n", 1);
    fs::write(&file, more).unwrap();
    let of_false = auditor.finds("remove the file").await;
    for part in [
        "/log/2, another log than ",
        "of which you have seen 9 entries",
        &format!(
            "says why: \"{because}\", and that the one before had 4 entries, fewer than you have seen"
        ),
        &file.display().to_string(),
    ] {
        assert!(of_false.contains(part), "{part}: {of_false}");
    }

    // The old log was rewritten before it ended.
    let mut seen: Value = serde_json::from_str(&before).unwrap();
    let checkpoint = seen["checkpoint"].as_str().unwrap();
    let root = checkpoint.lines().nth(2).unwrap();
    let other = format!("{}=", "A".repeat(43));
    seen["checkpoint"] = json!(checkpoint.replace(root, &other));
    fs::write(&file, seen.to_string()).unwrap();
    auditor.fails(&[], "another log than").await;

    // A first entry that is not in the log counts for nothing.
    let forged = "update log_entries set entry = replace(entry, 'another', 'no other') where log = 2 and number = 0";
    execute(&app.state.store, forged).await;
    grow(&app, node).await;
    let part = "gives no reason that could be read";
    auditor.fails(&[], part).await;
}

/// The last checkpoint of a log stays served, also for auditors who have never seen that log.
#[tokio::test]
async fn a_log_before_that_no_longer_ends_as_it_did_is_found() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    grow(&app, node).await;
    let request = app.request(Method::GET, "/log/checkpoint");
    let before = request.send().await.unwrap().text().await.unwrap();
    let url = app.state.config.database_url.expose();
    operate(url, &["new-log", "--because", "It has another host."]);
    let fresh = || Auditor::at(&stand_in.url, &app, node);
    fresh().passes(&[]).await;
    // It is signed, and shorter.
    stand_in.tell_at("/log/checkpoint", before);
    fresh().finds("no longer ends as this one says").await;
}
