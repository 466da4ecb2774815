//! Everything that can come of a file that is sent, in a word.

/// The words. A counter that is not there before it is 1 hides the first time from whoever watches for increases, so that all of them are
/// there from the start.
pub const OUTCOMES: [&str; 72] = [
    "success",
    "reverified",
    "already-verified",
    "conflict",
    "already-used",
    // What the format demands.
    "file-too-large",
    "file-too-short",
    "invalid-magic",
    "could-not-parse",
    "no-inputs",
    "no-outputs",
    "null-outpoint",
    "duplicate-input",
    "previous-transaction-mismatch",
    "previous-output-missing",
    "utxo-mismatch",
    "amount-out-of-range",
    "outputs-above-inputs",
    // Rules.
    "extension",
    "too-many-inputs",
    "too-heavy",
    "too-complex",
    "script-too-complex",
    "unknown-hint",
    "not-signed",
    "no-utxo-information",
    "message-alone",
    "message-without-script",
    "message-form",
    "incomplete",
    "cannot-finalise",
    "coin-missing",
    "coin-spent-or-missing",
    "coin-spent",
    "coin-spent-in-mempool",
    "coin-unconfirmed",
    "coin-immature",
    "coin-zero-value",
    "hint-mismatch",
    "invalid-signature",
    "foreign-sighash",
    "not-committed",
    "key-not-committed",
    "inconclusive",
    "invalid-transaction",
    "locked",
    "absolute-lock",
    "relative-lock",
    "relative-lock-unknown",
    "uncheckable",
    // The statement.
    "not-bound",
    "other-statement",
    "made-before-upgrade",
    "statement-block-gone",
    "older-statement",
    "not-still",
    "range-shown",
    // Too often, too much, or of nobody.
    "too-many-attempts",
    "too-many-requests",
    "busy",
    "invalid-body",
    "too-large",
    "too-slow",
    "no-authorization",
    "bad-jwt",
    "session-not-found",
    // Not the sender's fault.
    "coin-unknown",
    "chain-unavailable",
    "chain-syncing",
    "chain-stale",
    "database-unavailable",
    "internal",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use strum::VariantNames;
    use verify::Refusal;

    use super::*;

    /// Where codes are given by hand.
    const SOURCES: [&str; 3] = [
        include_str!("../../../../../verify/src/binding.rs"),
        include_str!("../../../proof/publication.rs"),
        include_str!("../../../../../chain/src/behind.rs"),
    ];

    #[test]
    fn every_code_of_a_refusal_is_counted_from_the_start_and_once() {
        let listed: BTreeSet<&str> = OUTCOMES.into_iter().collect();
        assert_eq!(listed.len(), OUTCOMES.len());
        let is_code = |text: &&str| {
            let mut bytes = text.bytes();
            bytes.all(|byte| byte.is_ascii_lowercase() || byte == b'-') && !text.is_empty()
        };
        let by_hand = SOURCES
            .into_iter()
            .flat_map(|source| source.split("=> \"").skip(1))
            .filter_map(|rest| rest.split('"').next())
            .filter(is_code);
        let of_names = [Refusal::VARIANTS, psbt_wasm::Error::VARIANTS].concat();
        let given: BTreeSet<&str> = by_hand.chain(of_names).collect();
        assert!(given.len() > 40, "codes are found at all: {given:?}");
        // Those of a file have codes of their own, and nobody makes files here.
        let forgotten: Vec<_> = given.difference(&listed).collect();
        assert_eq!(forgotten, [&"file", &"make"]);
    }
}
