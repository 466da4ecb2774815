//! Types of fields that Bitcoin Core does not read: found by `inspect`, and in nothing that is written.

use psbt_wasm::{Inspection, inspect};

use super::maps::{Field, maps, write};
use super::*;

/// Keys, the types that they name, and what follows the type.
const WRONG: [(&[u8], Option<u64>, &[u8]); 10] = [
    (&[0xfd], None, &[]),
    (&[0xfd, 0x63], None, &[]),
    (&[0xfe, 1, 0, 0], None, &[]),
    (&[0xff, 1, 2, 3, 4, 5, 6, 7], None, &[]),
    (&[0xfd, 1, 0, 7], Some(1), &[7]),
    (&[0xfd, 0xfc, 0], Some(0xfc), &[]),
    (&[0xfe, 0xff, 0xff, 0, 0, 7], Some(0xffff), &[7]),
    (&[0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 1], Some(255), &[1]),
    (
        &[0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
        Some(0xffff_ffff),
        &[],
    ),
    // Bitcoin Core's limit for lengths also limits types.
    (&[0xfe, 1, 0, 0, 2], Some(0x0200_0001), &[]),
];

/// A vendor's own type is one as well.
const WRONG_SUBTYPES: [&[u8]; 3] = [
    &[0xfc, 1, b'v', 0xfd, 1, 0],
    &[0xfc, 1, b'v', 0xfd, 1],
    &[0xfc, 1, b'v', 0xff, 1, 0, 0, 0, 0, 0, 0, 0],
];

const RIGHT: [&[u8]; 5] = [
    &[0xfd, 0xfd, 0],
    &[0xfd, 0xff, 0xff, 7],
    &[0xfe, 0, 0, 1, 0],
    &[0xfe, 0, 0, 0, 2],
    &[0xfc, 1, b'v', 0xfd, 0xfd, 0, 9],
];

/// A file with a field of this key in each map of one kind: global, input or output.
fn with(map: usize, key: &[u8]) -> Vec<u8> {
    let mut maps = maps(&simple(1_000, 900).serialize()).expect("a PSBT");
    maps[map].push((key.to_vec(), vec![1, 0]));
    write(&maps)
}

fn inspected(bytes: &[u8]) -> Inspection {
    inspect(bytes, Network::Mainnet, false).expect("a PSBT")
}

/// Whether the report warns of such a field: wallets have written them, so the file is read.
pub(super) fn is_warned_of(bytes: &[u8]) -> bool {
    let warnings = report_of(bytes, Network::Mainnet).warnings(0);
    warnings.iter().any(|it| it.code == WarningCode::FieldType)
}

pub(super) fn has(bytes: &[u8], key: &[u8]) -> bool {
    let maps = maps(bytes).expect("a PSBT");
    let mut fields: Vec<&Field> = maps.iter().flatten().collect();
    fields.retain(|(own, _)| own == key);
    !fields.is_empty()
}

#[test]
fn inspect_names_them_with_their_place() {
    let places = [Map::Global, Map::Input(0), Map::Output(0)];
    for (at, place) in places.into_iter().enumerate() {
        for (key, number, key_data) in WRONG {
            let bytes = with(at, key);
            assert!(is_warned_of(&bytes), "{key:x?}");
            let found = inspected(&bytes);
            let [problem] = &found.problems[..] else {
                panic!("{key:x?}: {:?}", found.problems)
            };
            assert_eq!(problem.map, Some(place), "{key:x?}");
            let says = number.map_or("cut short".to_owned(), |number| format!("is {number},"));
            assert!(problem.message.contains(&says), "{}", problem.message);
            let field = found
                .fields
                .iter()
                .find(|field| field.name == "unknown field");
            let field = field.expect("listed");
            let key_data = number.map_or(&key[1..], |_| key_data);
            assert_eq!((field.number, &field.key_data[..]), (number, key_data));
        }
        for key in WRONG_SUBTYPES {
            assert!(is_warned_of(&with(at, key)), "{key:x?}");
            let problems = inspected(&with(at, key)).problems;
            assert!(
                problems
                    .iter()
                    .any(|problem| problem.message.contains("Its type")),
                "{key:x?}"
            );
        }
        for key in RIGHT {
            assert_eq!(inspected(&with(at, key)).problems, [], "{key:x?}");
            assert!(!is_warned_of(&with(at, key)), "{key:x?}");
        }
    }
}

#[test]
fn no_written_file_has_unknown_field_types() {
    let wrong = WRONG.iter().map(|(key, ..)| *key);
    for key in wrong.chain(WRONG_SUBTYPES) {
        for map in 0..3 {
            let bytes = with(map, key);
            let combined = combine(&[&bytes, &bytes]).expect("combined").psbt;
            assert!(has(&bytes, key) && !has(&combined, key), "{key:x?}");
            assert!(!has(&strip(&bytes).expect("stripped"), key));
            let made = make_proof(&bytes, &MakeOptions::new("A line", Form::Transaction));
            assert!(!has(&made.expect("made").psbt, key));
        }
    }
    for key in RIGHT {
        let bytes = with(1, key);
        let combined = combine(&[&bytes]).expect("combined").psbt;
        assert!(has(&combined, key), "{key:x?}");
    }
}
