//! Absolute locks, and the lock time of a message.

use bitcoin::opcodes::all::{OP_CHECKSIG, OP_CLTV, OP_DROP, OP_ELSE, OP_ENDIF, OP_IF};
use bitcoin::script::Builder;
use bitcoin::{Psbt, ScriptBuf};
use psbt_wasm::{Form, MakeOptions, NoteCode, statement};

use crate::kind::Kind;
use crate::scene::{STATEMENT, file, made_with, set_coin};

const HEIGHT: i64 = 840_000;
const LATER: i64 = 900_000;
const TIME: i64 = 1_750_000_000;

fn locked(lock: i64) -> ScriptBuf {
    let key = [2; 33];
    let lock = Builder::new().push_int(lock).push_opcode(OP_CLTV);
    let lock = lock.push_opcode(OP_DROP).push_slice(key);
    lock.push_opcode(OP_CHECKSIG).into_script()
}

/// A wallet's file over coins behind such scripts; the first coin has no lock.
fn vault(scripts: &[ScriptBuf]) -> Psbt {
    let inputs = u32::try_from(scripts.len() + 1).expect("few");
    let mut file = file(&[Kind::P2wpkh], inputs);
    for (at, script) in (1..).zip(scripts) {
        set_coin(&mut file, at, |coin| coin.script_pubkey = script.to_p2wsh());
        file.inputs[at].witness_script = Some(script.clone());
    }
    file
}

/// The lock time, and the notes about locks.
fn made(file: &Psbt, options: &MakeOptions<'_>) -> (u32, Vec<(NoteCode, Option<usize>, String)>) {
    let (made, proof) = made_with(&file.serialize(), options);
    let notes = made.notes.into_iter();
    let notes = notes.filter(|note| note.code != NoteCode::NoPreviousTransaction);
    let notes = notes.map(|note| (note.code, note.input, note.message));
    (
        proof.unsigned_tx.lock_time.to_consensus_u32(),
        notes.collect(),
    )
}

fn message() -> MakeOptions<'static> {
    MakeOptions::new(STATEMENT, Form::Message)
}

#[test]
fn without_locks_a_message_has_no_lock_time() {
    assert_eq!(made(&vault(&[]), &message()), (0, vec![]));
}

#[test]
fn a_message_has_the_largest_lock_that_scripts_demand_and_says_whose() {
    let (lock_time, notes) = made(&vault(&[HEIGHT, LATER].map(locked)), &message());
    assert_eq!(i64::from(lock_time), LATER);
    let [(NoteCode::LockTime, Some(2), sentence)] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert!(
        sentence.contains("block 900000: the script of input 3 "),
        "{sentence}"
    );

    let (lock_time, notes) = made(&vault(&[locked(TIME)]), &message());
    assert_eq!(i64::from(lock_time), TIME);
    assert!(
        notes[0]
            .2
            .contains("the Unix time 1750000000: the script of input 2 ")
    );
}

#[test]
fn locks_by_height_and_by_time_in_one_file_are_named() {
    let (lock_time, notes) = made(&vault(&[HEIGHT, TIME].map(locked)), &message());
    assert_eq!(i64::from(lock_time), TIME);
    let codes: Vec<_> = notes
        .iter()
        .map(|(code, input, _)| (*code, *input))
        .collect();
    let expected = [
        (NoteCode::LockTime, Some(2)),
        (NoteCode::LockNotMet, Some(1)),
    ];
    assert_eq!(codes, expected);
    assert!(notes[1].2.contains("block 840000"), "{}", notes[1].2);
}

#[test]
fn a_lock_time_that_is_given_is_taken_and_what_it_leaves_locked_is_named() {
    let file = vault(&[HEIGHT, LATER].map(locked));
    let given = |lock_time: u32| {
        let lock_time = Some(lock_time);
        made(
            &file,
            &MakeOptions {
                lock_time,
                ..message()
            },
        )
    };
    assert_eq!(given(950_000), (950_000, vec![]));
    let (lock_time, notes) = given(850_000);
    assert_eq!(lock_time, 850_000);
    let [(NoteCode::LockNotMet, Some(2), _)] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert_eq!(given(0).1.len(), 2);
}

#[test]
fn the_still_transaction_satisfies_heights_and_no_times() {
    let still = MakeOptions::new(STATEMENT, Form::Transaction);
    let (lock_time, notes) = made(&vault(&[HEIGHT, TIME].map(locked)), &still);
    assert_eq!(lock_time, statement::LOCK_TIME);
    let [(NoteCode::LockNotMet, Some(2), sentence)] = &notes[..] else {
        panic!("{notes:?}");
    };
    assert!(sentence.contains("make a message instead"), "{sentence}");
}

#[test]
fn locks_are_found_in_every_script_that_an_input_shows() {
    let branches = Builder::new().push_opcode(OP_IF).push_slice([2; 33]);
    let branches = branches.push_opcode(OP_CHECKSIG).push_opcode(OP_ELSE);
    let branches = branches
        .push_int(HEIGHT)
        .push_opcode(OP_CLTV)
        .push_opcode(OP_ENDIF);
    let lock_time = |file: &Psbt| i64::from(made(file, &message()).0);
    assert_eq!(lock_time(&vault(&[branches.into_script()])), HEIGHT);

    let mut nested = vault(&[locked(HEIGHT)]);
    let script = nested.inputs[1].witness_script.clone().expect("a script");
    set_coin(&mut nested, 1, |coin| {
        coin.script_pubkey = script.to_p2wsh().to_p2sh()
    });
    nested.inputs[1].redeem_script = Some(script.to_p2wsh());
    assert_eq!(lock_time(&nested), HEIGHT);

    let mut leaf = file(&[Kind::P2trScript], 1);
    let version = bitcoin::taproot::LeafVersion::TapScript;
    let (control, _) = leaf.inputs[0].tap_scripts.pop_first().expect("a leaf");
    leaf.inputs[0]
        .tap_scripts
        .insert(control, (locked(LATER), version));
    assert_eq!(lock_time(&leaf), LATER);
}
