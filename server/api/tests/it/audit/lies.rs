//! An operator's lies about the log and the pages, one a row: the honest answer, and what visitors get instead.

use super::*;
use crate::support::witness::Witness;

/// Lies that replace a part of an honest answer, or all of it: the lie, its addresses, the part, what visitors get instead, and
/// a part of the audit's message.
const REPLACED: &str = include_str!("lies.json");

/// The other lies: the lie, its addresses, and a part of the audit's message.
const CHANGED: &str = "
    a checkpoint without its signature | /log/checkpoint | the board's log: it is not a signed note
    a checkpoint whose signature is gone and its gap not | /log/checkpoint | the board's log: it is not a signed note
    a snapshot without a row | /log/snapshot/ | the snapshot's number of rows differs from its header
    a row twice in the snapshot | /log/snapshot/ | are not in ascending order
    no rows in the page of the leaderboard | /leaderboard | does not have the rows that every visitor gets in it
    rows in the page under another name | /leaderboard | does not have the rows that every visitor gets in it
    other rows in the page first | /leaderboard | does not have the rows that every visitor gets in it
    no table for readers without scripts | /leaderboard | begins with other rows than the list
    another hash in a tile | /log/tile/0/ | does not have the hashes of the entries
    half a tile | /log/tile/0/ | does not have the hashes of the entries
    another rank on the own page | /api/functions/v1/getUserRank/ | answers another rank on their own page
    no rank on the own page | /api/functions/v1/getUserRank/ | answers another rank on their own page
    another script behind the pages | /verify.js | the file /verify.js is another one than the log says it is
    another row in a search | &username=ilike | the result of a search for the name of @name
    no row in a search | &username=ilike | the result of a search for the name of @name
    another amount in a download | /api/functions/v1/board.csv | board.csv is not made from the snapshot
    another name in a download | /api/functions/v1/board.csv | board.csv is not made from the snapshot
";

fn changed(lie: &str, honest: &str) -> String {
    let unsigned = || honest.split("\n\n").next().unwrap();
    let mut lines: Vec<&str> = honest.split_inclusive('\n').collect();
    match lie {
        "a checkpoint without its signature" => format!("{}\n", unsigned()),
        "a checkpoint whose signature is gone and its gap not" => format!("{}\n\n", unsigned()),
        "a snapshot without a row" => lines[..12].concat(),
        "a row twice in the snapshot" => {
            lines[2] = lines[1];
            lines.concat()
        }
        "no rows in the page of the leaderboard" => "<!doctype html>".to_owned(),
        "rows in the page under another name" => honest.replace("first-page", "first-rows"),
        "other rows in the page first" => {
            honest.replacen("<body", "<p id=\"first-page\">{}</p><body", 1)
        }
        "no table for readers without scripts" => honest.replace("<noscript", "<div"),
        "another hash in a tile" => honest.chars().rev().collect(),
        "half a tile" => honest.chars().take(32).collect(),
        "another rank on the own page" => "{\"rank\":99}".to_owned(),
        "no rank on the own page" => "{\"rank\":null}".to_owned(),
        "another script behind the pages" => format!("{honest}//"),
        "another row in a search" => honest.replace("\"verified\":true", "\"verified\":false"),
        "no row in a search" => "[]".to_owned(),
        "another amount in a download" => honest.replacen(",10.0", ",90.0", 1),
        "another name in a download" => honest.replacen("name3", "name4", 1),
        _ => panic!("{lie}"),
    }
}

/// Bundles of entries are binary: each byte is a letter.
fn lie_at(proxy: &Proxy, at: &str, change: impl Fn(&str) -> String + Send + Sync + 'static) {
    let at = at.to_owned();
    let begins = at.ends_with('/') || at.contains('?');
    proxy.change(move |path, honest| {
        let here = match begins {
            true => path.starts_with(&at),
            false if at.starts_with('&') => path.contains(&at),
            false => path.split('?').next() == Some(&at),
        };
        let honest: String = honest.iter().map(|byte| char::from(*byte)).collect();
        let lie = here.then(|| change(&honest))?;
        let letters = lie.chars();
        let bytes = letters.map(|letter| u8::try_from(letter).unwrap_or(b'?'));
        Some(bytes.collect())
    });
}

#[tokio::test]
async fn every_lie_about_the_log_or_the_pages_is_found() {
    let mut fixture = Fixture::logged().await;
    fixture.expect_pass(&[]).await;
    for [what, at, part] in table(CHANGED) {
        println!("{what}");
        fixture.forget();
        lie_at(&fixture.proxy, at, move |honest| changed(what, honest));
        fixture.expect_false(part).await;
    }
    let replaced: Vec<[String; 5]> = serde_json::from_str(REPLACED).unwrap();
    for [what, at, from, to, part] in replaced {
        println!("{what}");
        fixture.forget();
        lie_at(&fixture.proxy, &at, move |honest| match &from[..] {
            "" => to.clone(),
            part => honest.replace(part, &to),
        });
        fixture.expect_false(&part).await;
    }
    fixture.forget();
    fixture.proxy.be_honest();
    fixture.expect_pass(&[]).await;
}

/// A withheld snapshot is a lie as well: the newest entry commits to it.
#[tokio::test]
async fn a_snapshot_that_is_withheld_is_found() {
    let fixture = Fixture::new().await;
    for _ in 0..2 {
        fixture.grow().await;
        fixture.expect_pass(&[]).await;
    }
    let earlier = "update log_issued set board_entry = board_entry - 1";
    execute(&fixture.app.state.store, earlier).await;
    let part = "the log does not serve the data that the check needs";
    fixture.expect_failure(part).await;
}

/// Witnesses: too few cosignatures, and those of unknown witnesses.
#[tokio::test]
async fn a_log_with_too_few_cosignatures_is_false() {
    let [one, two] = Witness::two().await;
    let setting = format!("--witnesses={},{}", one.setting(), two.setting());
    let fixture = Fixture::on(Node::shared().await, &[&setting]).await;
    one.register(&crate::board_log::text(&fixture.app.origin, "key").await);
    fixture.grow().await;
    let [one, two] = [one, two].map(|it| format!("--witness={}", it.key()));
    for (arguments, succeeds) in [
        (&[&*one][..], true),
        (&[&one, &two, "--quorum=1"], true),
        (&[&one, &two], false),
        (&[&one, &two, "--quorum=2"], false),
        (&[&two], false),
    ] {
        let report = fixture.run(arguments).await;
        assert_eq!(
            report.status.success(),
            succeeds,
            "{arguments:?}: {report:?}"
        );
        let counted = report.out.contains("cosigned by 1 of");
        assert_eq!(counted, arguments.len() > 1 || succeeds, "{report:?}");
    }
}
