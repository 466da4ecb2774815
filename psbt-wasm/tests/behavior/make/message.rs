//! The message of BIP-0322.

use super::*;

/// BIP-0322, "Full".
fn to_spend(message: &[u8], challenge: &Script) -> Transaction {
    let tag = sha256::Hash::hash(b"BIP0322-signed-message").to_byte_array();
    let tagged = [&tag[..], &tag, message].concat();
    let hash = sha256::Hash::hash(&tagged).to_byte_array();
    let script_sig = Builder::new().push_int(0).push_slice(hash);
    Transaction {
        version: Version(0),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            script_sig: script_sig.into_script(),
            sequence: Sequence::ZERO,
            ..TxIn::default()
        }],
        output: vec![output(0, challenge.to_owned())],
    }
}

#[test]
fn it_is_a_proof_of_funds_over_the_script_of_the_first_coin() {
    for first in 0..Kind::ALL.len() {
        let mut kinds = Kind::ALL;
        kinds.rotate_left(first);
        let file = file(&kinds, 7);
        let proof = made(&file, Form::Message);
        let coins = spent(&file);
        let virtual_one = to_spend(STATEMENT.as_bytes(), &coins[0].1.script_pubkey);
        let own = OutPoint::new(virtual_one.compute_txid(), 0);
        assert_eq!(spent(&proof)[0], (own, virtual_one.output[0].clone()));
        assert_eq!(proof.inputs[0].non_witness_utxo, Some(virtual_one));
        assert_eq!(spent(&proof)[1..], coins);
        let expected = [&[0][..], &[0xffff_fffd; 7]].concat();
        assert_eq!(sequences(&proof), expected);
        let transaction = &proof.unsigned_tx;
        assert_eq!(transaction.version, Version::TWO);
        assert_eq!(transaction.lock_time, LockTime::ZERO);
        let bare = Builder::new().push_opcode(OP_RETURN).into_script();
        assert_eq!(transaction.output, [output(0, bare)]);
        let carried = &proof.unknown[&unknown(SIGNED_MESSAGE)];
        assert_eq!(carried, STATEMENT.as_bytes());
    }
}

/// The virtual input names the key as the coin's input does, so that a signer finds it.
#[test]
fn the_first_input_says_what_that_of_its_coin_says() {
    for kind in Kind::ALL {
        let proof = made(&file(&[kind], 1), Form::Message);
        let (mut first, mut coin) = (proof.inputs[0].clone(), proof.inputs[1].clone());
        assert_eq!(first.witness_utxo.is_some(), coin.witness_utxo.is_some());
        for input in [&mut first, &mut coin] {
            input.non_witness_utxo = None;
            input.witness_utxo = None;
        }
        assert_eq!(first, coin);
        assert!(!coin.bip32_derivation.is_empty() || !coin.tap_key_origins.is_empty());
    }
}

/// The same script may require the lock for the virtual input.
#[test]
fn the_relative_lock_of_the_first_coin_is_that_of_the_first_input() {
    let mut file = file(&[Kind::P2wshMultisig], 2);
    file.unsigned_tx.input[0].sequence = Sequence::from_height(144);
    let proof = made(&file, Form::Message);
    assert_eq!(sequences(&proof), [144, 144, 0xffff_fffd]);
}

#[test]
fn a_statement_may_be_as_long_as_coldcard_accepts() {
    let coins = file(&[Kind::P2wpkh], 1).serialize();
    for message in ["ab", &"y".repeat(330)] {
        let (made, proof) = made_with(&coins, &MakeOptions::new(message, Form::Message));
        let expected = to_spend(message.as_bytes(), &spent(&proof)[0].1.script_pubkey);
        let found = proof.unsigned_tx.input[0].previous_output.txid;
        assert_eq!(found, expected.compute_txid());
        let counts = (made.inputs, made.scripts, made.amount_sats);
        assert_eq!(counts, (1, 1, 100_000));
    }
}
