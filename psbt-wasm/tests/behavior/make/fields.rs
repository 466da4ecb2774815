//! Which fields a made proof keeps, and which it drops.

use super::*;

/// The fields that the `bitcoin` crate knows and that belong to no signature.
fn about_the_wallet(input: &Input) -> Input {
    let input = input.clone();
    Input {
        redeem_script: input.redeem_script,
        witness_script: input.witness_script,
        bip32_derivation: input.bip32_derivation,
        ripemd160_preimages: input.ripemd160_preimages,
        tap_scripts: input.tap_scripts,
        tap_key_origins: input.tap_key_origins,
        tap_internal_key: input.tap_internal_key,
        tap_merkle_root: input.tap_merkle_root,
        non_witness_utxo: input.non_witness_utxo,
        witness_utxo: input.witness_utxo,
        ..Input::default()
    }
}

fn everything() -> Psbt {
    let mut file = file(&Kind::ALL, 7);
    private::add(&mut file);
    let preimage = b"preimage".to_vec();
    let commitment = b"a commitment of BIP-0127".to_vec();
    for (at, input) in file.inputs.iter_mut().enumerate() {
        input.sighash_type = Some(PsbtSighashType::from_u32(0x81));
        input.ripemd160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
        // The first input with this field would be no coin.
        if at > 0 {
            let key = unknown(SIGNED_MESSAGE);
            input.unknown.insert(key, commitment.clone());
        }
    }
    file
}

#[test]
fn what_the_wallet_says_of_its_coins_stays_and_nothing_else_does() {
    let file = everything();
    for form in Form::ALL {
        let proof = made(&file, form);
        let coins = &proof.inputs[proof.inputs.len() - 7..];
        for (input, before) in coins.iter().zip(&file.inputs) {
            assert_eq!(*input, about_the_wallet(before));
        }
        assert_eq!(proof.xpub, file.xpub);
        assert!(!proof.xpub.is_empty());
        assert!(proof.proprietary.is_empty());
        assert_eq!(proof.unknown.len(), usize::from(form == Form::Message));
    }
}

#[test]
fn outputs_say_of_their_scripts_what_the_inputs_say() {
    let file = everything();
    let proof = made(&file, Form::Transaction);
    assert_eq!(proof.outputs.len(), 8);
    for (output, input) in proof.outputs.iter().zip(&file.inputs) {
        let input = input.clone();
        let expected = Output {
            redeem_script: input.redeem_script,
            witness_script: input.witness_script,
            bip32_derivation: input.bip32_derivation,
            tap_key_origins: input.tap_key_origins,
            tap_internal_key: input.tap_internal_key,
            ..Output::default()
        };
        assert_eq!(*output, expected);
    }
    assert_eq!(proof.outputs[7], Output::default());
    assert_eq!(made(&file, Form::Message).outputs, [Output::default()]);
}

/// A finalized input has lost its scripts as fields, and spends with them.
#[test]
fn scripts_of_finalized_inputs_are_found() {
    for (kind, is_nested) in [
        (Kind::P2shMultisig, true),
        (Kind::P2shP2wpkh, true),
        (Kind::P2wshMultisig, false),
    ] {
        let mut finished = file(&[kind], 1);
        let before = finished.inputs[0].clone();
        let coin = spent(&finished)[0].1.clone();
        let input = &mut finished.inputs[0];
        input.witness_utxo = Some(coin);
        finish(input);
        input.witness_utxo.clone_from(&before.witness_utxo);
        for form in Form::ALL {
            let proof = made(&finished, form);
            let input = proof.inputs.last().expect("an input");
            assert_eq!(input.redeem_script, before.redeem_script);
            assert_eq!(input.witness_script, before.witness_script);
            assert_eq!(input.redeem_script.is_some(), is_nested);
            assert!(input.final_script_sig.is_none() && input.final_script_witness.is_none());
            assert_eq!(notes(&finished, form), [(NoteCode::Finalized, Some(0))]);
        }
    }
}

/// An input with another script says nothing about this coin.
#[test]
fn a_script_that_the_coin_does_not_commit_to_is_not_taken_from_a_final_input() {
    let mut file = file(&[Kind::P2wshMultisig], 1);
    file.inputs[0].witness_script = None;
    file.inputs[0].final_script_witness = Some(Witness::from_slice(&[[7; 40]]));
    let proof = made(&file, Form::Transaction);
    assert_eq!(proof.inputs[0].witness_script, None);
    let expected = [(NoteCode::NoScript, Some(0))];
    assert_eq!(notes(&file, Form::Transaction), expected);
}

/// The tweak of a silent payment and the MuSig2 aggregate key say who owns a coin, so they stay. Nonces and partial signatures belong to a signature, so they go.
#[test]
fn fields_that_no_reader_looks_into_stay_where_a_signer_needs_them() {
    let mut file = file(&[Kind::P2tr], 1);
    for type_value in 0x19..=0x20 {
        let key = vec![2; 33];
        let key = Key { type_value, key };
        file.inputs[0].unknown.insert(key, vec![type_value]);
    }
    let proof = made(&file, Form::Transaction);
    let left = proof.inputs[0].unknown.keys().map(|key| key.type_value);
    assert_eq!(left.collect::<Vec<_>>(), [0x1a, 0x1f, 0x20]);
}

/// BIP-127: its commitment spends no coin, and says so, or is written as the tool of that BIP writes it.
#[test]
fn a_commitment_of_another_proof_is_left_out_and_named() {
    let coin = file(&[Kind::P2wpkh], 1);
    let commitments = [
        Input {
            witness_utxo: Some(output(0, ScriptBuf::from(vec![0x51]))),
            final_script_sig: Some(ScriptBuf::new()),
            ..Input::default()
        },
        Input {
            unknown: [(unknown(0x09), b"Proof-of-Reserves: a line".to_vec())].into(),
            ..Input::default()
        },
        Input {
            witness_utxo: Some(output(5, key(1).segwit())),
            unknown: [(unknown(0x09), b"a line".to_vec())].into(),
            ..Input::default()
        },
    ];
    for (at, commitment) in commitments.into_iter().enumerate() {
        let mut psbt = coin.clone();
        let spent = spending(&[OutPoint::new(txid(9), 0)], vec![])
            .input
            .remove(0);
        psbt.unsigned_tx.input.insert(0, spent);
        psbt.inputs.insert(0, commitment);
        for form in Form::ALL {
            let (of_both, made) = made_with(&psbt.serialize(), &options(form));
            let (of_coin, alone) = made_with(&coin.serialize(), &options(form));
            assert_eq!((of_both.inputs, made), (1, alone), "{at}");
            let notes = of_both
                .notes
                .iter()
                .filter(|note| note.code == NoteCode::Commitment);
            assert_eq!(notes.map(|note| note.input).collect::<Vec<_>>(), [Some(0)]);
            assert!(
                of_coin
                    .notes
                    .iter()
                    .all(|note| note.code != NoteCode::Commitment)
            );
        }
    }
}

/// bitcoinjs-lib writes the map of an output where there is none.
#[test]
fn a_file_without_outputs_is_enough() {
    let mut psbt = file(&[Kind::P2wpkh, Kind::P2tr], 2);
    let whole = made(&psbt, Form::Transaction);
    psbt.unsigned_tx.output.clear();
    psbt.outputs.clear();
    let bytes = psbt.serialize();
    for bytes in [
        bytes.clone(),
        [&bytes[..], &[0]].concat(),
        as_version_2(&psbt).serialize(),
    ] {
        let (_, made) = made_with(&bytes, &options(Form::Transaction));
        assert_eq!(made, whole);
        let refused = decode(&bytes).and_then(|file| file.read(Keys::Form).map(drop));
        assert_eq!(
            refused.map_err(|error| error.to_string()),
            Err("No outputs found".to_owned())
        );
    }
    let longer = [&bytes[..], &[0, 0]].concat();
    let error = make_proof(&longer, &options(Form::Transaction)).expect_err("refused");
    assert_eq!(error, Fault::TrailingData.into());
}
