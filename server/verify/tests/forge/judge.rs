//! Assertions about verdicts.

use verify::{Refusal, Verified};

/// The verdict on a file.
pub(crate) type Verdict = Result<Verified, Refusal>;

/// Asserts that a file was refused by the rule `code` because of the input `input`, and that the message names the input, counted
/// from 1, in whole sentences.
#[track_caller]
pub(crate) fn assert_refused(verdict: &Verdict, code: &str, input: impl Into<Option<usize>>) {
    let refusal = match verdict {
        Ok(verified) => panic!("accepted, not {code}: {:?}", verified.transaction),
        Err(refusal) => refusal,
    };
    let input = input.into();
    assert_eq!(
        (refusal.code(), refusal.input()),
        (code, input),
        "{refusal}"
    );
    let sentence = refusal.to_string();
    let named = input.map_or_else(String::new, |input| format!("Input {} ", input + 1));
    assert!(sentence.contains(&named), "{sentence}");
    // The specification's own messages have no full stop.
    let is_whole = sentence.ends_with('.') || matches!(refusal, Refusal::File(_));
    assert!(is_whole, "{sentence}");
}

/// Asserts that a file was accepted, or else refused by this rule because of this input.
#[track_caller]
pub(crate) fn assert_verdict(
    verdict: &Verdict,
    accepted: bool,
    what: &str,
    (code, input): (&str, impl Into<Option<usize>>),
) {
    match accepted {
        true => assert_accepted(verdict, what),
        false => assert_refused(verdict, code, input),
    }
}

/// Asserts that a file was accepted.
#[track_caller]
pub(crate) fn assert_accepted(verdict: &Verdict, what: &str) {
    if let Err(refusal) = verdict {
        panic!("{what}: {}: {refusal}", refusal.code());
    }
}
