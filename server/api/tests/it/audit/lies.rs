//! An operator's lies about the log and the pages, one a row: the honest answer, and what visitors get instead.

use std::sync::Arc;

use super::lists::{board_behind, people};
use super::log::{grow, told};
use super::*;
use crate::support::stand_in::Lie;

/// Turns an honest answer at these addresses into a lie.
type Change = fn(&str, String) -> String;

/// The lie, its addresses, the change to the answer, and a part of the audit's message.
const LIES: [(&str, &str, Change, &str); 26] = [
    (
        "a checkpoint without its signature",
        "/log/checkpoint",
        |_, text| text.split("\n\n").next().unwrap().to_owned() + "\n",
        "the board's log: it is not a signed note",
    ),
    (
        "a checkpoint whose signature is gone and its gap not",
        "/log/checkpoint",
        |_, text| text.split("\n\n").next().unwrap().to_owned() + "\n\n",
        "the board's log: it is not a signed note",
    ),
    (
        "another size under the signature",
        "/log/checkpoint",
        |_, text| text.replacen("\n3\n", "\n4\n", 1),
        "the signature of the trusted key is invalid",
    ),
    (
        "an entry with another number of rows",
        "/log/tile/entries/",
        |_, text| text.replace("\"rows\":12", "\"rows\":13"),
        "it has been rewritten",
    ),
    (
        "an entry about another block",
        "/log/tile/entries/",
        |_, text| text.replace("\"block\":\"", "\"block\":\"0"),
        "the board's log",
    ),
    (
        "an entry without the files of the pages",
        "/log/tile/entries/",
        |_, text| text.replace("\"kind\":\"page\"", "\"kind\":\"pagE\""),
        "it has been rewritten",
    ),
    (
        "no entries",
        "/log/tile/entries/",
        |_, _| String::new(),
        "the log does not serve the data that the check needs",
    ),
    (
        "another amount in the snapshot",
        "/log/snapshot/",
        |_, text| text.replacen("\"sats\":1000000000,", "\"sats\":1000000001,", 1),
        "the log does not commit to the rows of the snapshot",
    ),
    (
        "another name in the snapshot",
        "/log/snapshot/",
        |_, text| text.replacen("\"name\":\"name3\"", "\"name\":\"satoshi\"", 1),
        "the log does not commit to the rows of the snapshot",
    ),
    (
        "a snapshot without a row",
        "/log/snapshot/",
        |_, text| {
            text.lines()
                .take(12)
                .map(|line| line.to_owned() + "\n")
                .collect()
        },
        "the snapshot's number of rows differs from its header",
    ),
    (
        "a snapshot with spaces",
        "/log/snapshot/",
        |_, text| text.replacen("\",\"", "\", \"", 1),
        "line 1 of the snapshot does not have the right format",
    ),
    (
        "a snapshot of another time",
        "/log/snapshot/",
        |_, text| text.replacen("\"time\":\"20", "\"time\":\"21", 1),
        "the header of the snapshot differs from its entry",
    ),
    (
        "a row twice in the snapshot",
        "/log/snapshot/",
        |_, text| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[2] = lines[1];
            lines.join("\n") + "\n"
        },
        "are not in ascending order",
    ),
    (
        "receipts of nobody",
        "/log/receipts",
        |_, _| "{}".to_owned(),
        "no valid receipt for the row",
    ),
    (
        "receipts of another key",
        "/log/receipts",
        |_, text| text.replace("\\nindex 2\\n", "\\nindex 1\\n"),
        "no valid receipt for the row",
    ),
    (
        "another total in the page of the leaderboard",
        "/leaderboard",
        |_, text| text.replacen("\"bitcoin_holdings\":10.0", "\"bitcoin_holdings\":90.0", 1),
        "begins with other rows than the list",
    ),
    (
        "another name in the page of the leaderboard",
        "/leaderboard",
        |_, text| text.replacen("\"username\":\"name3\"", "\"username\":\"satoshi\"", 1),
        "begins with other rows than the list",
    ),
    (
        "another script in the page that checks proofs",
        "/verify",
        |_, text| text.replacen("</head>", "<script src=\"/evil.js\"></script></head>", 1),
        "the file /verify is another one than the log says it is",
    ),
    (
        "another page for one reader",
        "/prove",
        |_, text| text.replacen("</head>", " </head>", 1),
        "the file /prove is another one than the log says it is",
    ),
    (
        "another script behind the pages",
        "/verify.js",
        |_, text| text + "//",
        "the file /verify.js is another one than the log says it is",
    ),
    (
        "another sum in the summary",
        "/api/functions/v1/board-summary",
        |_, text| text.replacen("\"people\":12", "\"people\":13", 1),
        "and the board's summary says",
    ),
    (
        "another amount in badges",
        "/badge/",
        |_, text| text.replace(" BTC", "0 BTC"),
        "the badge of @name",
    ),
    (
        "another tier in embedded rows",
        "/embed",
        |_, text| text.replace("Dolphin", "Whale").replace("Fish", "Whale"),
        "the embedded row of @name",
    ),
    (
        "more words in embedded rows",
        "/embed",
        |_, text| text.replace("</main>", "and 900 BTC elsewhere</main>"),
        "the embedded row of @name",
    ),
    (
        "another title of shared links",
        "/leaderboard",
        |path, text| match path.contains("?u=") {
            true => text.replace(" BTC ", " million BTC "),
            false => text,
        },
        "the page behind the shared link of @name",
    ),
    (
        "another text of shared links",
        "/leaderboard",
        |path, text| match path.contains("?u=") {
            true => text.replace("proven by signatures", "proven by a notary"),
            false => text,
        },
        "the page behind the shared link of @name",
    ),
];

fn lie_at(at: &'static str, change: Change) -> Lie {
    Arc::new(move |path, honest| {
        Box::pin(async move {
            let here = match at.strip_suffix('/') {
                Some(_) => path.starts_with(at),
                None => path.split('?').next() == Some(at),
            };
            if !here {
                return honest;
            }
            // Bundles of entries are binary: they contain lengths.
            let bytes = honest.iter().map(|byte| char::from(*byte)).collect();
            let changed = change(&path, bytes);
            changed
                .chars()
                .map(|letter| u8::try_from(letter).unwrap_or(b'?'))
                .collect()
        })
    })
}

#[tokio::test]
async fn no_lie_about_the_log_or_the_pages_passes() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    people(&app, 10, 2).await;
    grow_without_anyone_new(&app, node).await;
    let fresh = async || {
        let home = tempfile::tempdir().unwrap();
        command_at(&stand_in.origin, &app, node, home.path(), &[]).await
    };
    let honest = fresh().await;
    assert!(honest.status.success(), "{honest:?}");
    for (what, at, change, part) in LIES {
        stand_in.tell(lie_at(at, change));
        let report = fresh().await;
        assert!(!report.status.success(), "{what}: {report:?}");
        let said = told(&report);
        let (_, of_false) = said.split_once("\nFalse\n").unwrap_or(("", ""));
        assert!(of_false.contains(part), "{what}: {said}");
    }
    // Withheld responses.
    stand_in.be_honest();
    assert!(fresh().await.status.success());
}

/// A withheld snapshot is a lie as well: the newest entry commits to it.
#[tokio::test]
async fn a_snapshot_that_is_withheld_is_found() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let home = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        grow(&app, node).await;
        let honest = command(&app, node, home.path(), &[]).await;
        assert!(honest.status.success(), "{honest:?}");
    }
    execute(
        &app.state.store,
        "update log_published set board_entry = board_entry - 1",
    )
    .await;
    let report = command(&app, node, home.path(), &[]).await;
    assert!(!report.status.success(), "{report:?}");
    assert!(
        told(&report).contains("the log does not serve the data that the check needs"),
        "{report:?}"
    );
}

/// Witnesses: too few cosignatures, and those of unknown witnesses.
#[tokio::test]
async fn a_log_without_the_cosignatures_that_are_demanded_is_false() {
    let witnesses = [
        crate::support::witness::Witness::start("one.example/w").await,
        crate::support::witness::Witness::start("two.example/w").await,
    ];
    let node = Node::shared().await;
    let settings: Vec<String> = witnesses.iter().map(|it| it.setting()).collect();
    let setting = format!("--witnesses={}", settings.join(","));
    let app = app_with(TestDatabase::sqlite().await, node, &[&setting]).await;
    app.state.clock.advance(Clock::System.now() - NOW);
    let key = app.request(reqwest::Method::GET, "/log/key").send().await;
    witnesses[0].register(&key.unwrap().text().await.unwrap());
    grow(&app, node).await;
    let [one, two] = witnesses
        .each_ref()
        .map(|it| format!("--witness={}", it.key()));
    let home = tempfile::tempdir().unwrap();
    for (arguments, passes) in [
        (&[one.as_str()][..], true),
        (&[&one, &two, "--quorum=1"], true),
        (&[&one, &two], false),
        (&[&one, &two, "--quorum=2"], false),
        (&[&two], false),
    ] {
        let report = command(&app, node, home.path(), arguments).await;
        assert_eq!(report.status.success(), passes, "{arguments:?}: {report:?}");
        let counted = told(&report).contains("cosigned by 1 of");
        assert_eq!(counted, arguments.len() > 1 || passes, "{report:?}");
    }
}

async fn grow_without_anyone_new(app: &TestApp, node: &Node) {
    node.mine(1).await;
    let _still = node.still().await;
    app.caught_up().await;
    let followed = app.state.follower.advance(api::follow::ALL);
    followed.await.unwrap();
    app.state.history.step().await.unwrap();
}
