//! Texts of every kind, changed at random. `FUZZ=1000000 cargo test --release -p board-log --test fuzz` tries that many; 5,000 without it.
//! `fuzz` has the same for cargo-fuzz.

mod checking;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

use checking::checking;

/// The example of golang.org/x/mod/sumdb/note.
const NOTE: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n\
    \u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

/// The examples of the README, whole and by their lines.
fn seeds() -> Vec<String> {
    let readme = include_str!("../../README.md");
    let blocks = readme.split("```").skip(1).step_by(2);
    let blocks = blocks.filter_map(|it| Some(it.split_once('\n')?.1.to_owned()));
    let mut seeds: Vec<String> = blocks.collect();
    let lines: Vec<String> = (seeds.iter().flat_map(|it| it.lines()))
        .map(str::to_owned)
        .collect();
    seeds.extend(lines);
    seeds.push(NOTE.to_owned());
    seeds.push(checking::KEY.to_owned());
    seeds
}

/// Bytes in which some are others, left out or twice, or that end early.
fn changed(seed: &[u8], other: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..random.random_range(1..4) {
        let at = random.random_range(0..=bytes.len());
        let end = (at + random.random_range(0..3)).min(bytes.len());
        let with = match random.random_range(0..4) {
            0 => Vec::new(),
            1 => vec![random.random_range(0..=255)],
            2 => bytes[at..end].repeat(2),
            _ => {
                let from = random.random_range(0..=other.len());
                let to = (from + random.random_range(0..20)).min(other.len());
                other[from..to].to_vec()
            }
        };
        bytes.splice(at..end, with);
    }
    bytes
}

#[test]
fn changed_texts_are_refused_or_have_one_meaning() {
    let seeds = seeds();
    assert!(seeds.len() > 20, "the README's examples");
    for seed in &seeds {
        checking(seed.as_bytes());
    }
    let mut random = StdRng::seed_from_u64(52);
    let count = std::env::var("FUZZ").map_or(5_000, |count| count.parse().expect("a number"));
    for _ in 0..count {
        let [one, other] = [0; 2].map(|_| &seeds[random.random_range(0..seeds.len())]);
        checking(&changed(one.as_bytes(), other.as_bytes(), &mut random));
    }
}
