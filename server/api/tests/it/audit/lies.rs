//! An operator's lies about the log and the pages, one a row: the honest answer, and what visitors get instead.

use super::lists::{board_behind, people};
use super::*;

/// Lies that replace a part of an honest answer: the lie, its addresses, the part, what visitors get instead, and a part of the
/// audit's message.
const REPLACED: &str = include_str!("lies.json");

/// Turns an honest answer at these addresses into a lie.
type Change = fn(&str) -> String;

/// The other lies: the lie, its addresses, the change to the answer, and a part of the audit's message.
const LIES: [(&str, &str, Change, &str); 8] = [
    (
        "a checkpoint without its signature",
        "/log/checkpoint",
        |text| text.split("\n\n").next().unwrap().to_owned() + "\n",
        "the board's log: it is not a signed note",
    ),
    (
        "a checkpoint whose signature is gone and its gap not",
        "/log/checkpoint",
        |text| text.split("\n\n").next().unwrap().to_owned() + "\n\n",
        "the board's log: it is not a signed note",
    ),
    (
        "no entries",
        "/log/tile/entries/",
        |_| String::new(),
        "the log does not serve the data that the check needs",
    ),
    (
        "a snapshot without a row",
        "/log/snapshot/",
        |text| text.split_inclusive('\n').take(12).collect(),
        "the snapshot's number of rows differs from its header",
    ),
    (
        "a row twice in the snapshot",
        "/log/snapshot/",
        |text| {
            let mut lines: Vec<&str> = text.lines().collect();
            lines[2] = lines[1];
            lines.join("\n") + "\n"
        },
        "are not in ascending order",
    ),
    (
        "receipts of nobody",
        "/log/receipts",
        |_| "{}".to_owned(),
        "no valid receipt for the row",
    ),
    (
        "another script behind the pages",
        "/verify.js",
        |text| text.to_owned() + "//",
        "the file /verify.js is another one than the log says it is",
    ),
    (
        "another tier in embedded rows",
        "/embed",
        |text| text.replace("Dolphin", "Whale").replace("Fish", "Whale"),
        "the embedded row of @name",
    ),
];

/// Bundles of entries are binary: each byte is a letter.
fn lie_at(at: String, change: impl Fn(&str) -> String + Send + Sync + 'static) -> Lie {
    let begins = at.ends_with('/') || at.contains('?');
    Arc::new(move |path, honest| {
        let here = match begins {
            true => path.starts_with(&at),
            false => path.split('?').next() == Some(&at),
        };
        let text = || {
            honest
                .iter()
                .map(|byte| char::from(*byte))
                .collect::<String>()
        };
        let lie = here.then(|| change(&text()));
        let lie = lie.map(|lie| {
            let letters = lie.chars();
            let bytes = letters.map(|letter| u8::try_from(letter).unwrap_or(b'?'));
            bytes.collect()
        });
        Box::pin(async move { lie.unwrap_or(honest) })
    })
}

#[tokio::test]
async fn no_lie_about_the_log_or_the_pages_passes() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    people(&app, 10, 2).await;
    node.mine(1).await;
    log_newest(&app, node).await;
    let fresh = || Auditor::at(&stand_in.origin, &app, node);
    fresh().passes(&[]).await;
    for (what, at, change, part) in LIES {
        println!("{what}");
        stand_in.tell(lie_at(at.to_owned(), change));
        fresh().finds(part).await;
    }
    let replaced: Vec<[String; 5]> = serde_json::from_str(REPLACED).unwrap();
    for [what, at, from, to, part] in replaced {
        println!("{what}");
        stand_in.tell(lie_at(at, move |text| text.replace(&from, &to)));
        fresh().finds(&part).await;
    }
    stand_in.be_honest();
    fresh().passes(&[]).await;
}

/// A withheld snapshot is a lie as well: the newest entry commits to it.
#[tokio::test]
async fn a_snapshot_that_is_withheld_is_found() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let auditor = Auditor::new(&app, node);
    for _ in 0..2 {
        grow(&app, node).await;
        auditor.passes(&[]).await;
    }
    let earlier = "update log_published set board_entry = board_entry - 1";
    execute(&app.state.store, earlier).await;
    let part = "the log does not serve the data that the check needs";
    auditor.fails(&[], part).await;
}

/// Witnesses: too few cosignatures, and those of unknown witnesses.
#[tokio::test]
async fn a_log_without_the_cosignatures_that_are_demanded_is_false() {
    let witnesses = crate::support::witness::Witness::two().await;
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
    let auditor = Auditor::new(&app, node);
    for (arguments, passes) in [
        (&[one.as_str()][..], true),
        (&[&one, &two, "--quorum=1"], true),
        (&[&one, &two], false),
        (&[&one, &two, "--quorum=2"], false),
        (&[&two], false),
    ] {
        let report = auditor.run(arguments).await;
        assert_eq!(report.status.success(), passes, "{arguments:?}: {report:?}");
        let counted = told(&report).contains("cosigned by 1 of");
        assert_eq!(counted, arguments.len() > 1 || passes, "{report:?}");
    }
}
