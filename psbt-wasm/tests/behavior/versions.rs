//! Version 2 out: what is stripped, combined, made and converted. A second reader, which shares no code, reads it again.

use psbt_wasm::{Converted, Lost, convert};

use super::maps::{Field, maps, write};
use super::*;

/// The same file as version 0 and as version 2, which may not be modified.
fn both() -> [Vec<u8>; 2] {
    let psbt = mixed();
    let two = as_version_2(&psbt).serialize();
    [psbt.serialize(), with(&two, &[field(0x06, &[0])], &[])]
}

fn version_of(bytes: &[u8]) -> Option<u8> {
    let file = decode(bytes).expect("a file");
    file.read(Keys::Curve).expect("well-formed").psbt_version()
}

fn unsigned_of(bytes: &[u8]) -> Transaction {
    let transaction = oracle::read(bytes)
        .expect("the other reader takes it")
        .transaction;
    let own = read(bytes).expect("well-formed");
    assert_eq!(transaction, *own.unsigned_transaction());
    transaction
}

/// The maps of a file of version 2 with more fields in the global map, and in the map of the first input.
fn with(file: &[u8], global: &[Field], input: &[Field]) -> Vec<u8> {
    let mut maps = maps(file).expect("a PSBT");
    let replace = |map: &mut Vec<Field>, fields: &[Field]| {
        map.retain(|(key, _)| fields.iter().all(|(other, _)| key != other));
        map.extend_from_slice(fields);
    };
    replace(&mut maps[0], global);
    replace(&mut maps[1], input);
    write(&maps)
}

fn field(number: u8, value: &[u8]) -> Field {
    (vec![number], value.to_vec())
}

#[test]
fn stripping_and_combining_keep_the_version() {
    let [zero, two] = both();
    for (bytes, version) in [(&zero, 0), (&two, 2)] {
        let stripped = strip(bytes).expect("stripped");
        assert_eq!(version_of(&stripped), Some(version));
        assert_eq!(unsigned_of(&stripped), unsigned_of(bytes));
        assert_eq!(
            report_of(&stripped, Network::Mainnet).private,
            Default::default()
        );
        for other in [&zero, &two] {
            let combined = combine(&[bytes, other]).expect("combined").psbt;
            assert_eq!(version_of(&combined), Some(version));
            assert_eq!(unsigned_of(&combined), unsigned_of(bytes));
        }
    }
}

/// BIP-0370, "Determining Lock Time": the inputs' word counts, not the fallback.
#[test]
fn a_required_lock_time_stays_what_it_is() {
    let [_, two] = both();
    let required = with(
        &two,
        &[field(0x03, &[9, 0, 0, 0])],
        &[field(0x12, &900_000_u32.to_le_bytes())],
    );
    let lock_time = LockTime::from_consensus(900_000);
    assert_eq!(unsigned_of(&required).lock_time, lock_time);
    for bytes in [
        strip(&required).expect("stripped"),
        combine(&[&required]).expect("combined").psbt,
        convert(&required, 0).expect("converted").psbt,
    ] {
        assert_eq!(unsigned_of(&bytes), unsigned_of(&required));
    }
}

#[test]
fn combined_files_may_be_modified_as_all_of_them_allow() {
    let [zero, two] = both();
    let flags = |flags: u8| with(&two, &[field(0x06, &[flags])], &[]);
    let found = |files: &[&[u8]]| {
        let combined = combine(files).expect("combined").psbt;
        let global = maps(&combined).expect("a PSBT").swap_remove(0);
        global
            .into_iter()
            .find_map(|(key, value)| (key == [0x06]).then_some(value))
    };
    for (one, other, all) in [(3, 3, 3), (3, 2, 2), (3, 0, 0), (3, 7, 7), (4, 1, 4)] {
        assert_eq!(
            found(&[&flags(one), &flags(other)]),
            Some(vec![all]),
            "{one} {other}"
        );
    }
    assert_eq!(found(&[&flags(3), &zero]), Some(vec![0]));
    assert_eq!(found(&[&zero, &flags(3)]), None);
}

#[test]
fn a_proof_of_version_2_is_that_of_version_0() {
    for bytes in both() {
        // Its inputs require a lock time with which a still transaction would be an ordinary one.
        let is_v2 = version_of(&bytes) == Some(2);
        let bytes = if is_v2 {
            with(&bytes, &[], &[field(0x12, &900_000_u32.to_le_bytes())])
        } else {
            bytes
        };
        for form in Form::ALL {
            let of = |version_2| MakeOptions {
                version_2,
                ..MakeOptions::new("A line", form)
            };
            let [zero, two] =
                [false, true].map(|version_2| make_proof(&bytes, &of(version_2)).expect("made"));
            assert_eq!(
                [&zero, &two].map(|made| version_of(&made.psbt)),
                [Some(0), Some(2)]
            );
            assert_eq!(unsigned_of(&two.psbt), unsigned_of(&zero.psbt));
            assert_eq!(two.notes, zero.notes);
            // Nothing but the transaction differs.
            assert_eq!(
                convert(&two.psbt, 0).expect("converted").psbt,
                convert(&zero.psbt, 0).expect("the same").psbt
            );
        }
    }
}

#[test]
fn converting_there_and_back_loses_nothing() {
    let [zero, two] = both();
    for bytes in [&zero, &two, &file(&Kind::ALL, 7).serialize()] {
        let psbts = [0, 2].map(|version| {
            let Converted { psbt, lost, .. } = convert(bytes, version).expect("converted");
            assert_eq!((version_of(&psbt), lost), (Some(version), vec![]));
            psbt
        });
        let found = psbts
            .each_ref()
            .map(|psbt| read(psbt).expect("well-formed").content);
        assert_eq!(found[0], found[1]);
        assert_eq!(read(bytes).expect("well-formed").content, found[0]);
        assert!(Psbt::deserialize(&psbts[0]).is_ok());
    }
}

#[test]
fn what_version_0_cannot_express_is_named() {
    let [_, two] = both();
    let lost = |bytes: &[u8]| convert(bytes, 0).expect("converted").lost;
    assert_eq!(
        lost(&with(&two, &[field(0x06, &[1])], &[])),
        [Lost::Modifiable]
    );
    let locked = with(&two, &[], &[field(0x11, &1_800_000_000_u32.to_le_bytes())]);
    assert_eq!(lost(&locked), [Lost::RequiredLockTimes]);
    let mut silent = maps(&two).expect("a PSBT");
    silent
        .last_mut()
        .expect("an output")
        .push(field(0x09, &[2; 66]));
    let silent = write(&silent);
    assert_eq!(lost(&silent), [Lost::SilentPayments]);
    let plain = convert(&silent, 0).expect("converted").psbt;
    assert_eq!(report_of(&plain, Network::Mainnet).silent_payments, []);
    // Version 2 can express all fields.
    assert_eq!(convert(&silent, 2).expect("converted").lost, []);
    let error = convert(&two, 1).expect_err("refused");
    assert_eq!(error, Fault::Version(1).into());
    let error = convert(&serialize(&final_transaction()), 2).expect_err("refused");
    assert_eq!(error, MakeError::FinalTransaction.into());
}
