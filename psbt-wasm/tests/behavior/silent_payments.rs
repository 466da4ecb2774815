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

/// A file of version 2 with one coin of 1,000 sats and one output of so many.
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
