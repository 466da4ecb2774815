//! OPERATIONS.md is what was run: `.scripts/recipes.sh` runs its blocks as they are, and its table of alerts is that of `.deploy/alerts.yml`.

use std::process::Command;

use crate::support::prelude::*;
use crate::support::process::ended;

const PAGE: &str = include_str!("../../../../.github/OPERATIONS.md");
const ALERTS: &str = include_str!("../../../../.deploy/alerts.yml");

/// The status of the script where nobody may make namespaces.
const CANNOT: i32 = 3;

#[tokio::test]
async fn every_recipe_works_as_the_page_has_it() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::new(top.join(".scripts/recipes.sh"));
    command.env("SERVER_PROGRAM", env!("CARGO_BIN_EXE_server"));
    command.env("KILLS", size("4", "12"));
    // ./test all follows all of them.
    command.args(size(&["ten-steps", "backup"][..], &[]));
    let followed = tokio::task::spawn_blocking(move || ended(&mut command));
    let followed = followed.await.unwrap();
    if followed.status.code() == Some(CANNOT) {
        println!("skipped: {}", followed.err);
        return;
    }
    followed.done();
}

#[test]
fn the_page_is_short_and_has_each_alert_with_the_command_to_run_first() {
    assert!(PAGE.lines().count() <= 350, "{}", PAGE.lines().count());
    let unquoted = |text: &str| text.trim().trim_matches('\'').to_owned();
    let mut name = None;
    let mut alerts = 0;
    for line in ALERTS.lines() {
        if let Some(alert) = line.trim().strip_prefix("- alert: ") {
            name = Some(alert);
        }
        if let Some(run) = line.trim().strip_prefix("run: ") {
            let alert = name.take().expect("one command for each alert");
            let row = format!("| `{alert}` | `{}` |", unquoted(run).replace('|', "\\|"));
            assert!(PAGE.contains(&row), "the page lacks: {row}");
            alerts += 1;
        }
        assert!(
            !line.contains("summary:") || name.is_none(),
            "{name:?} has no command"
        );
    }
    assert_eq!(alerts, 10);
}
