//! Files of a few scripts each, for devices that take no more.

use std::collections::HashSet;

use bitcoin::Psbt;
use psbt_wasm::{Form, MakeOptions};

use crate::kind::Kind;
use crate::scene::{STATEMENT, file, made_with, set_coin, spent};

/// 25 scripts with two coins each, the second ones after all first ones.
fn pairs() -> Psbt {
    let mut file = file(&[Kind::P2wpkh], 50);
    for at in 25..50 {
        let script = spent(&file)[at - 25].1.script_pubkey.clone();
        set_coin(&mut file, at, |coin| coin.script_pubkey = script);
    }
    file
}

#[test]
fn parts_have_all_coins_between_them_and_each_script_in_one_part() {
    let file = pairs();
    let bytes = file.serialize();
    for form in Form::ALL {
        let mut options = MakeOptions {
            split: Some(10),
            ..MakeOptions::new(STATEMENT, form)
        };
        let mut scripts = HashSet::new();
        let mut coins = Vec::new();
        let mut counts = Vec::new();
        for part in 0..3 {
            options.part = part;
            let (made, proof) = made_with(&bytes, &options);
            assert_eq!(made.parts, 3);
            counts.push((made.inputs, made.scripts, made.amount_sats));
            let own = spent(&proof);
            let own = &own[own.len() - made.inputs..];
            let mut of_part: HashSet<_> = own
                .iter()
                .map(|(_, output)| output.script_pubkey.clone())
                .collect();
            assert_eq!(of_part.len(), made.scripts);
            for script in of_part.drain() {
                assert!(scripts.insert(script), "in two parts");
            }
            coins.extend(own.to_vec());
        }
        assert_eq!(
            counts,
            [(20, 10, 2_000_000), (20, 10, 2_000_000), (10, 5, 1_000_000)]
        );
        let all: HashSet<_> = coins.into_iter().collect();
        assert_eq!(all, spent(&file).into_iter().collect());
    }
}

#[test]
fn one_part_is_the_whole_file() {
    let bytes = pairs().serialize();
    let whole = MakeOptions::new(STATEMENT, Form::Transaction);
    for split in [25, 26, usize::MAX] {
        let options = MakeOptions {
            split: Some(split),
            ..whole
        };
        assert_eq!(made_with(&bytes, &options), made_with(&bytes, &whole));
    }
}

/// Notes count the inputs of the file that the wallet gave.
#[test]
fn notes_name_the_inputs_of_the_file_that_was_split() {
    let options = MakeOptions {
        split: Some(10),
        part: 2,
        ..MakeOptions::new(STATEMENT, Form::Message)
    };
    let (made, _) = made_with(&pairs().serialize(), &options);
    let named: Vec<_> = made.notes.iter().filter_map(|note| note.input).collect();
    assert_eq!(named, [45, 46, 47, 48, 49]);
    assert!(made.notes[0].message.starts_with("Input 46 comes without"));
}
