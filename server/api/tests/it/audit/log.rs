//! What the command says about a board's log, and what it stores.

use std::fs;
use std::path::PathBuf;

use api::jobs::next::Next;

use super::*;
use crate::support::process::run;

/// Adds a user, then a block at which the log records it.
pub(super) async fn grow(app: &TestApp, node: &Node) {
    app.sign_in().await;
    node.mine(1).await;
    let _still = node.still().await;
    app.caught_up().await;
    let followed = app.state.follower.advance(api::follow::ALL);
    followed.await.unwrap();
    while app.state.history.step().await.unwrap() == Next::AtOnce {}
}

pub(super) fn told(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The file that an audit has stored; it must be the only one.
fn kept(home: &Path) -> PathBuf {
    let files = fs::read_dir(home.join(".proof-of-reserves")).unwrap();
    let files: Vec<PathBuf> = files.map(|it| it.unwrap().path()).collect();
    let [file] = &files[..] else {
        panic!("{files:?}");
    };
    file.clone()
}

#[tokio::test]
async fn a_rewritten_log_is_a_finding_and_the_command_fails() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let home = tempfile::tempdir().unwrap();
    grow(&app, node).await;
    let first = command(&app, node, home.path(), &[]).await;
    assert!(first.status.success(), "{first:?}");
    assert!(told(&first).contains("3 entries, seen for the first time"));
    let file = kept(home.path());
    // A hard link to the file: it must be replaced, not overwritten, so that a kill leaves the old or the new content.
    let (before, text) = (home.path().join("before"), fs::read(&file).unwrap());
    fs::hard_link(&file, &before).unwrap();

    grow(&app, node).await;
    let second = command(&app, node, home.path(), &[]).await;
    assert!(second.status.success(), "{second:?}");
    assert!(told(&second).contains("4 entries, which has only grown since it had 3"));
    assert_eq!(fs::read(&before).unwrap(), text);
    let seen = fs::read(kept(home.path())).unwrap();
    assert_ne!(seen, text);

    // The second entry replaces the first, and the key signs that a block later.
    let rewritten = "update log_tiles set hashes = substr(hashes, 65, 64) || substr(hashes, 65) where level = 0";
    execute(&app.state.store, rewritten).await;
    grow(&app, node).await;
    let failed = command(&app, node, home.path(), &["--json"]).await;
    assert!(!failed.status.success());
    let report: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(report["log"], Value::Null);
    assert_eq!(report["not_checked"]["log"], Value::Null);
    assert_eq!(report["false"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["false"][0]["code"], "log");
    let failed = command(&app, node, home.path(), &[]).await;
    assert!(!failed.status.success());
    let told = told(&failed);
    let (_, of_false) = told.split_once("\nFalse\n").unwrap();
    assert!(of_false.contains("it has been rewritten"), "{told}");
    // The evidence stays.
    assert_eq!(fs::read(kept(home.path())).unwrap(), seen);

    // A file that no audit wrote is no evidence against the board; the error comes before the board is asked.
    for text in ["", "{}", r#"{"checkpoint": "", "keys": []}"#] {
        fs::write(&file, text).unwrap();
        let failed = command(&app, node, home.path(), &[]).await;
        assert!(
            !failed.status.success() && failed.stdout.is_empty(),
            "{text}"
        );
        let said = String::from_utf8_lossy(&failed.stderr);
        let part = "was not written by an audit. Restore the file; or remove it";
        assert!(said.contains(part), "{text}: {said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[tokio::test]
async fn a_log_that_does_not_answer_is_not_called_right_and_costs_no_report() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let home = tempfile::tempdir().unwrap();
    app.sign_in().await;
    let away = "alter table log_published rename to log_published_elsewhere";
    execute(&app.state.store, away).await;
    let failed = command(&app, node, home.path(), &["--json"]).await;
    assert!(!failed.status.success());
    let said = String::from_utf8_lossy(&failed.stderr);
    assert!(said.contains("the board's log was not checked"), "{said}");
    let report: Value = serde_json::from_slice(&failed.stdout).unwrap();
    assert_eq!(
        (&report["log"], &report["false"]),
        (&json!(null), &json!([]))
    );
    let why = report["not_checked"]["log"].as_str().unwrap();
    assert!(
        why.contains("cannot read /log/checkpoint from the board"),
        "{why}"
    );

    let failed = command(&app, node, home.path(), &[]).await;
    assert!(!failed.status.success());
    let told = told(&failed);
    let (before, of_false) = told.split_once("\nFalse\n").unwrap();
    assert!(!before.contains("/log, "), "{told}");
    let (_, not_checked) = before.split_once("\nNot checked\n").unwrap();
    assert!(
        not_checked.contains("the board's log: cannot read /log/checkpoint"),
        "{told}"
    );
    assert_eq!(of_false, "  nothing\n");
}

/// A log that ended correctly is no finding; any other end is one, with the reason and the next step.
#[tokio::test]
async fn a_new_log_goes_on_from_one_that_has_ended_and_is_a_finding_otherwise() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let home = tempfile::tempdir().unwrap();
    grow(&app, node).await;
    assert!(command(&app, node, home.path(), &[]).await.status.success());
    let url = format!("--database-url={}", app.state.config.database_url.expose());
    let because = "The board has another host.";
    let service = ["--app-env=development", &url];
    let begun = run(&[&service[..], &["new-log", "--because", because]].concat());
    assert!(begun.status.success(), "{begun:?}");

    let file = kept(home.path());
    let before = fs::read_to_string(&file).unwrap();
    let passed = command(&app, node, home.path(), &[]).await;
    assert!(passed.status.success(), "{passed:?}");
    let part = format!("/log, which ended after 4 entries: \"{because}\"");
    assert!(told(&passed).contains(&part), "{passed:?}");

    // The old log ended before the size that was seen.
    let more = before.replacen("/log\\n3\\n", "/log\\n9\\n", 1);
    fs::write(&file, more).unwrap();
    let failed = command(&app, node, home.path(), &[]).await;
    assert!(!failed.status.success());
    let said = told(&failed);
    let (_, of_false) = said.split_once("\nFalse\n").unwrap();
    for part in [
        "/log/2, another log than ",
        "of which you have seen 9 entries",
        &format!(
            "says why: \"{because}\", and that the one before had 4 entries, fewer than you have seen"
        ),
        &file.display().to_string(),
        "remove the file",
    ] {
        assert!(of_false.contains(part), "{part}: {said}");
    }

    // The old log was rewritten before it ended.
    let mut seen: Value = serde_json::from_str(&before).unwrap();
    let checkpoint = seen["checkpoint"].as_str().unwrap();
    let root = checkpoint.lines().nth(2).unwrap();
    let other = format!("{}=", "A".repeat(43));
    seen["checkpoint"] = json!(checkpoint.replace(root, &other));
    fs::write(&file, seen.to_string()).unwrap();
    let failed = command(&app, node, home.path(), &[]).await;
    assert!(!failed.status.success(), "{failed:?}");
    assert!(told(&failed).contains("another log than"), "{failed:?}");

    // A first entry that is not in the log counts for nothing.
    let forged = "update log_entries set entry = replace(entry, 'another', 'no other') where log = 2 and number = 0";
    execute(&app.state.store, forged.to_owned()).await;
    grow(&app, node).await;
    let failed = command(&app, node, home.path(), &[]).await;
    assert!(
        told(&failed).contains("gives no reason that could be read"),
        "{failed:?}"
    );
}
