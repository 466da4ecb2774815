//! Files that ask for much work: the work stays in proportion to their signatures, and below a limit.

use super::*;

/// Inputs whose witness has `signatures` well-formed signatures by no key of the script.
fn witnessed(script: &Script, inputs: usize, signatures: usize) -> Psbt {
    let mut witness = vec![signature(&unsigned(), P2WPKH, &own(P2WPKH), 1); signatures];
    if script.as_bytes().ends_with(&[OP_CHECKMULTISIG.to_u8()]) {
        witness.insert(0, Vec::new());
    }
    witness.push(script.to_bytes());
    let mut psbt = coins(&vec![script.to_p2wsh(); inputs], 1);
    for input in &mut psbt.inputs {
        input.final_script_witness = Some(Witness::from_slice(&witness));
    }
    psbt
}

/// Inputs of an unusual script, for which each signature must be tried with each key.
fn searched(inputs: usize, signatures: usize, keys: usize) -> Psbt {
    let push = |script: Builder, number| script.push_key(&own(number).public());
    let dropped = |script, number| push(script, number).push_opcode(OP_DROP);
    let script = push((0..keys).fold(Builder::new(), dropped), 0).push_opcode(OP_CHECKSIG);
    witnessed(&script.into_script(), inputs, signatures)
}

#[test]
fn hundreds_of_signatures_and_keys_in_one_input_are_not_all_tried() {
    let report = check(&searched(1, 400, 200));
    assert_eq!(report.inputs[0].status, SignatureStatus::Inconclusive);
    assert_eq!(report.inputs[0].reason, Some(Reason::UnknownScript));
    assert_eq!(report.checks, 1_024);
}

/// Other inputs do not change this.
#[test]
fn only_bytes_of_signatures_and_witnesses_buy_checks() {
    let mut psbt = searched(1, 40, 20);
    let without = check(&psbt);
    // The witness: one element more than there are signatures, each with its length.
    let witness = psbt.inputs[0].final_script_witness.as_ref();
    let elements = witness.expect("final").iter().map(|it| 1 + it.len());
    let field = 2 + 3 + 1 + elements.sum::<usize>();
    let difference = (256 + field / 32).abs_diff(without.checks);
    assert!(difference <= 1, "{}", without.checks);
    psbt.unknown.insert(unknown(0xf0), vec![7; 1_000_000]);
    psbt.inputs[0].unknown = psbt.unknown.clone();
    assert_eq!(check(&psbt), without);
}

#[test]
fn no_file_gets_more_checks_than_all_files_do() {
    let report = check(&searched(60, 400, 200));
    assert_eq!(report.checks, MAX_CHECKS as usize);
}

/// The most keys of a multisig. None of the signatures fits, so that the first of each input is tried with every key.
#[test]
fn two_thousand_inputs_of_twenty_keys_are_checked_to_the_end() {
    let keys: Vec<_> = (0..20).map(|number| own(number).public()).collect();
    let report = check(&witnessed(&multisig(20, &keys), 2_000, 20));
    assert_eq!(report.checks, MAX_CHECKS as usize);
    for input in report.inputs {
        assert_eq!(input.reason, Some(Reason::WrongSignature));
        assert_eq!(input.needed, Some(20));
    }
}

/// Each P2PKH input hashes the whole transaction again.
#[test]
fn what_older_inputs_hash_is_bounded_and_the_others_are_still_checked() {
    let wrong = signature(&unsigned(), P2WPKH, &own(P2WPKH), 1);
    let mut psbt = coins(&vec![own(P2PKH).legacy(); 100], 1);
    psbt.unsigned_tx.output[0].script_pubkey = ScriptBuf::from(vec![0x6a; 3_000_000]);
    for input in &mut psbt.inputs[..99] {
        place(input, &own(P2PKH), &wrong);
    }
    let segwit = psbt.inputs[99].witness_utxo.as_mut().expect("stated");
    segwit.script_pubkey = own(P2WPKH).segwit();
    sign(&mut psbt, 99, &own(P2WPKH), 1);
    let report = check(&psbt);
    let reason = |index: usize| report.inputs[index].reason;
    assert_eq!(reason(0), Some(Reason::WrongSignature));
    assert_eq!(reason(98), Some(Reason::UnknownScript));
    assert_eq!(report.inputs[99].status, SignatureStatus::Valid);
}
