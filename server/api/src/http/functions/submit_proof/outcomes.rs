//! Everything that can come of a file that is sent, in a word.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use strum::VariantNames;

use super::answer::Acceptance;
use crate::proof::NotPublishable;
use chain::Behind;
use verify::Refusal;
use verify::binding::NotBound;

/// The counter of submissions, by outcome.
pub const SUBMISSIONS: &str = "submissions_total";

/// The words that are no names of a variant: signatures that must not be finalized, what is not recorded, too often or too much, nobody's, and what is not the sender's fault.
const OTHERS: &str = "sighash-mismatch sighash-byte-missing conflict already-used older-statement \
    too-many-attempts too-many-requests busy invalid-body too-large too-slow \
    no-authorization bad-jwt session-not-found coin-unknown chain-unavailable database-unavailable internal";

/// Refusals of a file have the code of the file's error, and nothing here makes files or reads dates.
const NO_OUTCOMES: [&str; 4] = ["file", "recognized", "make", "invalid-instant"];

/// The outcomes that are counted. A counter that first appears with the value 1 hides that increase from an alert, so all of them are
/// there from the start.
pub static OUTCOMES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let names = [
        Acceptance::VARIANTS,
        Refusal::VARIANTS,
        psbt_wasm::Error::VARIANTS,
        NotBound::VARIANTS,
        NotPublishable::VARIANTS,
        Behind::VARIANTS,
    ];
    let names = names.into_iter().flatten().copied();
    let names = names.filter(|it| !NO_OUTCOMES.contains(it));
    names.chain(OTHERS.split_whitespace()).collect()
});
