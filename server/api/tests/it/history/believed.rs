//! What clients must reject: a replaced key, and the log of another board.

use audit::Site;
use audit::log::{self, Seen};

use super::*;
use crate::support::process::{Ended, audit_program, ended};

/// A board behind a stand-in, and the site as its visitors see it.
pub(super) async fn board_behind() -> (Arc<Proxy>, TestApp, Site) {
    let stand_in = Proxy::start().await;
    let public = format!("--public-url={}", stand_in.url);
    let app = TestApp::with(&[&public]).await;
    stand_in.stand_before(&app.origin);
    let url = stand_in.url.parse().unwrap();
    let site = Site::new(&url, http_client(), std::time::Duration::ZERO).unwrap();
    (stand_in, app, site)
}

pub(super) async fn join(app: &TestApp, name: &str) {
    sign_in(&app.state, "twitter", name, None).await;
    log(app).await;
}

pub(super) fn said(look: Result<log::Look, LogError>) -> CheckError {
    match look {
        Err(LogError::False(error)) => error,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_replaced_key_that_was_stolen_signs_nothing_more() {
    let (stand_in, app, site) = board_behind().await;
    let store = &app.state.store;
    join(&app, "first").await;
    let stolen = store
        .hold_log()
        .await
        .unwrap()
        .key("log")
        .await
        .unwrap()
        .unwrap();
    let before = log::look(&site, None, None).await.unwrap().seen;
    let name = before.checkpoint.lines().next().unwrap().to_owned();
    let stolen = Signer::read(&name, &stolen).unwrap();
    let early = app
        .state
        .history
        .receipt(&first_id(&app).await)
        .await
        .unwrap()
        .unwrap();

    operate(app.state.config.database_url.expose(), &["rotate-log-key"]);
    log(&app).await;
    let change = text(&app.origin, "checkpoint").await;
    join(&app, "second").await;
    let after = log::look(&site, Some(&before), None)
        .await
        .expect("the same log");
    let after = after.seen;
    // It signed up to its last entry: the entry about the new key is number 3.
    assert_eq!((after.keys.len(), &after.until[..]), (2, &[4][..]));
    let keys = after.keys().unwrap();
    for note in [&before.checkpoint, &change, &after.checkpoint] {
        check::checkpoint(note, &keys).expect("an honest checkpoint");
    }
    check::checkpoint(&change, &keys[..1]).expect("both have signed it");

    // The thief appends to the log, or signs another history.
    join(&app, "third").await;
    let now = check::unsigned(&text(&app.origin, "checkpoint").await).unwrap();
    let other = Checkpoint {
        root: [7; 32],
        size: 9,
        ..now.clone()
    };
    for forged in [now, other] {
        let forged = note::sign(&forged.to_string(), &[&stolen]);
        stand_in.tell_at("/log/checkpoint", forged);
        for (seen, key) in [
            (Some(&after), None),
            // Clients that do not know yet that it was replaced learn it.
            (Some(&before), None),
            (None, Some(stolen.public())),
            (Some(&after), Some(stolen.public())),
        ] {
            let look = log::look(&site, seen, key).await;
            assert_eq!(said(look), CheckError::Replaced);
        }
        // The stored state of an older audit does not say how far the key may sign.
        let older = Seen {
            until: Vec::new(),
            ..after.clone()
        };
        let look = log::look(&site, Some(&older), None).await;
        assert_eq!(said(look), CheckError::Note(NoteError::Stranger));
    }
    stand_in.be_honest();
    log::look(&site, Some(&after), None)
        .await
        .expect("the same log");

    // Receipts: an old one stays valid, and the thief's is rejected.
    let early = Receipt::read(&early).unwrap();
    early.check(&keys).expect("signed when it was in use");
    let late = app.state.history.receipt(&first_id(&app).await).await;
    let mut late = Receipt::read(&late.unwrap().unwrap()).unwrap();
    late.check(&keys).expect("signed by the new key");
    let checkpoint = check::unsigned(&late.checkpoint).unwrap();
    late.checkpoint = note::sign(&checkpoint.to_string(), &[&stolen]);
    assert_eq!(late.check(&keys), Err(CheckError::Replaced));
    let unaware = [stolen.public().clone()];
    late.check(&unaware).expect("nobody has told this reader");

    // As a command, with an audit's stored state, even when the old key is named.
    let folder = tempfile::tempdir().unwrap();
    let host = name.split('/').next().unwrap().replace(':', "_");
    let kept = serde_json::to_string(&after).unwrap();
    std::fs::write(folder.path().join(format!("{host}.log.json")), kept).unwrap();
    let file = folder.path().join("receipt");
    std::fs::write(&file, late.text()).unwrap();
    let receipt = format!("--receipt={}", file.display());
    let seen = format!("--seen={}", folder.path().display());
    let key = format!("--key={}", stolen.public());
    for more in [&[][..], &[key.as_str()]] {
        let arguments = [&[receipt.as_str(), seen.as_str()], more].concat();
        let said = audited(&arguments).failed();
        assert!(said.contains("had already been replaced"), "{said}");
    }
    std::fs::write(&file, early.text()).unwrap();
    audited(&[&receipt, &seen]).done();
    // From another board than the named one.
    let said = audited(&["https://other.example", &receipt, &seen]).failed();
    assert!(said.contains("another board"), "{said}");
}

pub(super) fn audited(arguments: &[&str]) -> Ended {
    ended(audit_program().args(arguments))
}

async fn first_id(app: &TestApp) -> String {
    let rows = app.get("/api/rest/v1/profiles?username=eq.first").await;
    rows.body[0]["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn the_log_of_another_board_is_not_believed() {
    let (stand_in, app, site) = board_behind().await;
    let other = TestApp::development().await;
    for app in [&app, &other] {
        join(app, "first").await;
    }
    let seen = log::look(&site, None, None).await.unwrap().seen;
    let theirs = other.origin.clone();
    stand_in.tell(move |path, honest| {
        let theirs = format!("{theirs}{path}");
        let answer = async move {
            if !path.starts_with("/log/") {
                return honest;
            }
            let answer = http_client().get(theirs).send().await.unwrap();
            answer.bytes().await.unwrap().to_vec()
        };
        answer.boxed()
    });
    let key = key(&other.origin).await;
    for (before, key) in [(None, None), (Some(&seen), None), (None, Some(&key))] {
        let look = log::look(&site, before, key).await;
        assert_eq!(said(look), CheckError::OtherBoard);
    }
    stand_in.be_honest();
    log::look(&site, Some(&seen), None)
        .await
        .expect("the same log");
}

/// A key may sign only for the log in its name.
#[test]
fn a_key_of_another_name_signs_nothing() {
    let material = Signer::generate().unwrap();
    let mut tiles = Tiles::default();
    tiles.add(TileId { level: 0, index: 0 }, vec![[1; 32]]);
    let checkpoint = Checkpoint {
        origin: "board.example/log".to_owned(),
        size: 1,
        root: tiles.hash(Leaves::up_to(1)).unwrap(),
    };
    for (name, right) in [
        ("board.example/log", true),
        ("board.example/log/2", false),
        ("evil.example/log", false),
    ] {
        let signer = Signer::read(name, &material).unwrap();
        let note = note::sign(&checkpoint.to_string(), &[&signer]);
        let read = check::checkpoint(&note, &[signer.public().clone()]);
        assert_eq!(read.is_ok(), right, "{name}");
    }
}
