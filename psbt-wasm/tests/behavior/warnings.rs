//! Warnings: what the person who chose the file should check.

use super::*;

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
    use WarningCode::{SighashNotAll, UnknownValue, UnsignedInput};
    type Change = fn(&mut Psbt);
    let nothing: Change = |_| {};
    let open: Change = |it| it.inputs[P2WPKH].sighash_type = Some(EcdsaSighashType::None.into());
    let no_value: Change = |it| it.inputs[P2WPKH].witness_utxo = None;
    let is_open = "Signatures that leave parts of the transaction open: ";
    let no_value_of = "The file does not state the value of ";
    for (code, change, start, input) in [
        (UnsignedInput, nothing, "Not signed: ", P2PKH),
        (SighashNotAll, open, is_open, P2WPKH),
        (UnknownValue, no_value, no_value_of, P2WPKH),
    ] {
        let mut psbt = mixed();
        let is_unsigned = code == WarningCode::UnsignedInput;
        assert_eq!(one(&psbt, code).is_some(), is_unsigned);
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
    let locked = |lock_time, sequence| {
        let mut psbt = simple(100_000, 99_000);
        psbt.unsigned_tx.lock_time = LockTime::from_consensus(lock_time);
        psbt.unsigned_tx.input[0].sequence = sequence;
        psbt
    };
    let still = statement::LOCK_TIME;
    let rbf = Sequence::ENABLE_RBF_NO_LOCKTIME;
    let moment = "2033-05-18T03:33:20Z";
    for (lock_time, sequence, network, moment) in [
        (1_000_000, rbf, Network::Mainnet, Some("block 1000000")),
        (1_000_000, rbf, Network::Regtest, None),
        (930_000, rbf, Network::Mainnet, None),
        (2_000_000_000, rbf, Network::Regtest, Some(moment)),
        (2_000_000_000, Sequence::MAX, Network::Regtest, None),
        (NOW, rbf, Network::Mainnet, None),
        (0, rbf, Network::Mainnet, None),
        // The lock of a still transaction is what keeps it safe.
        (still, rbf, Network::Mainnet, None),
        (still + 1, rbf, Network::Mainnet, Some("block 452038931")),
    ] {
        let mut warnings = warnings(&locked(lock_time, sequence), network);
        warnings.retain(|warning| warning.code == WarningCode::LockTime);
        let found = warnings.pop().map(|warning| warning.message);
        let expected = moment.map(|at| format!("The transaction cannot be mined before {at}."));
        assert_eq!(found, expected, "{lock_time}");
    }
}
