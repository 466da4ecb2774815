//! A field that is malformed is named, and so is the input or output that has it.

use bitcoin::Psbt;
use psbt_wasm::{Error, Fault, Malformed, Map, read};

use crate::fixtures::{P2PKH, mixed, simple};
use crate::version2::as_version_2;

/// Many inputs and two outputs, as the bytes of maps: global, inputs, outputs.
fn maps() -> Vec<Vec<u8>> {
    let mut psbt = mixed();
    psbt.inputs[P2PKH].final_script_sig = None;
    let mut global = psbt.serialize();
    let mut maps = Vec::new();
    for _ in 0..=psbt.inputs.len() + psbt.outputs.len() {
        let start = if maps.is_empty() { 5 } else { 0 };
        let end = start + length_of_map(&global[start..]);
        maps.push(global.drain(..end).collect());
    }
    assert!(global.is_empty());
    maps
}

/// With the zero byte at its end. Keys are below 0xfd bytes here, and values below 0x10000.
fn length_of_map(bytes: &[u8]) -> usize {
    let mut at = 0;
    let mut length = || {
        let first = usize::from(bytes[at]);
        at += 1;
        let length = match first {
            0xfd => {
                at += 2;
                usize::from(u16::from_le_bytes([bytes[at - 2], bytes[at - 1]]))
            }
            small => small,
        };
        at += length;
        length
    };
    while length() > 0 {
        length();
    }
    at
}

/// What is said about a file after a field has been put at the start of one of its maps.
fn refused(map: usize, key: &[u8], value: &[u8]) -> Malformed {
    let mut maps = maps();
    let after_magic = if map == 0 { 5 } else { 0 };
    let lengths = [key.len(), value.len()].map(|length| u8::try_from(length).expect("short"));
    let field = [&lengths[..1], key, &lengths[1..], value].concat();
    maps[map].splice(after_magic..after_magic, field);
    match read(&maps.concat()) {
        Err(Error::CouldNotParse(malformed)) => malformed,
        other => panic!("{key:02x?}: {other:?}"),
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
    let utxo = [&[0; 8][..], &[1, 0x51]].concat();
    assert_eq!(
        refused(INPUT, &[0x01], &utxo),
        expected("PSBT_IN_WITNESS_UTXO")
    );
    // Among many, keys are compared in another way.
    let many = (0..20)
        .chain([7])
        .flat_map(|subtype| [4, 0xfc, 1, b'V', subtype, 0]);
    let mut maps = maps();
    maps[INPUT].splice(0..0, many);
    assert_eq!(
        read(&maps.concat()),
        Err(Error::CouldNotParse(expected("PSBT_IN_PROPRIETARY")))
    );
}

#[test]
fn a_missing_field_of_version_2_is_named() {
    let whole = as_version_2(&mixed());
    let bytes = whole.serialize();
    // PSBT_IN_OUTPUT_INDEX of the first input, which is 7.
    let field = [1, 0x0f, 4, 7, 0, 0, 0];
    let at = bytes.windows(field.len()).position(|place| place == field);
    let at = at.expect("the field");
    let without = [&bytes[..at], &bytes[at + field.len()..]].concat();
    let expected = Malformed {
        map: Some(Map::Input(0)),
        field: Some("PSBT_IN_OUTPUT_INDEX"),
        fault: Fault::Missing,
    };
    assert_eq!(read(&without), Err(Error::CouldNotParse(expected)));
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
    psbt.inputs[9_000].tap_key_sig = Some(crate::fixtures::key(1).schnorr());
    let mut bytes = psbt.serialize();
    let field = [1, 0x13, 64];
    let at = bytes.windows(3).position(|place| place == field);
    bytes[at.expect("the signature") + 2] -= 1;
    let at = at.expect("the signature") + 3;
    bytes.remove(at);
    let error = read(&bytes).expect_err("63 bytes are no signature");
    assert_eq!(error.input(), Some(9_000));
    assert_eq!(
        error.to_string(),
        "Invalid PSBT: Could not parse. Input 9001: PSBT_IN_TAP_KEY_SIG: It has an invalid signature."
    );
    let whole = Psbt::deserialize(&psbt.serialize());
    assert_eq!(whole.expect("without the damage").inputs.len(), 10_000);
}
