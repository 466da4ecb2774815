//! Damaged and tampered files, thousands of each run. For hours of it:
//!
//! ```text
//! PROPTEST_CASES=100000000 cargo test --release -p psbt-wasm --test fuzz
//! ```
//!
//! The folder `fuzz` has the same properties as targets of cargo-fuzz, which needs a nightly compiler.

mod damage;
mod making;
mod messages;
#[path = "../oracle/mod.rs"]
#[allow(dead_code, unused_imports, reason = "other tests use the rest")]
mod oracle;
mod properties;
mod seeds;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::{Config, TestRunner};

use damage::{apply, damage};
use seeds::{message_seeds, seeds};

/// How many files each property sees unless `PROPTEST_CASES` says otherwise.
const CASES: u32 = 3_000;

fn check_property(property: fn(&[u8])) {
    check_property_from(&seeds(), property);
}

fn check_property_from(seeds: &[Vec<u8>], property: fn(&[u8])) {
    for seed in seeds {
        property(seed);
    }
    let cases = match std::env::var_os("PROPTEST_CASES") {
        Some(_) => Config::default().cases,
        None => CASES,
    };
    let mut runner = TestRunner::new(Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    });
    let files = (any::<Index>(), any::<Index>(), vec(damage(), 0..4));
    let outcome = runner.run(&files, |(seed, other, damages)| {
        let (mut file, other) = (seed.get(seeds).clone(), other.get(seeds));
        for damage in &damages {
            apply(damage, &mut file, other);
        }
        property(&file);
        Ok(())
    });
    // The panic of a property has been printed with its place; this names the smallest file that causes it.
    if let Err(error) = outcome {
        panic!("{error}");
    }
}

#[test]
fn reading_any_file_keeps_its_promises() {
    check_property(properties::reading);
}

#[test]
fn stripping_any_file_keeps_its_promises() {
    check_property(properties::stripping);
}

#[test]
fn checking_the_signatures_of_any_file_keeps_its_promises() {
    check_property(properties::signatures);
}

#[test]
fn inspecting_any_file_keeps_its_promises() {
    check_property(properties::inspecting);
}

#[test]
fn making() {
    check_property(making::making);
}

#[test]
fn combining() {
    check_property(making::combining);
}

#[test]
fn verifying_any_message_keeps_its_promises() {
    check_property_from(&message_seeds(), messages::verifying);
}
