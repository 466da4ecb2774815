//! A field that is malformed is named, and so is the input or output that has it. And which version a file is of; what files of version 2
//! (BIP-0370) say: `differential`.

use super::maps::{Field, maps, write};
use super::*;

pub(crate) fn malformed(map: Map, field: &'static str, fault: Fault) -> Malformed {
    let (map, field) = (Some(map), Some(field));
    Malformed { map, field, fault }
}

/// The maps of a file with many inputs and two outputs.
fn many() -> Vec<Vec<Field>> {
    let mut psbt = mixed();
    psbt.inputs[P2PKH].final_script_sig = None;
    maps(&psbt.serialize()).expect("a PSBT")
}

/// The error for a file with these maps.
fn refused(maps: &[Vec<Field>]) -> Malformed {
    match read(&write(maps)) {
        Err(Error::CouldNotParse(malformed)) => malformed,
        other => panic!("{other:?}"),
    }
}

/// The map of the last input.
const INPUT: usize = 4;

#[test]
fn a_field_that_is_there_twice_is_named() {
    let twice = |field| malformed(Map::Input(INPUT - 1), field, Fault::Duplicate);
    // The last input is spent with a witness UTXO.
    let utxo = (vec![0x01], [&[0; 8][..], &[1, 0x51]].concat());
    let mut maps = many();
    maps[INPUT].insert(0, utxo);
    assert_eq!(refused(&maps), twice("PSBT_IN_WITNESS_UTXO"));
    // With many fields, keys are compared by another algorithm.
    let proprietary = |subtype| (vec![0xfc, 1, b'V', subtype], Vec::new());
    let mut maps = many();
    maps[INPUT].splice(0..0, (0..20).chain([7]).map(proprietary));
    assert_eq!(refused(&maps), twice("PSBT_IN_PROPRIETARY"));
}

#[test]
fn a_missing_field_of_version_2_is_named() {
    let mut maps = maps(&as_version_2(&mixed()).serialize()).expect("a PSBT");
    maps[1].retain(|(key, _)| key != &[0x0f]);
    let expected = malformed(Map::Input(0), "PSBT_IN_OUTPUT_INDEX", Fault::Missing);
    assert_eq!(refused(&maps), expected);
}

#[test]
fn one_malformed_field_among_ten_thousand_inputs_is_found_and_named() {
    let mut psbt = simple(10_000, 1);
    psbt.inputs = vec![psbt.inputs[0].clone(); 10_000];
    psbt.unsigned_tx.input = vec![psbt.unsigned_tx.input[0].clone(); 10_000];
    for (vout, input) in (0..).zip(&mut psbt.unsigned_tx.input) {
        input.previous_output.vout = vout;
    }
    let whole = Psbt::deserialize(&psbt.serialize());
    assert_eq!(whole.expect("without the damage").inputs.len(), 10_000);
    let mut maps = maps(&psbt.serialize()).expect("a PSBT");
    maps[9_001].push((vec![0x13], vec![7; 63]));
    let error = read(&write(&maps)).expect_err("63 bytes are no signature");
    assert_eq!(error.input(), Some(9_000));
    assert_eq!(
        error.to_string(),
        "Invalid PSBT: Could not parse. Input 9001: PSBT_IN_TAP_KEY_SIG: It has an invalid signature."
    );
}

#[test]
fn the_version_field_decides() {
    // PSBT_GLOBAL_VERSION of a version 0 file, the first field of its global map.
    let with_version = |version: u32| {
        let mut maps = many();
        let value = version.to_le_bytes().to_vec();
        maps[0].insert(0, (vec![0xfb], value));
        maps
    };
    let stated = read(&write(&with_version(0))).expect("version 0, stated");
    assert_eq!(stated.psbt_version, Some(0));
    for (version, field, fault) in [
        (1, "PSBT_GLOBAL_VERSION", Fault::Version(1)),
        (2, "PSBT_GLOBAL_UNSIGNED_TX", Fault::MixedVersions),
    ] {
        let expected = malformed(Map::Global, field, fault);
        assert_eq!(refused(&with_version(version)), expected);
    }
}
