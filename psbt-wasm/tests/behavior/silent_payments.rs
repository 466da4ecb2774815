//! Files that pay silent payment addresses (BIP-0375), also before their scripts are computed.

use super::maps::{Field, write};
use super::*;

/// The keys and the address of the first test vector of BIP-0352.
const KEYS: &str = "0220bcfac5b99e04ad1a06ddfb016ee13582609d60b6291e98d01a9bc9a16c96d4\
                    025cc9856d6f8375350e123978daac200c260cb5b5ae83106cab90484dcd8fcf36";
const ADDRESS: &str = "sp1qqgste7k9hx0qftg6qmwlkqtwuy6cycyavzmzj85c6qdfhjdpdjtdgqjuexzk6murw56suy3e0rd2cgqvycxttddwsvgxe2usfpxumr70xc9pkqwv";

fn field(number: u8, value: &[u8]) -> Field {
    (vec![number], value.to_vec())
}

/// A file of version 2 with one coin of 1,000 sats and one output of this many sats.
fn file(sats: u64, output: &[Field]) -> Vec<u8> {
    let coin = [&1_000_u64.to_le_bytes()[..], &[22, 0, 20], &[7; 20]].concat();
    let global = vec![
        field(0x02, &[2, 0, 0, 0]),
        field(0x04, &[1]),
        field(0x05, &[1]),
        field(0xfb, &[2, 0, 0, 0]),
    ];
    let input = [(0x01, &coin[..]), (0x0e, &[1; 32]), (0x0f, &[0; 4])];
    let input = input.map(|(number, value)| field(number, value)).to_vec();
    let output = [&[field(0x03, &sats.to_le_bytes())], output].concat();
    write(&[global, input, output])
}

fn keys() -> Vec<u8> {
    Vec::from_hex(KEYS).expect("hex")
}

#[test]
fn an_output_without_a_script_yet_is_described_and_nothing_else() {
    let bytes = file(900, &[field(0x09, &keys()), field(0x0a, &[3, 0, 0, 0])]);
    let binary = decode(&bytes).expect("a PSBT");
    let found = binary.read_in_progress(Keys::Curve).expect("in progress");
    let report = found.report(Network::Mainnet).expect("amounts that can be");
    let [payment] = report.silent_payments else {
        panic!("one payment")
    };
    assert_eq!((payment.output, payment.label), (0, Some(3)));
    assert_eq!(report.silent_address(payment), ADDRESS);
    assert_eq!(report.fee_sats, Some(100));
    // As a taproot output: 10 + 41 + 9 + 34 bytes, and the witness of P2WPKH.
    assert_eq!(report.weight, Some(4 * 94 + 2 + 108));

    let missing = malformed(Map::Output(0), "PSBT_OUT_SCRIPT", Fault::Missing);
    assert_eq!(strip(&bytes), Err(Error::from(missing)));
    assert_eq!(read(&bytes).err(), Some(missing.into()));
}

#[test]
fn inputs_may_be_missing_only_in_progress() {
    let script = field(0x04, &[[0x51, 0x20].as_slice(), &[7; 32]].concat());
    let paid = file(1_001, &[script.clone(), field(0x09, &keys())]);
    let binary = decode(&paid).expect("a PSBT");
    let found = binary.read_in_progress(Keys::Form).expect("well-formed");
    let report = found.report(Network::Mainnet).expect("in progress");
    assert_eq!((report.fee_sats, report.silent_payments.len()), (None, 1));
    let whole = binary.read(Keys::Form).expect("well-formed");
    let refused = Some(Error::OutputsAboveInputs);
    assert_eq!(whole.report(Network::Mainnet).err(), refused);
    // Without the address, the output is an ordinary one.
    let ordinary = file(1_001, &[script]);
    let ordinary = decode(&ordinary).expect("a PSBT");
    let found = ordinary.read_in_progress(Keys::Form).expect("well-formed");
    assert_eq!(found.report(Network::Mainnet).err(), refused);
}

#[test]
fn half_an_address_is_none() {
    let bytes = file(900, &[field(0x09, &keys()[..65])]);
    let binary = decode(&bytes).expect("a PSBT");
    assert!(binary.read_in_progress(Keys::Form).is_err());
}

#[test]
fn a_stripped_file_in_which_inputs_are_missing_can_be_read() {
    let script = field(0x04, &[[0x51, 0x20].as_slice(), &[7; 32]].concat());
    for (sats, stays) in [(1_001, true), (900, false)] {
        let bytes = file(
            sats,
            &[
                script.clone(),
                field(0x09, &keys()),
                field(0x0a, &[3, 0, 0, 0]),
            ],
        );
        let stripped = strip(&bytes).expect("stripped");
        let binary = decode(&stripped).expect("a PSBT");
        let found = binary.read_in_progress(Keys::Form).expect("well-formed");
        let report = found.report(Network::Mainnet).expect("in progress");
        assert_eq!(report.silent_payments.len(), usize::from(stays));
    }
}

/// Stripping twice changes nothing more: values that only a previous transaction states are gone after the first time.
#[test]
fn addresses_stay_in_a_stripped_file_only_where_it_would_be_impossible_without() {
    let script = field(0x04, &[[0x51, 0x20].as_slice(), &[7; 32]].concat());
    let half = file(1_001, &[script.clone(), field(0x09, &keys()[..65])]);
    let whole = file(1_001, &[script, field(0x09, &keys())]);
    let mut previous_alone = maps::maps(&whole).expect("a PSBT");
    let previous = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: vec![TxIn::default()],
        output: vec![TxOut {
            value: Amount::from_sat(1_000),
            script_pubkey: ScriptBuf::new(),
        }],
    };
    previous_alone[1] = vec![
        field(0x00, &serialize(&previous)),
        field(0x0e, previous.compute_txid().as_byte_array()),
        field(0x0f, &[0; 4]),
    ];
    let mut with_half = maps::maps(&whole).expect("a PSBT");
    with_half[0][2] = field(0x05, &[2]);
    let output = maps::maps(&half).expect("a PSBT").swap_remove(2);
    with_half.push(output);
    for (bytes, kept) in [
        (half, 0),
        (write(&previous_alone), 0),
        (write(&with_half), 1),
    ] {
        let stripped = strip(&bytes).expect("stripped");
        assert_eq!(strip(&stripped).as_ref(), Ok(&stripped));
        let maps = maps::maps(&stripped).expect("a PSBT");
        let addresses = maps[2..].iter().flatten().filter(|(key, _)| *key == [0x09]);
        assert_eq!(addresses.count(), kept);
    }
}

fn problems(bytes: &[u8]) -> Vec<(Option<Map>, Option<&'static str>)> {
    let found = psbt_wasm::inspect(bytes, Network::Mainnet, false).expect("a PSBT");
    let problems = found.problems.into_iter();
    problems
        .map(|problem| (problem.map, problem.field))
        .collect()
}

/// The complete file of BIP-0375, with fields added or changed in the global map, the input and the output.
fn computed(global: &[Field], input: &[Field], output: &[Field]) -> Vec<u8> {
    let script = field(0x04, &[[0x51, 0x20].as_slice(), &[7; 32]].concat());
    let bytes = file(900, &[script, field(0x09, &keys())]);
    let mut maps = maps::maps(&bytes).expect("a PSBT");
    for (map, fields) in maps.iter_mut().zip([global, input, output]) {
        map.retain(|(key, _)| fields.iter().all(|(other, _)| key != other));
        map.extend_from_slice(fields);
    }
    write(&maps)
}

fn of_scan_key(number: u8, value: &[u8]) -> Field {
    ([&[number], &keys()[..33]].concat(), value.to_vec())
}

#[test]
fn each_rule_of_the_structure_is_named_where_it_is_broken() {
    let share = [
        of_scan_key(0x1d, &keys()[..33]),
        of_scan_key(0x1e, &[7; 64]),
    ];
    let derivation = ([&[0x06], &keys()[33..]].concat(), vec![0; 4]);
    let whole = [&share[..], &[derivation]].concat();
    // The structure is right; the proof and the script are not those of these keys.
    let of_keys = [
        (Some(Map::Input(0)), Some("PSBT_IN_SP_DLEQ")),
        (Some(Map::Output(0)), Some("PSBT_OUT_SCRIPT")),
    ];
    assert_eq!(problems(&computed(&[], &whole, &[])), of_keys);
    let shared = [
        of_scan_key(0x07, &keys()[..33]),
        of_scan_key(0x08, &[7; 64]),
    ];
    assert_eq!(problems(&computed(&shared, &[], &[])), []);
    let (global, input, output) = (Map::Global, Map::Input(0), Map::Output(0));
    let future = [&1_000_u64.to_le_bytes()[..], &[4, 0x52, 2, 7, 7]].concat();
    let with_sighash = [&whole[..], &[field(0x03, &[2, 0, 0, 0])]].concat();
    let label = [field(0x0a, &[1, 0, 0, 0])];
    for (file, map, name) in [
        (computed(&[], &[], &[]), input, "PSBT_IN_SP_ECDH_SHARE"),
        (computed(&[], &share[..1], &[]), input, "PSBT_IN_SP_DLEQ"),
        (
            computed(&shared[..1], &[], &[]),
            global,
            "PSBT_GLOBAL_SP_DLEQ",
        ),
        (
            computed(&[], &share, &[]),
            input,
            "PSBT_IN_BIP32_DERIVATION",
        ),
        (
            computed(&[], &with_sighash, &[]),
            input,
            "PSBT_IN_SIGHASH_TYPE",
        ),
        (
            computed(&[field(0x06, &[1])], &whole, &[]),
            global,
            "PSBT_GLOBAL_TX_MODIFIABLE",
        ),
        (
            computed(&shared, &[field(0x01, &future)], &[]),
            input,
            "PSBT_IN_WITNESS_UTXO",
        ),
    ] {
        let found = problems(&file);
        assert!(
            found.contains(&(Some(map), Some(name))),
            "{name}: {found:?}"
        );
    }
    let script = field(0x04, &[0x51]);
    let ordinary = self::file(900, &[vec![script], label.to_vec()].concat());
    assert_eq!(
        problems(&ordinary),
        [(Some(output), Some("PSBT_OUT_SP_V0_INFO"))]
    );
}

/// BIP-0375's own vectors. "'checks' overrides the validation sequence": such a file is right or wrong
/// by this check alone.
#[test]
fn invalid_vectors_have_problems_and_valid_ones_have_none() {
    let Some(vectors) = vectors::file("bips/bip-0375_bip375_test_vectors.json") else {
        return;
    };
    for (list, is_valid) in [("invalid", false), ("valid", true)] {
        for vector in vectors[list].as_array().expect("a list") {
            let what = vector["description"].as_str().expect("text");
            let psbt = vector["psbt"].as_str().expect("base64");
            let mut found = problems(psbt.as_bytes());
            if let Some(checks) = vector.get("checks") {
                assert_eq!(*checks, json!(["input_eligibility"]));
                let of_check = ["PSBT_IN_WITNESS_UTXO", "PSBT_IN_SIGHASH_TYPE"];
                found.retain(|(_, name)| name.is_some_and(|name| of_check.contains(&name)));
            }
            assert_eq!(found.is_empty(), is_valid, "{what}: {found:?}");
        }
    }
}
