//! Whose a file is, by what it says itself.

use super::*;
use psbt_wasm::binding::{Binding, Motion, binding_of};

fn judged(file: &Psbt) -> Binding {
    binding_of(&file.serialize(), STATEMENT).expect("a PSBT")
}

/// A still transaction over two coins, changed. The statement is its third output.
fn changed(change: impl FnOnce(&mut Transaction)) -> Psbt {
    let mut proof = made(&file(&[Kind::P2wpkh], 2), Form::Transaction);
    change(&mut proof.unsigned_tx);
    proof
        .outputs
        .resize(proof.unsigned_tx.output.len(), Output::default());
    proof
}

fn says(text: &str) -> ScriptBuf {
    ScriptBuf::new_op_return(PushBytesBuf::try_from(text.as_bytes().to_vec()).expect("short"))
}

/// Not the direct push that every device shows.
fn mangled(text: &str) -> ScriptBuf {
    let script = says(text).into_bytes();
    [&[script[0], 0x4c], &script[1..]].concat().into()
}

fn with_script(script: ScriptBuf) -> Psbt {
    changed(|transaction| transaction.output[2].script_pubkey = script)
}

fn foreign(text: &str) -> Binding {
    Binding::Foreign(text.into())
}

#[test]
fn what_is_made_is_bound_in_both_forms() {
    for form in [Form::Transaction, Form::Message] {
        let proof = made(&file(&Kind::ALL, 7), form);
        assert_eq!(judged(&proof), Binding::Bound);
    }
}

#[test]
fn what_is_not_still_is_said_with_its_reason() {
    let motion = |change: fn(&mut Transaction)| match judged(&changed(change)) {
        Binding::Moving { motion, output: 2 } => motion,
        other => panic!("{other:?}"),
    };
    let lock_time = motion(|it| it.lock_time = LockTime::from_consensus(499_999_999));
    assert_eq!(lock_time, Motion::LockTime { found: 499_999_999 });
    let sequences = motion(|it| {
        for input in &mut it.input {
            input.sequence = Sequence::MAX;
        }
    });
    assert_eq!(sequences, Motion::Sequences);
    let second = motion(|it| it.output.push(output(0, says("hello"))));
    assert_eq!(second, Motion::Valueless);
    let value = motion(|it| {
        it.output[0].value -= Amount::ONE_SAT;
        it.output[2].value = Amount::ONE_SAT;
    });
    assert_eq!(value, Motion::Form);
    let elsewhere = motion(|it| {
        it.output[1].script_pubkey = [&[0x51, 0x20][..], &[7; 32]].concat().into();
    });
    assert_eq!(elsewhere, Motion::Elsewhere { output: 1 });
    let fee = motion(|it| it.output[1].value -= Amount::ONE_SAT);
    assert!(matches!(fee, Motion::Sum { input: 1, had, back } if had == back + 1));
}

#[test]
fn another_statement_is_shown_whatever_else_is_wrong() {
    let mallory = STATEMENT.replace("satoshi", "mallory");
    for text in [
        &mallory,
        &STATEMENT.replace("board.example", "board.invalid"),
        &format!("{STATEMENT}x"),
        &STATEMENT.to_ascii_uppercase(),
        // SeedSigner 0.8.
        &STATEMENT[1..],
    ] {
        assert_eq!(judged(&with_script(says(text))), foreign(text));
    }
    assert_eq!(judged(&with_script(mangled(&mallory))), foreign(&mallory));
    let both = changed(|transaction| {
        transaction.lock_time = LockTime::ZERO;
        transaction.output.push(output(0, says(&mallory)));
    });
    assert_eq!(judged(&both), foreign(&mallory));
}

#[test]
fn a_statement_in_another_form_is_still_the_accounts() {
    let form = Binding::Moving {
        motion: Motion::Form,
        output: 2,
    };
    assert_eq!(judged(&with_script(mangled(STATEMENT))), form);
}

#[test]
fn what_the_file_does_not_state_is_left_open() {
    let mut unstated = changed(|_| {});
    unstated.inputs[1].witness_utxo = None;
    unstated.inputs[1].non_witness_utxo = None;
    assert_eq!(judged(&unstated), Binding::ValuesNotStated);
    for code in ["qqqqqqqqqqqqqqqqqqqq", "qqqqqqqqqqqqqqqqqqqqqq"] {
        let (start, _) = STATEMENT.rsplit_once(' ').expect("a code");
        let earlier = with_script(says(&format!("{start} {code}")));
        assert_eq!(judged(&earlier), Binding::OtherCode);
    }
}

#[test]
fn a_message_is_judged_by_its_text_and_its_first_input() {
    let message = made(&file(&Kind::ALL, 7), Form::Message);
    let judged_as = |line: &str| binding_of(&message.serialize(), line).expect("a PSBT");
    let (start, _) = STATEMENT.rsplit_once(' ').expect("a code");
    let later = judged_as(&format!("{start} qqqqqqqqqqqqqqqqqqqq"));
    assert_eq!(later, Binding::OtherCode);
    let other = judged_as(&STATEMENT.replace("satoshi", "mallory"));
    assert_eq!(other, foreign(STATEMENT));
    let mut changed = message.clone();
    changed.unsigned_tx.input[0].sequence = Sequence::MAX;
    assert_eq!(judged(&changed), Binding::FinalSequence);
    let mut unstated = message.clone();
    unstated.unknown.clear();
    assert_eq!(judged(&unstated), Binding::MessageNotStated);
}

#[test]
fn a_file_that_mentions_no_statement_is_unbound() {
    assert_eq!(judged(&file(&Kind::ALL, 7)), Binding::Unbound);
    assert_eq!(judged(&with_script(says("hello"))), Binding::Unbound);
    let without = changed(|transaction| transaction.output.clear());
    assert_eq!(judged(&without), Binding::Unbound);
}
