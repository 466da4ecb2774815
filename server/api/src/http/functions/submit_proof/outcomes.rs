//! Everything that can come of a file that is sent, in a word.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use strum::VariantNames;
use verify::Refusal;

/// The counter of submissions, by outcome.
pub const SUBMISSIONS: &str = "submissions_total";

/// The words that are no names of refusals: what is recorded, the statement, too often or too much, nobody's, and what is not the
/// sender's fault.
const OTHERS: &str = "success reverified already-verified conflict already-used \
    not-bound other-statement made-before-upgrade statement-block-gone older-statement not-still range-shown \
    too-many-attempts too-many-requests busy invalid-body too-large too-slow \
    no-authorization bad-jwt session-not-found \
    coin-unknown chain-unavailable chain-syncing chain-stale database-unavailable internal";

/// Refusals of a file have the code of the file's error, and nothing here makes files.
const NO_OUTCOMES: [&str; 2] = ["file", "make"];

/// The outcomes that are counted. A counter that first appears with the value 1 hides that increase from an alert, so all of them are
/// there from the start.
pub static OUTCOMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let refusals = Refusal::VARIANTS.iter().chain(psbt_wasm::Error::VARIANTS);
    let refusals = refusals.copied().filter(|it| !NO_OUTCOMES.contains(it));
    refusals.chain(OTHERS.split_whitespace()).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    /// Where codes are given by hand.
    const SOURCES: [&str; 3] = [
        include_str!("../../../../../verify/src/binding.rs"),
        include_str!("../../../proof/submission.rs"),
        include_str!("../../../../../chain/src/behind.rs"),
    ];

    #[test]
    fn every_code_of_a_refusal_is_counted_from_the_start() {
        let is_code = |text: &&str| {
            let mut bytes = text.bytes();
            bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !text.is_empty()
        };
        let by_hand = SOURCES
            .into_iter()
            .flat_map(|source| source.split("=> \"").skip(1))
            .filter_map(|rest| rest.split('"').next())
            .filter(is_code);
        let given: BTreeSet<&str> = by_hand.collect();
        assert!(given.len() > 4, "codes are found at all: {given:?}");
        let forgotten: Vec<_> = given.difference(&OUTCOMES).collect();
        assert!(forgotten.is_empty(), "{forgotten:?}");
    }
}
