//! A field that is malformed is named, and so is the input or output that has it.

use bitcoin::Psbt;
use psbt_wasm::{Error, Fault, Malformed, Map, read};

use crate::fixtures::{P2PKH, mixed, simple};
use crate::maps::{self, Field};
use crate::version2::as_version_2;

/// Many inputs and two outputs, as maps: global, inputs, outputs.
fn maps() -> Vec<Vec<Field>> {
    let mut psbt = mixed();
    psbt.inputs[P2PKH].final_script_sig = None;
    maps::maps(&psbt.serialize()).expect("a PSBT")
}

/// What is said about these maps.
fn refused(maps: &[Vec<Field>]) -> Malformed {
    match read(&maps::write(maps)) {
        Err(Error::CouldNotParse(malformed)) => malformed,
        other => panic!("{other:?}"),
    }
}

/// The map of the last input.
const INPUT: usize = 4;

#[test]
fn a_field_that_is_there_twice_is_named() {
    let expected = |field| Malformed {
        map: Some(Map::Input(INPUT - 1)),
        field: Some(field),
        fault: Fault::Duplicate,
    };
    // The last input is spent with a witness UTXO.
    let utxo = (vec![0x01], [&[0; 8][..], &[1, 0x51]].concat());
    let mut twice = maps();
    twice[INPUT].insert(0, utxo);
    assert_eq!(refused(&twice), expected("PSBT_IN_WITNESS_UTXO"));
    // Among many, keys are compared in another way.
    let many = (0..20)
        .chain([7])
        .map(|subtype| vec![0xfc, 1, b'V', subtype]);
    let mut maps = maps();
    maps[INPUT].splice(0..0, many.map(|key| (key, Vec::new())));
    assert_eq!(refused(&maps), expected("PSBT_IN_PROPRIETARY"));
}

#[test]
fn a_missing_field_of_version_2_is_named() {
    let mut maps = maps::maps(&as_version_2(&mixed()).serialize()).expect("a PSBT");
    maps[1].retain(|(key, _)| key != &[0x0f]);
    let expected = Malformed {
        map: Some(Map::Input(0)),
        field: Some("PSBT_IN_OUTPUT_INDEX"),
        fault: Fault::Missing,
    };
    assert_eq!(refused(&maps), expected);
}

#[test]
fn one_malformed_field_among_ten_thousand_inputs_is_found_and_named() {
    let mut psbt = simple(10_000, 1);
    let (input, fields) = (psbt.unsigned_tx.input[0].clone(), psbt.inputs[0].clone());
    for vout in 1..10_000 {
        let mut input = input.clone();
        input.previous_output.vout = vout;
        psbt.unsigned_tx.input.push(input);
        psbt.inputs.push(fields.clone());
    }
    let whole = Psbt::deserialize(&psbt.serialize());
    assert_eq!(whole.expect("without the damage").inputs.len(), 10_000);
    let mut maps = maps::maps(&psbt.serialize()).expect("a PSBT");
    maps[9_001].push((vec![0x13], vec![7; 63]));
    let error = read(&maps::write(&maps)).expect_err("63 bytes are no signature");
    assert_eq!(error.input(), Some(9_000));
    assert_eq!(
        error.to_string(),
        "Invalid PSBT: Could not parse. Input 9001: PSBT_IN_TAP_KEY_SIG: It has an invalid signature."
    );
}
