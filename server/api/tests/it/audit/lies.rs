//! An operator's lies about the log and the pages, one a row: the honest answer, and what visitors get instead.

use super::lists::people;
use super::*;

/// Lies that replace a part of an honest answer, or all of it: the lie, its addresses, the part, what visitors get instead, and
/// a part of the audit's message.
const REPLACED: &str = include_str!("lies.json");

/// The other lies: the lie, its addresses, and a part of the audit's message.
const CHANGED: &str = "
    a checkpoint without its signature | /log/checkpoint | the board's log: it is not a signed note
    a checkpoint whose signature is gone and its gap not | /log/checkpoint | the board's log: it is not a signed note
    a snapshot without a row | /log/snapshot/ | the snapshot's number of rows differs from its header
    a row twice in the snapshot | /log/snapshot/ | are not in ascending order
    another script behind the pages | /verify.js | the file /verify.js is another one than the log says it is
    another tier in embedded rows | /embed | the embedded row of @name
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
        "another script behind the pages" => format!("{honest}//"),
        "another tier in embedded rows" => {
            honest.replace("Dolphin", "Whale").replace("Fish", "Whale")
        }
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
async fn no_lie_about_the_log_or_the_pages_passes() {
    let node = Node::shared().await;
    let (proxy, app) = board_behind(node).await;
    people(&app, 10, 2).await;
    node.mine(1).await;
    log_newest(&app, node).await;
    let fresh = || Auditor::at(&proxy.url, &app, node);
    fresh().passes(&[]).await;
    for [what, at, part] in table(CHANGED) {
        println!("{what}");
        lie_at(&proxy, at, move |honest| changed(what, honest));
        fresh().finds(part).await;
    }
    let replaced: Vec<[String; 5]> = serde_json::from_str(REPLACED).unwrap();
    for [what, at, from, to, part] in replaced {
        println!("{what}");
        lie_at(&proxy, &at, move |honest| match &from[..] {
            "" => to.clone(),
            part => honest.replace(part, &to),
        });
        fresh().finds(&part).await;
    }
    proxy.be_honest();
    fresh().passes(&[]).await;
}

/// A withheld snapshot is a lie as well: the newest entry commits to it.
#[tokio::test]
async fn a_snapshot_that_is_withheld_is_found() {
    let node = Node::shared().await;
    let app = board(node).await;
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
    let app = board_with(node, &[&setting]).await;
    let key = app.request(Method::GET, "/log/key").send().await;
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
        let counted = report.out.contains("cosigned by 1 of");
        assert_eq!(counted, arguments.len() > 1 || passes, "{report:?}");
    }
}
