//! Absolute locks, and the lock time of a message.

use super::*;

const HEIGHT: i64 = 840_000;
const LATER: i64 = 900_000;
const TIME: i64 = 1_750_000_000;

fn locked(lock: i64) -> ScriptBuf {
    let lock = Builder::new().push_int(lock).push_opcode(OP_CLTV);
    let lock = lock.push_opcode(OP_DROP).push_slice([2; 33]);
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

fn message() -> MakeOptions<'static> {
    options(Form::Message)
}

/// Asserts the lock time of what is made of a file, and the notes about locks: their codes, their inputs and words in them.
#[track_caller]
fn assert_locked(
    file: &Psbt,
    options: &MakeOptions<'_>,
    lock_time: impl TryInto<u32>,
    expected: &[(NoteCode, usize, &str)],
) {
    let (made, proof) = made_with(&file.serialize(), options);
    let found = proof.unsigned_tx.lock_time.to_consensus_u32();
    assert_eq!(Some(found), lock_time.try_into().ok());
    let mut notes = made.notes;
    notes.retain(|note| note.code != NoteCode::NoPreviousTransaction);
    assert_eq!(notes.len(), expected.len(), "{notes:?}");
    for (note, (code, input, words)) in notes.iter().zip(expected) {
        assert_eq!((note.code, note.input), (*code, Some(*input)));
        assert!(note.message.contains(words), "{}", note.message);
    }
}

#[test]
fn a_message_has_the_largest_lock_that_scripts_demand_and_says_whose() {
    let file = vault(&[HEIGHT, LATER].map(locked));
    let said = "block 900000: the script of input 3 ";
    let said = [(NoteCode::LockTime, 2, said)];
    assert_locked(&file, &message(), LATER, &said);
    let said = "the Unix time 1750000000: the script of input 2 ";
    let said = [(NoteCode::LockTime, 1, said)];
    assert_locked(&vault(&[locked(TIME)]), &message(), TIME, &said);
}

#[test]
fn locks_by_height_and_by_time_in_one_file_are_named() {
    let file = vault(&[HEIGHT, TIME].map(locked));
    let said = [
        (NoteCode::LockTime, 2, ""),
        (NoteCode::LockNotMet, 1, "block 840000"),
    ];
    assert_locked(&file, &message(), TIME, &said);
}

#[test]
fn a_lock_time_that_is_given_is_taken_and_what_it_leaves_locked_is_named() {
    let file = vault(&[HEIGHT, LATER].map(locked));
    let unmet = [1, 2].map(|input| (NoteCode::LockNotMet, input, ""));
    for (lock_time, unmet) in [(950_000, &[][..]), (850_000, &unmet[1..]), (0, &unmet[..])] {
        let given = Some(lock_time);
        let options = MakeOptions {
            lock_time: given,
            ..message()
        };
        assert_locked(&file, &options, lock_time, unmet);
    }
}

#[test]
fn the_still_transaction_satisfies_heights_and_no_times() {
    let file = vault(&[HEIGHT, TIME].map(locked));
    let said = [(NoteCode::LockNotMet, 2, "make a message instead")];
    let still = options(Form::Transaction);
    assert_locked(&file, &still, statement::LOCK_TIME, &said);
}

#[test]
fn locks_are_found_in_every_script_that_an_input_shows() {
    let branches = Builder::new().push_opcode(OP_IF).push_slice([2; 33]);
    let branches = branches.push_opcode(OP_CHECKSIG).push_opcode(OP_ELSE);
    let branches = branches.push_int(HEIGHT).push_opcode(OP_CLTV);
    let branches = vault(&[branches.push_opcode(OP_ENDIF).into_script()]);

    let mut nested = vault(&[locked(HEIGHT)]);
    let program = locked(HEIGHT).to_p2wsh();
    let script = program.to_p2sh();
    set_coin(&mut nested, 1, |coin| coin.script_pubkey = script);
    nested.inputs[1].redeem_script = Some(program);

    let mut leaf = file(&[Kind::P2trScript], 1);
    let leaves = &mut leaf.inputs[0].tap_scripts;
    let script = (locked(HEIGHT), LeafVersion::TapScript);
    leaves.values_mut().for_each(|leaf| *leaf = script.clone());
    for file in [branches, nested, leaf] {
        let (_, proof) = made_with(&file.serialize(), &message());
        let lock_time = proof.unsigned_tx.lock_time.to_consensus_u32();
        assert_eq!(i64::from(lock_time), HEIGHT);
    }
}
