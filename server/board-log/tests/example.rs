//! The example of README.md, checked by our code and by code that is not ours.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test says what it expects by panicking"
)]

use std::collections::{BTreeMap, BTreeSet};

use board_log::checkpoint::Checkpoint;
use board_log::entry::Entry;
use board_log::note::{self, Signer};
use board_log::receipt::{Extra, Receipt};
use board_log::snapshot::{Header, Row, Snapshot, SnapshotError, salted, withdrawn_line};
use board_log::tree::{Hash, Tree, leaf};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{check_record, record_hash};

const README: &str = include_str!("../README.md");
const PROOFS: &str = include_str!("../../docs/proofs.md");

const SITE: &str = "board.example/log";

fn row(id: u8, name: &str, shown_as: &str) -> Row {
    let exact = shown_as == "exact";
    Row {
        id: format!("0190d0c2-0000-7000-8000-{id:012}"),
        provider: "twitter".to_owned(),
        name: name.to_owned(),
        named: true,
        shown_as: shown_as.to_owned(),
        sats: exact.then_some(125_000_000),
        tier: (!exact).then(|| "Dolphin".to_owned()),
        published_sats: exact.then_some(25_000_000),
        last_verified: exact.then(|| "2025-06-06T21:00:00Z".to_owned()),
        salt: None,
    }
}

fn root_over(leaves: &[String]) -> Hash {
    let mut tree = Tree::default();
    tree.extend(leaves.iter().map(|text| leaf(text.as_bytes())));
    tree.root()
}

struct Example {
    signer: Signer,
    entries: [String; 2],
    board: Entry,
    lines: [String; 2],
    snapshot: String,
    checkpoint: String,
}

impl Example {
    fn new() -> Self {
        let key = [2; 32];
        let lines = [row(1, "satoshi", "exact"), row(2, "hal", "range")];
        let lines = lines.map(|row| salted(&row.line(), &row.id, &key));
        let begin = Entry::Begin {
            log: 1,
            time: "2025-06-06T22:00:00Z".to_owned(),
            because: None,
            before: None,
        };
        let board = Entry::Board {
            height: 900_000,
            block: "000000000000000000010538edbfd2d5b809a33dd83f284aeea41c6d0d96968a".to_owned(),
            time: "2025-06-06T22:22:59Z".to_owned(),
            rows: 2,
            root: hex::encode(root_over(&lines)),
        };
        let header = Header::for_entry(SITE, 1, &board).unwrap();
        let header = serde_json::to_string(&header).unwrap();
        let snapshot = format!("{header}\n{}\n", lines.join("\n"));
        let entries = [begin.text(), board.text()];
        let checkpoint = Checkpoint {
            origin: SITE.to_owned(),
            size: 2,
            root: root_over(&entries),
        };
        let pkcs8 = format!("302e020100300506032b657004220420{}", "01".repeat(32));
        let signer = Signer::read(SITE, &pkcs8).unwrap();
        let checkpoint = note::sign(&checkpoint.to_string(), &[&signer]);
        Self {
            signer,
            entries,
            board,
            lines,
            snapshot,
            checkpoint,
        }
    }

    fn receipt(&self) -> Receipt {
        Receipt {
            extra: Extra {
                entry: self.entries[1].clone(),
                row: self.lines[0].clone(),
                index: 0,
                path: vec![Extra::hash(leaf(self.lines[1].as_bytes()))],
            },
            index: 1,
            path: vec![leaf(self.entries[0].as_bytes())],
            checkpoint: self.checkpoint.clone(),
        }
    }
}

#[test]
fn the_page_has_the_example() {
    let example = Example::new();
    let block = |mark: &str, fence: &str, text: &str| {
        let text = text.trim_end();
        format!("<!-- {mark} -->\n```{fence}\n{text}\n```\n")
    };
    let key = format!("{}\n{}", example.signer.public(), example.checkpoint);
    for part in [
        block("entries", "json", &example.entries.join("\n")),
        block("snapshot", "json", &example.snapshot),
        block("checkpoint", "", &key),
        block("receipt", "", &example.receipt().text()),
    ] {
        assert!(README.contains(&part), "README.md does not have\n{part}");
    }
}

#[test]
fn others_find_the_checkpoint_signed_and_the_entry_and_the_row_in_their_trees() {
    let example = Example::new();
    let note = Note::from_bytes(example.checkpoint.as_bytes()).unwrap();
    let verified = |signer: &Signer| {
        let verifier = StandardVerifier::new(&signer.public().to_string()).unwrap();
        note.verify(&VerifierList::new(vec![Box::new(verifier)]))
    };
    assert_eq!(verified(&example.signer).unwrap().0.len(), 1);
    let other = Signer::read(SITE, &Signer::generate().unwrap()).unwrap();
    verified(&other).unwrap_err();

    let checkpoint = tlog_tiles::Checkpoint::from_bytes(note.text()).unwrap();
    assert_eq!((checkpoint.origin(), checkpoint.size()), (SITE, 2));
    let theirs = |hash: Hash| tlog_tiles::Hash(hash);
    let root = *checkpoint.hash();
    let receipt = example.receipt();
    let path: Vec<_> = receipt.path.iter().copied().map(theirs).collect();
    let entry = record_hash(receipt.extra.entry.as_bytes());
    check_record(&path, 2, root, receipt.index, entry).unwrap();
    check_record(&path, 2, root, 0, entry).unwrap_err();

    let Entry::Board { root, .. } = &example.board else {
        panic!("not about the board");
    };
    let mut rows_root = Hash::default();
    hex::decode_to_slice(root, &mut rows_root).unwrap();
    let line = record_hash(receipt.extra.row.as_bytes());
    let path = [theirs(leaf(example.lines[1].as_bytes()))].to_vec();
    check_record(&path, 2, theirs(rows_root), receipt.extra.index, line).unwrap();
    let shown = receipt.check(std::slice::from_ref(example.signer.public()));
    assert_eq!(shown.unwrap().row.line(), example.lines[0]);
}

#[test]
fn a_snapshot_is_read_in_one_spelling_only() {
    let Example {
        snapshot,
        board,
        lines,
        ..
    } = Example::new();
    let read = Snapshot::read(snapshot.as_bytes()).unwrap();
    read.check(SITE, 1, &board).unwrap();
    let hal = read.row("0190d0c2-0000-7000-8000-000000000002");
    assert_eq!(hal.unwrap().name, "hal");
    assert_eq!(read.rows[1].shown_sats(), Some(1_000_000_000));
    assert_eq!(read.check(SITE, 2, &board), Err(SnapshotError::OtherEntry));

    // A withdrawn row leaves the root as it is.
    let gone = withdrawn_line(&hex::encode(leaf(lines[0].as_bytes())));
    let withdrawn = snapshot.replace(&lines[0], &gone);
    let read = Snapshot::read(withdrawn.as_bytes()).unwrap();
    read.check(SITE, 1, &board).unwrap();
    assert_eq!((read.withdrawn, read.rows.len()), (1, 1));

    let [first, second] = &lines;
    let other_order = format!("{second}\n{first}");
    let replaced = [
        ("\n", "\r\n"),
        ("\"sats\":125", "\"sats\": 125"),
        ("\"sats\":125000000", "\"sats\":125000000.0"),
        ("\"sats\":125000000", "\"sats\":-1"),
        ("\"sats\":125000000", "\"sats\":125000000,\"sats\":1"),
        ("\"named\":true", "\"named\":true,\"more\":1"),
        ("\"range\"", "\"exact\""),
        ("\"Dolphin\"", "\"Kraken\""),
        ("\"rows\":2", "\"rows\":3"),
        ("snapshot/1", "snapshot/2"),
        (&lines.join("\n"), &other_order),
    ];
    let replaced = replaced.map(|(right, wrong)| snapshot.replace(right, wrong));
    let others = [
        snapshot.trim_end().to_owned(),
        format!("{snapshot}\n"),
        withdrawn.replace("\"withdrawn\":\"", "\"withdrawn\":\"AA"),
        String::new(),
    ];
    for wrong in replaced.into_iter().chain(others) {
        assert_ne!(wrong, snapshot);
        Snapshot::read(wrong.as_bytes()).expect_err(&wrong);
    }
    let lie = snapshot.replace("125000000", "225000000");
    let lie = Snapshot::read(lie.as_bytes()).unwrap();
    assert_eq!(lie.check(SITE, 1, &board), Err(SnapshotError::OtherRoot));
}

/// Whatever a board or a file sends is read without a panic, and what was changed anywhere is not believed.
#[test]
fn no_changed_byte_passes() {
    let example = Example::new();
    let keys = [example.signer.public().clone()];
    let receipt = example.receipt().text();
    for (at, bit) in (0..receipt.len().max(example.snapshot.len()))
        .flat_map(|at| (0..8).map(move |bit| (at, bit)))
    {
        let flipped = |text: &str| {
            let mut bytes = text.as_bytes().to_vec();
            *bytes.get_mut(at)? ^= 1 << bit;
            Some(bytes)
        };
        if let Some(bytes) = flipped(&example.snapshot) {
            let read = Snapshot::read(&bytes).and_then(|read| read.check(SITE, 1, &example.board));
            assert!(read.is_err(), "byte {at}, bit {bit}");
        }
        if let Some(text) = flipped(&receipt).and_then(|bytes| String::from_utf8(bytes).ok()) {
            let read = Receipt::read(&text).and_then(|receipt| receipt.check(&keys));
            assert!(read.is_err(), "byte {at}, bit {bit}");
        }
        let cut = &example.snapshot.as_bytes()[..at.min(example.snapshot.len() - 1)];
        Snapshot::read(cut).unwrap_err();
    }
}

/// Each member of one line of JSON, by its name, with a value that differs and has the same form.
fn changed_members(line: &str) -> Vec<(String, String)> {
    let members: BTreeMap<String, serde_json::Value> = serde_json::from_str(line).unwrap();
    let changed = members.into_iter().map(|(name, value)| {
        let other = match &value {
            serde_json::Value::String(text) => {
                let (rest, last) = text.split_at(text.len() - 1);
                let last = if last == "0" { "1" } else { "0" };
                format!("{rest}{last}").into()
            }
            serde_json::Value::Number(number) => (number.as_u64().unwrap() + 1).into(),
            serde_json::Value::Bool(is_so) => (!is_so).into(),
            serde_json::Value::Array(_) => serde_json::Value::Array(Vec::new()),
            _ => 5.into(),
        };
        let [from, to] = [value, other].map(|value| format!("\"{name}\":{value}"));
        assert!(line.contains(&from), "{from} in {line}");
        let changed = line.replacen(&from, &to, 1);
        (name, changed)
    });
    changed.collect()
}

/// Decisions, D23: the table of members in `server/docs/proofs.md` has each one, and none is only stated.
#[test]
fn every_member_is_signed_or_recomputed() {
    let example = Example::new();
    let keys = [example.signer.public().clone()];
    let mut members = BTreeSet::new();

    let gone = withdrawn_line(&hex::encode(leaf(example.lines[0].as_bytes())));
    let withdrawn = example.snapshot.replace(&example.lines[0], &gone);
    let is_snapshot = |text: &str| {
        let read = Snapshot::read(text.as_bytes());
        read.and_then(|read| read.check(SITE, 1, &example.board))
            .is_ok()
    };
    for snapshot in [&example.snapshot, &withdrawn] {
        assert!(is_snapshot(snapshot));
        for (number, line) in snapshot.lines().enumerate() {
            let part = if number == 0 { "header" } else { "row" };
            for (name, changed) in changed_members(line) {
                let snapshot = snapshot.replacen(line, &changed, 1);
                assert!(!is_snapshot(&snapshot), "{part}.{name}");
                members.insert(format!("snapshot.{part}.{name}"));
            }
        }
    }

    let honest = example.receipt();
    let is_receipt = |receipt: &Receipt| {
        let read = Receipt::read(&receipt.text());
        read.and_then(|receipt| receipt.check(&keys)).is_ok()
    };
    assert!(is_receipt(&honest));
    let mut refuse = |name: String, change: &dyn Fn(&mut Receipt)| {
        let mut receipt = honest.clone();
        change(&mut receipt);
        assert_ne!(receipt, honest, "{name}");
        assert!(!is_receipt(&receipt), "{name}");
        members.insert(format!("receipt.{name}"));
    };
    for (name, changed) in changed_members(&honest.extra.entry) {
        refuse(format!("entry.{name}"), &|it| {
            it.extra.entry = changed.clone()
        });
    }
    for (name, changed) in changed_members(&honest.extra.row) {
        refuse(format!("row.{name}"), &|it| it.extra.row = changed.clone());
    }
    // All members of the extra data, and so none that is left out here.
    let Extra {
        entry: _,
        row: _,
        index: _,
        path: _,
    } = &honest.extra;
    refuse("row_index".to_owned(), &|it| it.extra.index += 1);
    refuse("row_path".to_owned(), &|it| it.extra.path.clear());
    refuse("index".to_owned(), &|it| it.index -= 1);
    refuse("path".to_owned(), &|it| it.path[0][0] ^= 1);
    let mut lines = honest.checkpoint.split('\n');
    for (name, line) in ["origin", "size", "root", "", "signature"]
        .iter()
        .zip(lines.by_ref())
    {
        if !name.is_empty() {
            let other = match line.strip_prefix(|first: char| first.is_ascii_digit()) {
                Some(rest) => format!("9{rest}"),
                None => line.replacen(['b', 'k', 'o'], "x", 1),
            };
            let changed = honest.checkpoint.replacen(line, &other, 1);
            refuse(format!("checkpoint.{name}"), &|it| {
                it.checkpoint = changed.clone()
            });
        }
    }
    assert!(lines.eq([""]), "the checkpoint has other lines");

    let listed = PROOFS.lines().filter_map(|line| {
        let (name, how) = line
            .strip_prefix("| `")?
            .strip_suffix(" |")?
            .split_once("` | ")?;
        let is_here = name.starts_with("snapshot.") || name.starts_with("receipt.");
        let is_checked = ["signed", "recomputed"].contains(&how);
        is_here.then(|| (name.to_owned(), is_checked))
    });
    let expected = members.into_iter().map(|name| (name, true));
    assert_eq!(listed.collect::<BTreeMap<_, _>>(), expected.collect());
}
