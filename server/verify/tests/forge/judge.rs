//! Assertions about verdicts.

use verify::{Refusal, Verified};

/// Asserts that a file was refused by the rule `code` because of the input `input`.
#[track_caller]
pub(crate) fn assert_refused(
    verdict: &Result<Verified, Refusal>,
    code: &str,
    input: impl Into<Option<usize>>,
) {
    match verdict {
        Ok(verified) => panic!("accepted, not {code}: {:?}", verified.transaction),
        Err(refusal) => {
            assert_eq!(refusal.code(), code, "{refusal}");
            assert_eq!(refusal.input(), input.into(), "{refusal}");
            assert_sentence(refusal);
        }
    }
}

/// Asserts that a file was accepted, or else refused by this rule because of this input.
#[track_caller]
pub(crate) fn assert_verdict(
    verdict: &Result<Verified, Refusal>,
    accepted: bool,
    what: &str,
    (code, input): (&str, impl Into<Option<usize>>),
) {
    match accepted {
        true => assert_accepted(verdict, what),
        false => assert_refused(verdict, code, input),
    }
}

/// Checks that the message names the input, counted from 1, in whole sentences.
#[track_caller]
fn assert_sentence(refusal: &Refusal) {
    let sentence = refusal.to_string();
    if let Some(input) = refusal.input() {
        let named = format!("Input {} ", input + 1);
        assert!(sentence.contains(&named), "{sentence}");
    }
    // The specification's own messages have no full stop.
    let is_whole = sentence.ends_with('.') || matches!(refusal, Refusal::File(_));
    assert!(is_whole, "{sentence}");
}

/// Asserts that a file was accepted.
#[track_caller]
pub(crate) fn assert_accepted(verdict: &Result<Verified, Refusal>, what: &str) {
    if let Err(refusal) = verdict {
        panic!("{what}: {}: {refusal}", refusal.code());
    }
}
