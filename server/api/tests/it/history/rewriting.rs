//! A rewritten history is noticed by every client that has seen any part of the old one.

use board_log::tree::{RunningRoot, leaf};
use rand::Rng;
use rand::seq::IndexedRandom;

use super::*;

/// How many times history is rewritten.
const TRIES: usize = 100;

fn checkpoint(entries: &[String]) -> Checkpoint {
    let mut root = RunningRoot::default();
    root.extend(entries.iter().map(|entry| leaf(entry.as_bytes())));
    Checkpoint {
        origin: "reserves.example/log".to_owned(),
        size: root.leaves(),
        root: root.root(),
    }
}

/// One way to change the history.
fn rewrite(entries: &mut Vec<String>, random: &mut impl Rng, seen: usize) -> &'static str {
    let at = random.random_range(0..seen);
    match random.random_range(0..5) {
        0 => {
            entries[at].push(' ');
            "an entry says something else"
        }
        1 => {
            entries.remove(at);
            "an entry is gone"
        }
        2 => {
            entries.insert(at, "another".to_owned());
            "there is one more, before others"
        }
        3 => {
            let other = (at + 1) % seen;
            entries.swap(at, other);
            "two are the other way round"
        }
        _ => {
            entries.truncate(at);
            entries.resize(entries.len() + seen, "another".to_owned());
            "it goes another way from there"
        }
    }
}

#[test]
fn a_rewritten_history_is_noticed_every_time() {
    let mut random = rand::rng();
    let material = Signer::generate().unwrap();
    let signer = Signer::read("reserves.example/log", &material).unwrap();
    let keys = [signer.public().clone()];
    let sizes = [2, 3, 7, 255, 256, 257, 300, 513, 1_000];
    let mut noticed = 0;
    for number in 0..TRIES {
        let seen = *sizes.choose(&mut random).unwrap();
        let now = seen + random.random_range(0..300);
        let mut entries: Vec<String> = (0..now).map(|it| format!("entry {it}")).collect();
        let (before, honest) = (checkpoint(&entries[..seen]), checkpoint(&entries));
        check::replay(&entries, Some(&before), &honest).expect("it has only grown");
        let what = rewrite(&mut entries, &mut random, seen);
        let after = checkpoint(&entries);
        // The key is right: the operator is the liar.
        let signed = note::sign(&after.to_string(), &[&signer]);
        let after = check::checkpoint(&signed, &keys).unwrap();
        let said = check::replay(&entries, Some(&before), &after).expect_err(what);
        let expected = [CheckError::Rewritten, CheckError::Shorter];
        assert!(expected.contains(&said), "{number}, {what}: {said}");
        noticed += 1;
    }
    assert_eq!(noticed, TRIES);
}
