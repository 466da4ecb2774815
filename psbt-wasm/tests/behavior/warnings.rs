//! Warnings: what the person who chose the file should check.

use bitcoin::sighash::EcdsaSighashType;
use bitcoin::{Psbt, Sequence};
use psbt_wasm::{Network, Warning, WarningCode};

use crate::fixtures::{P2PKH, P2WPKH, mixed, simple};
use crate::reports::report_of;

/// 2026-01-01, at which mainnet is estimated to be at about block 934,000.
const NOW: u32 = 1_767_225_600;

fn warnings(psbt: &Psbt, network: Network) -> Vec<Warning> {
    report_of(&psbt.serialize(), network).warnings(NOW)
}

fn one(psbt: &Psbt, code: WarningCode) -> Option<(String, Vec<usize>)> {
    let mut warnings = warnings(psbt, Network::Mainnet);
    warnings.retain(|warning| warning.code == code);
    assert!(warnings.len() < 2, "{warnings:?}");
    let warning = warnings.pop()?;
    Some((warning.message, warning.inputs))
}

#[test]
fn inputs_to_look_at_twice_are_counted_and_named() {
    type Change = fn(&mut Psbt);
    let cases: [(WarningCode, Change, &str, usize); 3] = [
        (WarningCode::UnsignedInput, |_| {}, "Not signed: ", P2PKH),
        (
            WarningCode::SighashNotAll,
            |psbt| psbt.inputs[P2WPKH].sighash_type = Some(EcdsaSighashType::None.into()),
            "Signatures that leave parts of the transaction open: ",
            P2WPKH,
        ),
        (
            WarningCode::UnknownValue,
            |psbt| psbt.inputs[P2WPKH].witness_utxo = None,
            "The file does not state the value of ",
            P2WPKH,
        ),
    ];
    for (code, change, start, input) in cases {
        let mut psbt = mixed();
        assert_eq!(
            one(&psbt, code).is_some(),
            code == WarningCode::UnsignedInput
        );
        change(&mut psbt);
        let message = format!("{start}1 of 4 inputs.");
        assert_eq!(one(&psbt, code), Some((message, vec![input])));
    }
}

#[test]
fn a_fee_above_a_twentieth_of_the_inputs_and_ten_thousand_sats_is_warned_of() {
    let fee = |inputs, outputs| one(&simple(inputs, outputs), WarningCode::HighFee);
    let message = "The fee of 10001 sats is more than 5 % of what is spent.";
    assert_eq!(fee(200_019, 190_018), Some((message.into(), Vec::new())));
    assert_eq!(fee(200_020, 190_019), None, "exactly 5 %");
    assert_eq!(fee(20_000, 10_000), None, "exactly 10,000 sats");
    assert!(fee(2_100_000_000_000_000, 1).is_some());
}

#[test]
fn a_lock_time_in_the_future_is_warned_of() {
    let locked = |lock_time: u32, network| {
        let mut psbt = simple(100_000, 99_000);
        psbt.unsigned_tx.lock_time = bitcoin::absolute::LockTime::from_consensus(lock_time);
        let mut warnings = warnings(&psbt, network);
        warnings.retain(|warning| warning.code == WarningCode::LockTime);
        warnings.pop().map(|warning| warning.message)
    };
    let still = psbt_wasm::statement::LOCK_TIME;
    let cases = [
        (1_000_000, Network::Mainnet, Some("block 1000000")),
        (1_000_000, Network::Regtest, None),
        (930_000, Network::Mainnet, None),
        (
            2_000_000_000,
            Network::Regtest,
            Some("2033-05-18T03:33:20Z"),
        ),
        (NOW, Network::Mainnet, None),
        (0, Network::Mainnet, None),
        // The lock of a still transaction is what keeps it safe.
        (still, Network::Mainnet, None),
        (still + 1, Network::Mainnet, Some("block 452038931")),
    ];
    for (lock_time, network, moment) in cases {
        let expected = moment.map(|at| format!("The transaction cannot be mined before {at}."));
        assert_eq!(locked(lock_time, network), expected, "{lock_time}");
    }

    let mut turned_off = simple(100_000, 99_000);
    turned_off.unsigned_tx.lock_time = bitcoin::absolute::LockTime::from_consensus(2_000_000_000);
    turned_off.unsigned_tx.input[0].sequence = Sequence::MAX;
    assert_eq!(one(&turned_off, WarningCode::LockTime), None);
}
