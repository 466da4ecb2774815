//! Right proofs, and what this module leaves to others.

use super::*;

#[test]
fn proofs_of_every_kind_are_complete_in_both_forms() {
    for form in Form::ALL {
        let proof = published(&Kind::ALL, form);
        let check = proof.check().expect("well-formed");
        assert!(check.is_complete(), "{check:?}");
        let worth: Amount = proof.coins.iter().map(|coin| coin.value).sum();
        assert_eq!(check.amount_sats, worth.to_sat());
        for kind in Kind::ALL {
            let alone = published(&[kind], form).check().expect("well-formed");
            assert!(alone.is_complete(), "{alone:?}");
        }
    }
}

/// The reader shows the coins of such a proof.
#[test]
fn the_file_that_comes_along_says_what_is_spent() {
    let proof = published(&Kind::ALL, Form::Message);
    let psbt = proof.check().expect("well-formed").psbt;
    let report = report_of(&psbt, Network::Mainnet);
    let shown: Vec<_> = report.inputs.iter().map(|input| input.value_sats).collect();
    let spent = proof.coins.iter().map(|coin| Some(coin.value.to_sat()));
    assert_eq!(shown, spent.collect::<Vec<_>>());
}

#[test]
fn scripts_beyond_the_templates_are_left_to_a_consensus_engine() {
    let mut proof = published(&[Kind::P2wpkh, Kind::P2tr], Form::Transaction);
    let anything = ScriptBuf::from(vec![0x51]);
    proof.transaction.output[0].script_pubkey = anything.clone();
    proof.coins[0].script_pubkey = anything;
    let check = proof.check().expect("well-formed");
    assert!(!check.is_complete());
    assert_ne!(check.signatures.inputs[0].status, SignatureStatus::Valid);
}
