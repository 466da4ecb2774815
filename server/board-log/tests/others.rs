//! Independent code checks what the crate checks: the Go project's own packages (golang.org/x/mod/sumdb), where Go and they are installed,
//! and a reader in Python that shares nothing with either. A wrong verdict here would be everyone's: the server, the audit, browsers and
//! the command use this one crate.
//!
//! `FUZZ=100000 cargo test -p board-log --test others` changes that many texts; 400 without it.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use board_log::check;
use board_log::checkpoint::Checkpoint;
use board_log::cosignature::{self, WitnessKey};
use board_log::entry::Entry;
use board_log::note::{self, Note, Signer, VerifierKey};
use board_log::receipt::{Extra, Receipt};
use board_log::snapshot::{Header, Row, Snapshot, salted, withdrawn_line};
use board_log::tree::{Hash, Tree, leaf};
use ed25519_dalek::{Signer as _, SigningKey};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};

const SITE: &str = "board.example/log";

/// A case for the others, and the crate's verdict.
struct Case {
    asked: Value,
    verdict: bool,
}

/// A board with some entries: everything right that the crate checks.
struct Board {
    key: String,
    entries: Vec<String>,
    snapshot: String,
    board: Entry,
    checkpoint: String,
    receipt: String,
    witness: String,
}

impl Board {
    fn new() -> Self {
        let signer = Signer::generate().and_then(|key| Signer::read(SITE, &key));
        let signer = signer.expect("a key");
        let lines: Vec<String> = (0..5).map(line).collect();
        let rows = tree(&lines);
        let board = Entry::Board {
            height: 900_000,
            block: "00".repeat(32),
            time: "2025-06-06T22:22:59Z".to_owned(),
            rows: rows.leaves(),
            root: hex::encode(rows.root()),
        };
        let mut entries: Vec<String> = (0..6)
            .map(|number| format!("{{\"number\":{number}}}"))
            .collect();
        entries.push(board.text());
        let log = tree(&entries);
        let checkpoint = Checkpoint {
            origin: SITE.to_owned(),
            size: log.leaves(),
            root: log.root(),
        };
        let signed = note::sign(&checkpoint.to_string(), &[&signer]);
        let pair = SigningKey::from_bytes(&[3; 32]);
        let (witness, cosignature) = cosigned(&pair, &checkpoint.to_string());
        let checkpoint = signed + &cosignature;
        let receipt = Receipt {
            extra: Extra {
                entry: board.text(),
                row: lines[2].clone(),
                index: 2,
                path: rows
                    .inclusion(2, 5)
                    .expect("a path")
                    .into_iter()
                    .map(Extra::hash)
                    .collect(),
            },
            index: 6,
            path: log.inclusion(6, 7).expect("a path"),
            checkpoint: checkpoint.clone(),
        };
        let header = Header::for_entry(SITE, 6, &board).expect("a header");
        let gone = withdrawn_line(&hex::encode(leaf(lines[1].as_bytes())));
        let mut shown = lines.clone();
        shown[1] = gone;
        let snapshot = format!("{}\n{}\n", json_text(&header), shown.join("\n"));
        Self {
            key: signer.public().to_string(),
            entries,
            snapshot,
            board,
            checkpoint,
            receipt: receipt.text(),
            witness,
        }
    }

    fn note(&self, text: &str) -> Case {
        let key: VerifierKey = self.key.parse().expect("a key");
        let read = text.parse::<Note>();
        Case {
            verdict: read.is_ok_and(|note| note.verified(&[key]).is_ok()),
            asked: json!({"kind": "note", "text": text, "key": self.key}),
        }
    }

    fn receipt(&self, text: &str) -> Case {
        let key: VerifierKey = self.key.parse().expect("a key");
        Case {
            verdict: Receipt::read(text).is_ok_and(|it| it.check(&[key]).is_ok()),
            asked: json!({"kind": "receipt", "text": text, "key": self.key}),
        }
    }

    fn cosigned(&self, text: &str) -> Case {
        let key: WitnessKey = self.witness.parse().expect("a key");
        Case {
            verdict: cosignature::count(text, &[key]) == 1,
            asked: json!({"kind": "cosigned", "text": text, "key": self.witness}),
        }
    }

    fn snapshot(&self, text: &str) -> Case {
        let Entry::Board { root, .. } = &self.board else {
            panic!("not about the board");
        };
        let read = Snapshot::read(text.as_bytes());
        Case {
            verdict: read.is_ok_and(|it| it.check(SITE, 6, &self.board).is_ok()),
            asked: json!({"kind": "snapshot", "text": text, "root": root}),
        }
    }
}

fn json_text(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("JSON")
}

fn tree(leaves: &[String]) -> Tree {
    let mut tree = Tree::default();
    tree.extend(leaves.iter().map(|line| leaf(line.as_bytes())));
    tree
}

fn line(number: u8) -> String {
    let id = format!("0190d0c2-0000-7000-8000-00000000000{number}");
    let row = Row {
        id: id.clone(),
        provider: "elsewhere".to_owned(),
        name: format!("name {number} \u{5d0} \"quoted\""),
        named: true,
        shown_as: "exact".to_owned(),
        sats: Some(i64::from(number) * 100_000),
        tier: None,
        published_sats: None,
        last_verified: None,
        salt: None,
    };
    salted(&row.line(), &id, &[number; 32])
}

/// The key of a witness, and its line below a checkpoint.
fn cosigned(pair: &SigningKey, text: &str) -> (String, String) {
    let (name, time) = ("witness.example/w", 1_795_000_000_u64);
    let key = [&[4], &pair.verifying_key().as_bytes()[..]].concat();
    let id = signed_note::key_id(name, &key);
    let signature = pair.sign(format!("cosignature/v1\ntime {time}\n{text}").as_bytes());
    let bytes = [
        &id.to_be_bytes()[..],
        &time.to_be_bytes(),
        &signature.to_bytes(),
    ]
    .concat();
    let line = format!("\u{2014} {name} {}\n", STANDARD.encode(bytes));
    (format!("{name}+{id:08x}+{}", STANDARD.encode(key)), line)
}

/// Whether a log with these entries has grown to one with those, by a proof and by tiles alike.
fn growth(before: u64, after: &Tree, old_root: Hash) -> Case {
    let proof = after.consistency(before, after.leaves()).expect("a proof");
    let encoded = |hash: Hash| STANDARD.encode(hash);
    Case {
        verdict: after.root_at(before) == Some(old_root),
        asked: json!({
            "kind": "growth", "proof": proof.into_iter().map(encoded).collect::<Vec<_>>(),
            "old": {"size": before, "root": encoded(old_root)},
            "new": {"size": after.leaves(), "root": encoded(after.root())},
        }),
    }
}

/// A text in which something is different. Base64 that ends in other unused bits says the same to Go, and is refused here.
fn changed(text: &str, random: &mut StdRng) -> String {
    loop {
        let at = random.random_range(0..text.len());
        if !text.is_char_boundary(at)
            || text[at..].get(1..2) == Some("=")
            || !text.is_char_boundary(at + 1)
        {
            continue;
        }
        let (start, rest) = (&text[..at], &text[at + 1..]);
        let letter = text[at..].chars().next().expect("a letter");
        return match random.random_range(0..4) {
            0 => format!("{start}{rest}"),
            1 => format!("{start}{letter}{letter}{rest}"),
            2 => format!("{start}{}", &text[at..].chars().rev().collect::<String>()),
            _ => format!(
                "{start}{}{rest}",
                char::from(random.random_range(b'\n'..b'~'))
            ),
        };
    }
}

fn cases() -> Vec<Case> {
    let board = Board::new();
    let mut random = StdRng::seed_from_u64(52);
    let mut cases = vec![
        board.note(&board.checkpoint),
        board.receipt(&board.receipt),
        board.cosigned(&board.checkpoint),
        board.snapshot(&board.snapshot),
    ];
    assert!(cases.iter().all(|case| case.verdict), "what is right");
    let log = tree(&board.entries);
    for before in 1..=log.leaves() {
        cases.push(growth(before, &log, log.root_at(before).expect("a root")));
        cases.push(growth(before, &log, [7; 32]));
    }
    let count = std::env::var("FUZZ").map_or(400, |count| count.parse().expect("a number"));
    for _ in 0..count / 4 {
        cases.push(board.note(&changed(&board.checkpoint, &mut random)));
        cases.push(board.receipt(&changed(&board.receipt, &mut random)));
        cases.push(board.cosigned(&changed(&board.checkpoint, &mut random)));
        cases.push(board.snapshot(&changed(&board.snapshot, &mut random)));
    }
    cases
}

/// Asks another program about all cases. What the crate takes, everybody takes; what it refuses, everybody refuses but a snapshot of another
/// spelling, whose rows are the same.
fn compare(program: &mut Command) {
    let cases = cases();
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut asked = String::new();
    for case in &cases {
        writeln!(asked, "{}", case.asked).expect("text");
    }
    let mut input = child.stdin.take().expect("its input");
    let writer = std::thread::spawn(move || input.write_all(asked.as_bytes()));
    let output = child.wait_with_output().expect("its output");
    writer
        .join()
        .expect("a thread")
        .expect("all cases are read");
    let verdicts = String::from_utf8(output.stdout).expect("text");
    let verdicts: Vec<bool> = verdicts.lines().map(|line| line == "true").collect();
    assert_eq!(verdicts.len(), cases.len(), "a verdict for each case");
    let (mut right, mut wrong) = (0, 0);
    for (case, theirs) in cases.iter().zip(verdicts) {
        let is_spelling = case.asked["kind"] == "snapshot" && !case.verdict;
        assert!(
            case.verdict == theirs || is_spelling,
            "{theirs}: {}",
            case.asked
        );
        right += i32::from(theirs);
        wrong += i32::from(!theirs);
    }
    assert!(right >= 11 && wrong >= 100, "{right} right, {wrong} wrong");
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/others")
        .join(name)
}

#[test]
fn a_reader_in_python_has_the_same_verdicts() {
    compare(Command::new("python3").arg(file("check.py")));
}

#[test]
fn the_packages_of_the_go_project_have_the_same_verdicts() {
    let sources = "/usr/share/gocode";
    let go = std::env::var("GO_EXE").unwrap_or_else(|_| "go".to_owned());
    let has_packages = Path::new(sources)
        .join("src/golang.org/x/mod/sumdb/note")
        .exists();
    if !has_packages || Command::new(&go).arg("version").output().is_err() {
        println!(
            "skipped: no Go with golang.org/x/mod (Debian: golang-go, golang-golang-x-mod-dev)"
        );
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("check");
    let built = Command::new(go)
        .env("GOPATH", sources)
        .env("GO111MODULE", "off")
        .env("GOCACHE", folder.path().join("cache"))
        .args(["build", "-o"])
        .arg(&program)
        .arg(file("check.go"))
        .status();
    assert!(built.is_ok_and(|status| status.success()), "it builds");
    compare(&mut Command::new(program));
}

/// The vectors of the specifications themselves (C2SP signed-note, tlog-checkpoint, tlog-cosignature).
#[test]
fn the_examples_of_the_specifications_are_read() {
    let key: VerifierKey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
        .parse()
        .expect("a key");
    let note: Note = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\
        \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
        .parse()
        .expect("a note");
    note.verified(&[key]).expect("signed");
    let checkpoint =
        "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
    let signed = format!(
        "{checkpoint}\n\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    );
    assert_eq!(
        check::unsigned(&signed).expect("a checkpoint").size,
        20_852_163
    );
}
