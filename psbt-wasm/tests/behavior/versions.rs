//! Version 2 (BIP-0370): written by the crate `psbt-v2`, read by us, and equal to version 0.

use psbt_wasm::{Content, Error, Fault, Malformed, Map, Network, read};

use crate::fixtures::mixed;
use crate::reports::report_of;
use crate::version2::as_version_2;

#[test]
fn both_versions_of_a_file_are_one() {
    let psbt = mixed();
    let (old, new) = (
        read(&psbt.serialize()).expect("well-formed"),
        read(&as_version_2(&psbt).serialize()).expect("well-formed"),
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
