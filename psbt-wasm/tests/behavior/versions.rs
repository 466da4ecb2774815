//! Which version a file is of. What files of version 2 (BIP-0370) say: `tests/differential`.

use psbt_wasm::{Error, Fault, Malformed, Map, read};

use crate::fixtures::mixed;

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
