//! What clients believe, and what they reject: a replaced key, the log of another board, a rewritten history, a page that is no checkpoint.

use audit::Site;
use audit::log::{self, Look, Seen};
use board_log::tree::{Tree, leaf};
use rand::Rng;
use rand::seq::IndexedRandom;

use super::*;
use crate::support::process::{Ended, audit_program, ended};

/// A board behind a stand-in, and the site as its visitors see it.
struct Fixture {
    proxy: Arc<Proxy>,
    app: TestApp,
    site: Site,
}

impl Fixture {
    /// A board whose log has its first user.
    async fn new() -> Self {
        let proxy = Proxy::start().await;
        let app = TestApp::with(&[&format!("--public-url={}", proxy.url)]).await;
        proxy.stand_before(&app.origin);
        let url = proxy.url.parse().unwrap();
        let site = Site::new(&url, http_client(), Duration::ZERO).unwrap();
        join(&app).await;
        Self { proxy, app, site }
    }

    async fn look(&self, seen: Option<&Seen>, key: Option<&VerifierKey>) -> Result<Look, LogError> {
        log::look(&self.site, seen, key).await
    }

    async fn refuses(&self, seen: Option<&Seen>, key: Option<&VerifierKey>) -> CheckError {
        match self.look(seen, key).await {
            Err(LogError::False(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    /// The newest checkpoint, which follows from this one.
    async fn believes(&self, seen: Option<&Seen>) -> Seen {
        self.look(seen, None).await.expect("the same log").seen
    }
}

fn signer(name: &str) -> Signer {
    Signer::read(name, &Signer::generate().unwrap()).unwrap()
}

/// A home of the command, with files in it.
struct Home(TempDir);

impl Home {
    /// With what an audit of this host has stored.
    fn new(host: &str, kept: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = host.split('/').next().unwrap().replace(':', "_");
        std::fs::write(folder.path().join(format!("{host}.log.json")), kept).unwrap();
        Self(folder)
    }

    /// Runs the command on a receipt.
    fn audits(&self, receipt: &str, more: &[&str]) -> Ended {
        let file = self.0.path().join("receipt");
        std::fs::write(&file, receipt).unwrap();
        let receipt = format!("--receipt={}", file.display());
        let seen = format!("--seen={}", self.0.path().display());
        ended(audit_program().args([receipt, seen]).args(more))
    }
}

#[tokio::test]
async fn a_stolen_replaced_key_signs_no_new_checkpoint() {
    let fixture = Fixture::new().await;
    let (app, store) = (&fixture.app, &fixture.app.state.store);
    let person = join(app).await;
    let receipt = async || {
        let receipt = app.state.board_log.receipt(&person.id).await;
        Receipt::read(&receipt.unwrap().unwrap()).unwrap()
    };
    let mut held = store.hold_log().await.unwrap();
    let stolen = held.key("log").await.unwrap().unwrap();
    drop(held);
    let before = fixture.believes(None).await;
    let name = before.checkpoint.lines().next().unwrap().to_owned();
    let stolen = Signer::read(&name, &stolen).unwrap();
    let early = receipt().await;

    operate(app.state.config.database_url.expose(), &["rotate-log-key"]);
    super::log(app).await;
    let change = text(&app.origin, "checkpoint").await;
    join(app).await;
    let after = fixture.believes(Some(&before)).await;
    // The stolen key signed up to entry 4, which announces the new key.
    assert_eq!((after.keys.len(), &after.until[..]), (2, &[5][..]));
    let keys = after.keys().unwrap();
    for note in [&before.checkpoint, &change, &after.checkpoint] {
        check::checkpoint(note, &keys).expect("an honest checkpoint");
    }
    check::checkpoint(&change, &keys[..1]).expect("both have signed it");

    // The thief appends to the log, or signs another history.
    join(app).await;
    let now = check::unsigned(&text(&app.origin, "checkpoint").await).unwrap();
    let other = Checkpoint {
        root: [7; 32],
        size: 9,
        ..now.clone()
    };
    for forged in [now, other] {
        let forged = note::sign(&forged.to_string(), &[&stolen]);
        fixture.proxy.tell_at("/log/checkpoint", forged);
        for (seen, key) in [
            (Some(&after), None),
            // Clients that do not know yet that it was replaced learn it.
            (Some(&before), None),
            (None, Some(stolen.public())),
            (Some(&after), Some(stolen.public())),
        ] {
            assert_eq!(fixture.refuses(seen, key).await, CheckError::Replaced);
        }
    }
    fixture.proxy.be_honest();
    fixture.believes(Some(&after)).await;

    // Receipts: an old one stays valid, and the thief's is rejected.
    early.check(&keys).expect("signed when it was in use");
    let mut late = receipt().await;
    late.check(&keys).expect("signed by the new key");
    let checkpoint = check::unsigned(&late.checkpoint).unwrap();
    late.checkpoint = note::sign(&checkpoint.to_string(), &[&stolen]);
    assert_eq!(late.check(&keys), Err(CheckError::Replaced));
    let unaware = [stolen.public().clone()];
    late.check(&unaware).expect("nobody has told this reader");

    // As a command, with an audit's stored state, even when the old key is named.
    let home = Home::new(&name, &serde_json::to_string(&after).unwrap());
    let key = format!("--key={}", stolen.public());
    for more in [&[][..], &[key.as_str()]] {
        let said = home.audits(&late.text(), more).failed();
        has(&said, &["had already been replaced"]);
    }
    home.audits(&early.text(), &[]).done();
    // From another board than the named one.
    let other = home.audits(&early.text(), &["https://other.example"]);
    has(&other.failed(), &["another board"]);
}

#[tokio::test]
async fn the_log_of_another_board_is_not_believed() {
    let fixture = Fixture::new().await;
    let other = TestApp::development().await;
    join(&other).await;
    let seen = fixture.believes(None).await;
    let is_log = |path: &str| path.starts_with("/log/");
    fixture.proxy.tell_like(&other.origin, is_log);
    let key = key(&other.origin).await;
    for (seen, key) in [(None, None), (Some(&seen), None), (None, Some(&key))] {
        assert_eq!(fixture.refuses(seen, key).await, CheckError::OtherBoard);
    }
    fixture.proxy.be_honest();
    fixture.believes(Some(&seen)).await;
}

/// A proxy in front of the board may answer with its own page: that says nothing of the log.
#[tokio::test]
async fn an_invalid_checkpoint_is_no_evidence_against_the_log() {
    let fixture = Fixture::new().await;
    let seen = fixture.believes(None).await;
    let page = "<!doctype html>\n\n<title>Back soon</title>\n";
    fixture.proxy.tell_at("/log/checkpoint", page.to_owned());
    for before in [None, Some(&seen)] {
        let said = fixture.look(before, None).await.expect_err("a page");
        assert_matches!(said, LogError::Site(_));
        has(&said.to_string(), &["/log/checkpoint", "not a signed note"]);
    }
    fixture.proxy.be_honest();
    // A well-formed one is verified even when a stranger's key signed it.
    let strangers = signer("127.0.0.1/log");
    let refused = fixture.refuses(Some(&seen), Some(strangers.public())).await;
    assert_eq!(refused, CheckError::Note(NoteError::Stranger));
}

/// A key may sign only for the log in its name.
#[test]
fn a_key_of_another_name_signs_nothing() {
    let entries = ["one entry".to_owned()];
    for (name, right) in [
        ("reserves.example/log", true),
        ("reserves.example/log/2", false),
        ("evil.example/log", false),
    ] {
        let signer = signer(name);
        let note = note::sign(&checkpoint(&entries).to_string(), &[&signer]);
        let read = check::checkpoint(&note, &[signer.public().clone()]);
        assert_eq!(read.is_ok(), right, "{name}");
    }
}

fn checkpoint(entries: &[String]) -> Checkpoint {
    let mut tree = Tree::default();
    tree.extend(entries.iter().map(|entry| leaf(entry.as_bytes())));
    Checkpoint {
        origin: "reserves.example/log".to_owned(),
        size: tree.leaves(),
        root: tree.root(),
    }
}

/// A rewritten history is noticed by every client that has seen any part of the old one.
#[test]
fn a_rewritten_history_is_noticed_every_time() {
    let mut random = rand::rng();
    let signer = signer("reserves.example/log");
    let keys = [signer.public().clone()];
    let sizes = [2, 3, 7, 255, 256, 257, 300, 513, 1_000];
    for number in 0..100 {
        let seen = *sizes.choose(&mut random).unwrap();
        let now = seen + random.random_range(0..300);
        let mut entries: Vec<String> = (0..now).map(|it| format!("entry {it}")).collect();
        let (before, honest) = (checkpoint(&entries[..seen]), checkpoint(&entries));
        check::replay(&entries, Some(&before), &honest).expect("it has only grown");
        let at = random.random_range(0..seen);
        let another = || "another".to_owned();
        match number % 5 {
            0 => entries[at].push(' '),
            1 => drop(entries.remove(at)),
            2 => entries.insert(at, another()),
            3 => entries.swap(at, (at + 1) % seen),
            // From there on, the second history has other entries.
            _ => drop(entries.splice(at.., vec![another(); seen])),
        }
        let after = checkpoint(&entries);
        // The key is right, so the operator is lying.
        let signed = note::sign(&after.to_string(), &[&signer]);
        let after = check::checkpoint(&signed, &keys).unwrap();
        let said = check::replay(&entries, Some(&before), &after);
        assert_matches!(said, Err(CheckError::Rewritten | CheckError::Shorter));
    }
}

#[test]
fn a_receipt_is_checked_offline() {
    let (receipt, key) = (receipts::RECEIPT, receipts::KEY.trim());
    let home = Home::new("nobody", "");
    let refusal = |home: &Home, receipt: &str, more: &[&str], part: &str| {
        has(&home.audits(receipt, more).failed(), &[part]);
    };
    refusal(&home, receipt, &[], "with --key");
    let said = home.audits(receipt, &["--key", key]).done();
    let parts = ["At block 1000", "1.25000000 BTC", "\"sats\":125000000"];
    has(&said, &parts);
    // Receipts of another key are neither confirmed nor false: it may be an earlier key of the log.
    let name = key.split('+').next().unwrap();
    let other = signer(name).public().to_string();
    let part = "pass the key that it had then";
    refusal(&home, receipt, &["--key", &other], part);
    // With the state that an audit has stored, the key is known.
    let kept = json!({ "checkpoint": "", "keys": [key], "until": [], "unlogged": {} });
    let home = Home::new(name, &kept.to_string());
    home.audits(receipt, &[]).done();
    let changed = receipt.replace("index 3", "index 2");
    refusal(&home, &changed, &[], "the receipt is false");
}

#[tokio::test]
async fn a_receipt_of_a_range_says_what_the_board_said() {
    let app = TestApp::development().await;
    let home = Home::new("nobody", "");
    use ShownAs::{Exact, Range};
    for (name, sats, shown_as, words) in [
        ("whale", 1_234_500_000, Range, "with at least 10 BTC:"),
        ("shrimp", 5, Range, "with under 0.1 BTC:"),
        ("open", 1_234_500_000, Exact, "with 12.34500000 BTC:"),
    ] {
        let person = sign_in(&app.state, "twitter", name, None).await;
        prove(&app.state, &person, sats).await;
        app.show_as(&person.id, shown_as).await;
        super::log(&app).await;
        let receipt = app.state.board_log.receipt(&person.id).await;
        let key = format!("--key={}", key(&app.origin).await);
        let said = home.audits(&receipt.unwrap().unwrap(), &[&key]).done();
        has(&said, &[words]);
    }
}
