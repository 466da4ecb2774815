//! Every row of the table, malformed in a file: what is said names the input or output, and the field.

use super::*;
use crate::{Error, Fault, Keys, decode};

/// How many inputs and outputs the files have; the last of each is the one with the malformed field.
const COUNT: usize = 3;

/// The maps of a well-formed file of this version: global, inputs, outputs. Without their ends.
fn maps(version: u8) -> Vec<Vec<u8>> {
    let count = u8::try_from(COUNT).expect("small");
    let amount = [1, 0, 0, 0, 0, 0, 0, 0];
    let mut global = Vec::new();
    let mut maps = vec![Vec::new(); 1 + 2 * COUNT];
    let (inputs, outputs) = maps[1..].split_at_mut(COUNT);
    if version == 0 {
        let mut transaction = vec![2, 0, 0, 0, count];
        for vout in 0..count {
            transaction.extend([&[7; 32][..], &[vout, 0, 0, 0], &[0], &[0xff; 4]].concat());
        }
        transaction.push(count);
        for _ in 0..count {
            transaction.extend([&amount[..], &[1, 0x51]].concat());
        }
        transaction.extend([0; 4]);
        put(&mut global, &[global::UNSIGNED_TX], &transaction);
    } else {
        put(&mut global, &[global::TX_VERSION], &[2, 0, 0, 0]);
        put(&mut global, &[global::INPUT_COUNT], &[count]);
        put(&mut global, &[global::OUTPUT_COUNT], &[count]);
        put(&mut global, &[global::VERSION], &[version, 0, 0, 0]);
        for (map, vout) in inputs.iter_mut().zip(0..) {
            put(map, &[input::PREVIOUS_TXID], &[7; 32]);
            put(map, &[input::OUTPUT_INDEX], &[vout, 0, 0, 0]);
        }
        for map in outputs {
            put(map, &[output::AMOUNT], &amount);
            put(map, &[output::SCRIPT], &[0x51]);
        }
    }
    maps[0] = global;
    maps
}

/// Appends a field.
fn put(map: &mut Vec<u8>, key: &[u8], value: &[u8]) {
    for part in [key, value] {
        map.push(u8::try_from(part.len()).expect("short"));
        map.extend(part);
    }
}

/// The place of a map in the file.
fn place(map: Map) -> usize {
    match map {
        Map::Global => 0,
        Map::Input(index) => 1 + index,
        Map::Output(index) => 1 + COUNT + index,
    }
}

/// Reads a file of this version in which these fields are the first of a map.
fn read(version: u8, map: Map, pairs: &[(&[u8], &[u8])]) -> Result<(), Error> {
    let mut maps = maps(version);
    let mut fields = Vec::new();
    for (key, value) in pairs {
        put(&mut fields, key, value);
    }
    maps[place(map)].splice(0..0, fields);
    read_maps(&maps)
}

fn read_maps(maps: &[Vec<u8>]) -> Result<(), Error> {
    let maps = maps.iter().map(|map| [map, &[0][..]].concat());
    let file = [b"psbt\xff".to_vec()].into_iter().chain(maps);
    let binary = decode(file.collect::<Vec<_>>().concat())?;
    binary.read(Keys::Form).map(drop)
}

/// The error for a file with these fields. Asserts that it names the map and the field.
fn refused(version: u8, map: Map, row: &Field, pairs: &[(&[u8], &[u8])]) -> Fault {
    named(map, row, read(version, map, pairs))
}

fn named(map: Map, row: &Field, read: Result<(), Error>) -> Fault {
    let Err(Error::CouldNotParse(malformed)) = read else {
        panic!("{}: {read:?}", row.name);
    };
    let found = (malformed.map, malformed.field);
    assert_eq!(found, (Some(map), Some(row.name)));
    let place = match map {
        Map::Global => String::new(),
        Map::Input(_) => format!("Input {COUNT}: "),
        Map::Output(_) => format!("Output {COUNT}: "),
    };
    let sentence = malformed.to_string();
    let start = format!("{place}{}: ", row.name);
    assert!(sentence.starts_with(&start), "{sentence}");
    malformed.fault
}

fn rows() -> impl Iterator<Item = (Map, &'static Field)> {
    let maps = [Map::Global, Map::Input(COUNT - 1), Map::Output(COUNT - 1)];
    maps.into_iter()
        .flat_map(|map| map.fields().rows.iter().map(move |row| (map, row)))
}

/// The x of the point that every key is a multiple of.
const X: [u8; 32] = [
    0x79, 0xbe, 0x66, 0x7e, 0xf9, 0xdc, 0xbb, 0xac, 0x55, 0xa0, 0x62, 0x95, 0xce, 0x87, 0x0b, 0x07,
    0x02, 0x9b, 0xfc, 0xdb, 0x2d, 0xce, 0x28, 0xd9, 0x59, 0xf2, 0x81, 0x5b, 0x16, 0xf8, 0x17, 0x98,
];

/// What may follow the number in the key of a field.
fn key_data(check: Check) -> Vec<u8> {
    match check {
        PartialSignature | Derivation => [&[2][..], &X].concat(),
        TapDerivation => X.to_vec(),
        TapScriptSignature => [X, [5; 32]].concat(),
        TapLeafScript => [&[0xc0][..], &X].concat(),
        _ => Vec::new(),
    }
}

#[test]
fn a_malformed_field_is_named_with_its_input_or_output() {
    for version in [0, 2] {
        assert_eq!(read(version, Map::Global, &[]), Ok(()), "nothing malformed");
    }
    for (map, row) in rows() {
        let version = if row.versions == Versions::Two { 2 } else { 0 };
        let key = [&[row.number][..], &key_data(row.check)].concat();
        let with = |fields: &[(&[u8], &[u8])]| refused(version, map, row, fields);
        match row.check {
            // Only being there twice is wrong with it.
            Anything => assert_eq!(with(&[(&key, &[]), (&key, &[])]), Fault::Duplicate),
            Bytes => {}
            _ => drop(with(&[(&key, &[])])),
        }
        if !row.check.has_key_data() {
            let fault = with(&[(&[row.number, 1], &[])]);
            assert_eq!(fault, Fault::Invalid("field key"));
        } else if row.check != Anything {
            with(&[(&[row.number], &[])]);
        }
    }
}

#[test]
fn a_field_that_the_file_ends_in_is_named_with_its_input_or_output() {
    for (map, row) in rows() {
        let mut maps = maps(if row.versions == Versions::Two { 2 } else { 0 });
        let is_global = map == Map::Global;
        // The field has a value of 200 bytes, of which less than that are left in the file.
        maps.truncate(place(map) + 1);
        let at = if is_global { maps[0].len() } else { 0 };
        maps[place(map)].splice(at.., [1, row.number, 200]);
        let fault = named(map, row, read_maps(&maps));
        assert_eq!(fault, Fault::Truncated);
    }
}

#[test]
fn a_field_of_the_other_version_is_named_with_its_input_or_output() {
    for (map, row) in rows() {
        let version = match row.versions {
            Versions::Both => continue,
            Versions::Zero => 2,
            Versions::Two => 0,
        };
        let fault = refused(version, map, row, &[(&[row.number], &[])]);
        assert_eq!(fault, Fault::MixedVersions);
    }
}

/// Whatever counts as private is not in the minimal file as it was.
#[test]
fn nothing_private_is_kept() {
    for fields in [&global::FIELDS, &input::FIELDS, &output::FIELDS] {
        for row in fields.rows {
            let kept = row.stripping == Stripping::Kept;
            assert!(!kept || row.private == Private::No, "{}", row.name);
        }
    }
    let unknown = output::FIELDS.numbered(0x77);
    assert_eq!(unknown.name, "unknown field");
    assert_eq!(unknown.stripping, Stripping::Dropped);
}
