//! What the command says about a board's log, and what it stores.

use std::fs;
use std::path::PathBuf;

use super::*;

impl Fixture<'_> {
    /// The file that an audit has stored; it must be the only one.
    fn kept(&self) -> PathBuf {
        let files = fs::read_dir(self.home.path().join(".proof-of-reserves")).unwrap();
        let files: Vec<PathBuf> = files.map(|it| it.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }

    /// The report of an audit that fails, and what it says on standard error.
    async fn failed_report(&self) -> (Value, String) {
        let failed = self.run(&["--json"]).await;
        assert!(!failed.status.success(), "{failed:?}");
        (serde_json::from_str(&failed.out).unwrap(), failed.err)
    }

    async fn execute(&self, sql: &str) {
        execute(&self.app.state.store, sql).await;
    }

    /// The operator begins a new log.
    fn new_log(&self, because: &str) {
        let url = self.app.state.config.database_url.expose();
        operate(url, &["new-log", "--because", because]);
    }
}

#[tokio::test]
async fn a_rewritten_log_is_a_finding_and_the_command_fails() {
    let fixture = Fixture::new().await;
    fixture.grow().await;
    let first = fixture.expect_pass(&[]).await;
    assert!(first.contains("3 entries, seen for the first time"));
    let file = fixture.kept();
    // A hard link to the file: it must be replaced, not overwritten, so that a kill leaves the old or the new content.
    let before = fixture.home.path().join("before");
    let text = fs::read(&file).unwrap();
    fs::hard_link(&file, &before).unwrap();

    fixture.grow().await;
    let second = fixture.expect_pass(&[]).await;
    assert!(second.contains("4 entries, which has only grown since it had 3"));
    assert_eq!(fs::read(&before).unwrap(), text);
    let seen = fs::read(&file).unwrap();
    assert_ne!(seen, text);

    // An entry is another one than the checkpoint was signed over.
    let replaced = "update log_entries set entry = entry || ' ' where number = 0";
    fixture.execute(replaced).await;
    fixture.grow().await;
    let (report, _) = fixture.failed_report().await;
    assert_eq!(report["log"], Value::Null);
    assert_eq!(report["not_checked"]["log"], Value::Null);
    assert_eq!(report["false"].as_array().unwrap().len(), 1, "{report}");
    assert_eq!(report["false"][0]["code"], "log");
    fixture.expect_false("it has been rewritten").await;
    // The stored evidence is kept.
    assert_eq!(fs::read(fixture.kept()).unwrap(), seen);

    // A file that no audit wrote is no evidence against the board; the error comes before the board is asked.
    for text in [
        "",
        "{}",
        r#"{"checkpoint": "", "keys": [], "until": [0], "unlogged": {}}"#,
    ] {
        fs::write(&file, text).unwrap();
        let failed = fixture.run(&[]).await;
        assert!(failed.out.is_empty(), "{text}: {failed:?}");
        let said = failed.failed();
        let part = "was not written by an audit. Restore the file; or remove it";
        assert!(said.contains(part), "{text}: {said}");
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
}

#[tokio::test]
async fn an_unreachable_log_is_reported_as_not_checked() {
    let fixture = Fixture::new().await;
    fixture.app.sign_in().await;
    let breaks = "alter table log_issued rename to log_issued_elsewhere";
    fixture.execute(breaks).await;
    let (report, said) = fixture.failed_report().await;
    has(&said, &["the board's log was not checked"]);
    let found = (&report["log"], &report["false"]);
    assert_eq!(found, (&Value::Null, &json!([])));
    let why = text(&report["not_checked"]["log"]);
    has(&why, &["cannot read /log/checkpoint from the board"]);

    let report = fixture.expect_failure("\nFalse\n  nothing\n").await;
    assert!(!report.contains("/log, "), "{report}");
    let (_, not_checked) = report.split_once("\nNot checked\n").unwrap();
    let part = "the board's log: cannot read /log/checkpoint";
    has(not_checked, &[part]);
}

/// The finding has the operator's reason and the next step.
#[tokio::test]
async fn a_new_log_is_a_finding_with_its_reason() {
    let fixture = Fixture::new().await;
    fixture.grow().await;
    fixture.expect_pass(&[]).await;
    let because = "The board has another host.";
    fixture.new_log(because);

    let file = fixture.kept();
    let before = fs::read_to_string(&file).unwrap();
    let kept = file.display().to_string();
    let of_false = fixture.expect_false("remove the file").await;
    let why = format!("says why: \"{because}\", and that the one before had 3 entries");
    let seen = "of which you have seen 3 entries";
    has(&of_false, &["/log/2, another log than ", seen, &why, &kept]);
    let more = before.replacen("/log\\n3\\n", "/log\\n9\\n", 1);
    fs::write(&file, more).unwrap();
    fixture
        .expect_false("3 entries, fewer than you have seen")
        .await;
    fs::remove_file(&file).unwrap();
    let passed = fixture.expect_pass(&[]).await;
    has(&passed, &["/log/2", "seen for the first time"]);
    fs::write(&file, before).unwrap();

    // A first entry that is not in the log counts for nothing.
    let other = "update log_entries set entry = replace(entry, 'another', 'no other') where log = 2 and number = 0";
    fixture.execute(other).await;
    fixture
        .expect_failure("gives no reason that could be read")
        .await;
}
