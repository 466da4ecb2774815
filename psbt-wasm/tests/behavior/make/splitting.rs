//! Files of a few scripts each, for devices that take no more.

use std::collections::HashSet;

use super::*;

/// 25 scripts with two coins each, the second ones after all first ones.
fn pairs() -> Psbt {
    let mut file = file(&[Kind::P2wpkh], 50);
    for at in 25..50 {
        let script = spent(&file)[at - 25].1.script_pubkey.clone();
        set_coin(&mut file, at, |coin| coin.script_pubkey = script);
    }
    file
}

fn split(form: Form, scripts: usize, part: usize) -> (MadeProof, Psbt) {
    let options = MakeOptions {
        split: Some(scripts),
        part,
        ..options(form)
    };
    made_with(&pairs().serialize(), &options)
}

#[test]
fn parts_have_all_coins_between_them_and_each_script_in_one_part() {
    for form in Form::ALL {
        let mut scripts = HashSet::new();
        let mut coins = HashSet::new();
        for (part, expected) in [(20, 10), (20, 10), (10, 5)].into_iter().enumerate() {
            let (made, proof) = split(form, 10, part);
            assert_eq!((made.inputs, made.scripts), expected);
            assert_eq!(made.parts, 3);
            assert_eq!(made.amount_sats, 100_000 * expected.0 as u64);
            let own = spent(&proof).split_off(proof.inputs.len() - made.inputs);
            let of_part: HashSet<_> = own.iter().map(|(_, it)| it.script_pubkey.clone()).collect();
            assert_eq!(of_part.len(), made.scripts);
            for script in of_part {
                assert!(scripts.insert(script), "in two parts");
            }
            coins.extend(own);
        }
        assert_eq!(coins, spent(&pairs()).into_iter().collect());
    }
}

#[test]
fn one_part_is_the_whole_file() {
    let whole = made_with(&pairs().serialize(), &options(Form::Transaction));
    for scripts in [25, 26, usize::MAX] {
        assert_eq!(split(Form::Transaction, scripts, 0), whole);
    }
}

/// Notes count the inputs of the file that the wallet gave.
#[test]
fn notes_name_the_inputs_of_the_file_that_was_split() {
    let (made, _) = split(Form::Message, 10, 2);
    let named: Vec<_> = made.notes.iter().filter_map(|note| note.input).collect();
    assert_eq!(named, [45, 46, 47, 48, 49]);
    assert!(made.notes[0].message.starts_with("Input 46 comes without"));
}
