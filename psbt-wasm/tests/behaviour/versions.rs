//! Version 2 (BIP-0370): written by the crate `psbt-v2`, read by us, and equal to version 0.

use bitcoin::absolute::{Height, LockTime, Time};
use psbt_v2::v2;
use psbt_wasm::{Content, Error, Fault, Malformed, Map, Network, ProofFile, read};

use crate::fixtures::mixed;
use crate::reports::report_of;
use crate::version2::as_version_2;

fn read_v2(psbt: &v2::Psbt) -> ProofFile {
    read(&psbt.serialize()).expect("well-formed")
}

#[test]
fn both_versions_of_a_file_are_one() {
    let psbt = mixed();
    let (old, new) = (
        read(&psbt.serialize()).expect("well-formed"),
        read_v2(&as_version_2(&psbt)),
    );
    assert_eq!((old.psbt_version, new.psbt_version), (Some(0), Some(2)));
    assert_eq!(new.unsigned_transaction(), &psbt.unsigned_tx);
    let files = [psbt.serialize(), as_version_2(&psbt).serialize()];
    let [old, report] = files.map(|file| report_of(&file, Network::Mainnet));
    assert_eq!(report.inputs, old.inputs);
    assert_eq!(report.outputs, old.outputs);
    assert_eq!(report.fee_sats, old.fee_sats);
    let Content::Psbt(converted) = &new.content else {
        panic!("a PSBT")
    };
    assert_eq!(converted.version, 0);
}

/// Required heights and times of the inputs, and the lock time that follows.
#[test]
fn lock_times_follow_bip_370() {
    let height = |value| Some(Height::from_consensus(value).expect("a height"));
    let time = |value| Some(Time::from_consensus(value).expect("a time"));
    let early = 1_600_000_000;
    let late = 1_700_000_000;
    let cases = [
        (
            [(None, None), (None, None)],
            Ok(LockTime::from_consensus(840_000)),
        ),
        (
            [(height(10), None), (height(20), None)],
            Ok(LockTime::from_consensus(20)),
        ),
        (
            [(None, time(late)), (None, time(early))],
            Ok(LockTime::from_consensus(late)),
        ),
        (
            [(height(10), time(early)), (None, time(late))],
            Ok(LockTime::from_consensus(late)),
        ),
        (
            [(height(10), time(early)), (None, None)],
            Ok(LockTime::from_consensus(10)),
        ),
        (
            [(height(10), None), (None, time(late))],
            Err(Fault::LockTimeConflict),
        ),
    ];
    for (required, expected) in cases {
        let mut psbt = as_version_2(&mixed());
        for (input, (height, time)) in psbt.inputs.iter_mut().zip(required) {
            (input.min_height, input.min_time) = (height, time);
        }
        let found = read(&psbt.serialize()).map(|file| file.unsigned_transaction().lock_time);
        assert_eq!(found, expected.map_err(Error::from), "{required:?}");
    }
}

#[test]
fn an_absent_sequence_is_final() {
    let mut psbt = as_version_2(&mixed());
    psbt.inputs[1].sequence = None;
    let sequence = read_v2(&psbt).unsigned_transaction().input[1].sequence;
    assert_eq!(sequence, bitcoin::Sequence::MAX);
}

#[test]
fn the_count_is_not_believed() {
    // The field PSBT_GLOBAL_INPUT_COUNT: key length, type, value length, the value 4.
    let bytes = as_version_2(&mixed()).serialize();
    let position = bytes
        .windows(4)
        .position(|window| window == [1, 4, 1, 4])
        .expect("the count");
    let mut huge = bytes[..position + 2].to_vec();
    huge.extend([9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    huge.extend(&bytes[position + 4..]);
    assert_eq!(
        read(&huge).expect_err("too few inputs").code(),
        "could-not-parse"
    );
    let mut fewer = bytes;
    fewer[position + 3] = 3;
    assert_eq!(
        read(&fewer).expect_err("too many inputs").code(),
        "could-not-parse"
    );
}

#[test]
fn a_version_2_file_cut_anywhere_or_continued_is_refused() {
    let whole = as_version_2(&mixed()).serialize();
    for length in 5..whole.len() {
        assert_eq!(
            read(&whole[..length]).expect_err("cut").code(),
            "could-not-parse"
        );
    }
    let continued = [whole, vec![0]].concat();
    assert_eq!(read(&continued), Err(Fault::TrailingData.into()));
}

#[test]
fn the_version_field_decides() {
    // PSBT_GLOBAL_VERSION of a version 0 file, the first field of its global map.
    let with_version = |version: u32| {
        let bytes = mixed().serialize();
        let field = [&[1, 0xfb, 4][..], &version.to_le_bytes()].concat();
        read(&[&bytes[..5], &field, &bytes[5..]].concat())
    };
    assert_eq!(
        with_version(0).expect("version 0, stated").psbt_version,
        Some(0)
    );
    let malformed = |field, fault| {
        let map = Some(Map::Global);
        Err(Error::CouldNotParse(Malformed {
            map,
            field: Some(field),
            fault,
        }))
    };
    assert_eq!(
        with_version(1),
        malformed("PSBT_GLOBAL_VERSION", Fault::Version(1))
    );
    assert_eq!(
        with_version(2),
        malformed("PSBT_GLOBAL_UNSIGNED_TX", Fault::MixedVersions)
    );
}
