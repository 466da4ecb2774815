//! Texts that look like the one that was signed, signatures that a mail program broke, and proofs that are not finalized.

use psbt_wasm::{MessageOptions, OtherText, verify_message_with};

use super::*;

const TEXT: &str = "Das geh\u{f6}rt J\u{f6}rg";
const DECOMPOSED: &str = "Das geho\u{308}rt Jo\u{308}rg";

/// A BIP-137 signature, and a simple and a full one, each with its address.
fn signatures(message: &[u8]) -> Vec<(String, String)> {
    let (id, compact) = bip137::signed(message);
    let of_key = STANDARD.encode([&[31 + id][..], &compact].concat());
    let mut signatures = vec![(address(&key(1).legacy()), of_key)];
    for kind in [Kind::P2wpkh, Kind::P2shP2wpkh, Kind::P2wsh, Kind::P2tr] {
        let (script, signed) = sign(kind, 1, message, PLAIN);
        signatures.push((address(&script), simple(&signed)));
        signatures.push((address(&script), full(&signed)));
    }
    signatures
}

/// The reason, and which text was signed.
fn found(
    signed: &str,
    given: &str,
    forms: [&str; 2],
) -> Vec<(Option<MessageReason>, Option<OtherText>)> {
    let options = MessageOptions {
        forms: Some(forms.map(str::as_bytes)),
        ..MessageOptions::default()
    };
    let signatures = signatures(signed.as_bytes()).into_iter();
    let found = signatures.map(|(address, signature)| {
        let check = verify_message_with(&address, given.as_bytes(), &signature, &options);
        let is_valid = check.status == MessageStatus::Valid;
        assert_eq!(is_valid, check.reason.is_none(), "{given:?}");
        assert_eq!(
            check.other_text.is_some(),
            check.reason == Some(MessageReason::OtherText)
        );
        (check.reason, check.other_text)
    });
    found.collect()
}

#[test]
fn the_text_that_was_signed_is_told_and_never_valid() {
    let line = "These coins are mine";
    let forms = [TEXT, DECOMPOSED];
    for (signed, given, other) in [
        (TEXT, DECOMPOSED, OtherText::Nfc),
        (DECOMPOSED, TEXT, OtherText::Nfd),
        (line, "These coins are mine\n", OtherText::WithoutLineBreak),
        (
            line,
            "These coins are mine\r\n",
            OtherText::WithoutLineBreak,
        ),
        ("These coins are mine\n", line, OtherText::WithLineBreak),
        ("These coins are mine\r\n", line, OtherText::WithLineBreak),
        (line, "\u{feff}These coins are mine", OtherText::WithoutMark),
        ("\u{feff}These coins are mine", line, OtherText::WithMark),
    ] {
        let forms = if given == TEXT || given == DECOMPOSED {
            forms
        } else {
            [given; 2]
        };
        for found in found(signed, given, forms) {
            assert_eq!(
                found,
                (Some(MessageReason::OtherText), Some(other)),
                "{signed:?} {given:?}"
            );
        }
    }
    for (signed, given) in [
        (line, "These coins are mine\n\n"),
        (line, "these coins are mine"),
        (TEXT, "Das gehort Jorg"),
    ] {
        for (reason, other) in found(signed, given, [given; 2]) {
            assert!(matches!(
                reason,
                Some(MessageReason::WrongSignature | MessageReason::OtherMessage)
            ));
            assert_eq!(other, None);
        }
    }
}

/// Line breaks as in PEM blocks, mails and PDFs.
#[test]
fn white_space_within_a_signature_does_not_count() {
    for (address, signature) in signatures(TEXT.as_bytes()) {
        for space in [
            "\n", "\r\n", " ", "\t", "\u{a0}", "\u{200b}", "\u{feff}", "\u{2028}",
        ] {
            let characters: Vec<char> = signature.chars().collect();
            let blocks: Vec<String> = characters
                .chunks(64)
                .map(|block| block.iter().collect())
                .collect();
            let broken = format!("{space}{}{space}", blocks.join(space));
            let check = verify_message(&address, TEXT.as_bytes(), &broken);
            assert_eq!(check.status, MessageStatus::Valid, "{broken:?}");
        }
    }
}

/// A proof of funds of one key over the message and a coin, signed by `signers`.
fn proof_of_funds(kind: Kind, signers: &[u8]) -> (ScriptBuf, Psbt) {
    let (challenge, redeem_script, witness_script) = scripts(kind, 1);
    let message = to_sign(&challenge, TEXT.as_bytes(), PLAIN);
    let coin = OutPoint::new(txid(7), 1);
    let outpoints = [message.unsigned_tx.input[0].previous_output, coin];
    let mut psbt = unsigned(&outpoints, message.unsigned_tx.output.clone());
    psbt.unsigned_tx.version = Version(0);
    psbt.unsigned_tx.lock_time = LockTime::ZERO;
    psbt.unsigned_tx.input[0].sequence = Sequence::ZERO;
    for (input, sats) in psbt.inputs.iter_mut().zip([0, 10_000]) {
        input.witness_utxo = Some(output(sats, challenge.clone()));
        input.redeem_script = redeem_script.clone();
        input.witness_script = witness_script.clone();
    }
    for index in 0..2 {
        for signer in signers {
            signing::sign(
                &mut psbt,
                index,
                &key(*signer),
                u8::from(kind != Kind::P2tr),
            );
        }
    }
    (challenge, psbt)
}

fn pof(psbt: &Psbt) -> String {
    format!("pof{}", STANDARD.encode(psbt.serialize()))
}

#[test]
fn a_proof_of_funds_that_is_signed_and_not_finalized_says_so() {
    for kind in [Kind::P2wpkh, Kind::P2shP2wpkh, Kind::P2wsh, Kind::P2tr] {
        let (script, signed) = proof_of_funds(kind, &[1]);
        let reason = |psbt: &Psbt, text: &[u8]| {
            let check = verify_message(&address(&script), text, &pof(psbt));
            assert_ne!(check.status, MessageStatus::Valid);
            check.reason
        };
        let text = TEXT.as_bytes();
        assert_eq!(
            reason(&signed, text),
            Some(MessageReason::NotFinalized),
            "{kind:?}"
        );
        assert_eq!(reason(&signed, b"other"), Some(MessageReason::OtherMessage));
        let mut finished = signed.clone();
        finished.inputs.iter_mut().for_each(finish);
        assert_eq!(
            reason(&finished, text),
            Some(MessageReason::CoinsNotLookedUp)
        );
        let (_, unsigned) = proof_of_funds(kind, &[]);
        assert_eq!(reason(&unsigned, text), Some(MessageReason::NoSignature));
        let mut half = signed.clone();
        half.inputs[1] = unsigned.inputs[1].clone();
        assert_eq!(reason(&half, text), Some(MessageReason::NoSignature));
        // For another amount.
        let mut wrong = signed;
        wrong.inputs[1].witness_utxo.as_mut().expect("one").value = Amount::from_sat(1);
        assert_eq!(reason(&wrong, text), Some(MessageReason::WrongSignature));
    }
}

/// BIP-0322: whether the address signed does not depend on what is known about the coins.
#[test]
fn a_bad_signature_of_the_address_is_invalid_although_coins_are_unknown() {
    for kind in [Kind::P2pkh, Kind::P2wpkh, Kind::P2wsh] {
        let (script, mut psbt) = proof_of_funds(kind, &[1]);
        psbt.inputs.iter_mut().for_each(finish);
        let whole = psbt.clone().extract_tx_unchecked_fee_rate();
        let reason = |signed: &Transaction| {
            let check = verify_message(&address(&script), TEXT.as_bytes(), &full(signed));
            (check.status, check.reason)
        };
        let unknown = (
            MessageStatus::Inconclusive,
            Some(MessageReason::CoinsNotLookedUp),
        );
        assert_eq!(reason(&whole), unknown, "{kind:?}");
        psbt.inputs[1].witness_utxo = None;
        let check = verify_message(&address(&script), TEXT.as_bytes(), &pof(&psbt));
        assert_eq!(check.reason, unknown.1);
        let mut other = whole;
        // Signatures commit to the coins.
        other.input[1].previous_output.vout = 2;
        assert_eq!(
            reason(&other),
            (MessageStatus::Invalid, Some(MessageReason::WrongSignature)),
            "{kind:?}"
        );
    }
}

/// BIP-0322: "the NON_WITNESS_UTXO may be omitted" where an earlier input has that of the same transaction.
#[test]
fn a_previous_transaction_that_an_earlier_input_has_may_be_left_out() {
    let funding = spending(
        &[OutPoint::new(txid(5), 0)],
        vec![
            output(10_000, key(1).legacy()),
            output(20_000, key(1).legacy()),
        ],
    );
    let challenge = key(1).legacy();
    let message = to_sign(&challenge, TEXT.as_bytes(), PLAIN);
    let coins = [0, 1].map(|vout| OutPoint::new(funding.compute_txid(), vout));
    let outpoints = [&[message.unsigned_tx.input[0].previous_output], &coins[..]].concat();
    let mut psbt = unsigned(&outpoints, message.unsigned_tx.output.clone());
    psbt.unknown = [(unknown(SIGNED_MESSAGE), TEXT.as_bytes().to_vec())].into();
    psbt.inputs[0].non_witness_utxo = Some(to_spend(TEXT.as_bytes(), &challenge));
    psbt.inputs[1].non_witness_utxo = Some(funding);
    let bytes = psbt.serialize();
    let report = report_of(&bytes, Network::Mainnet);
    let values: Vec<_> = report.inputs.iter().map(|input| input.value_sats).collect();
    assert_eq!(values, [Some(0), Some(10_000), Some(20_000)]);
    // The made file names each previous transaction.
    let made = make_proof(&bytes, &MakeOptions::new("A line", Form::Transaction)).expect("made");
    let made = Psbt::deserialize(&made.psbt).expect("a PSBT");
    assert!(
        made.inputs
            .iter()
            .all(|input| input.non_witness_utxo.is_some())
    );
    psbt.unknown.clear();
    let ordinary = report_of(&psbt.serialize(), Network::Mainnet);
    assert_eq!(ordinary.inputs[2].value_sats, None);
}

#[test]
fn a_proof_of_funds_is_valid_with_the_coins_of_the_chain_and_no_others() {
    for kind in [Kind::P2wpkh, Kind::P2shP2wpkh, Kind::P2wsh, Kind::P2tr] {
        let (script, mut psbt) = proof_of_funds(kind, &[1]);
        psbt.inputs.iter_mut().for_each(finish);
        let check = |coins: &[(OutPoint, TxOut)], text: &str, signature: &str| {
            let options = MessageOptions {
                coins,
                ..MessageOptions::default()
            };
            verify_message_with(&address(&script), text.as_bytes(), signature, &options)
        };
        let coin = |sats, script| [(OutPoint::new(txid(7), 1), output(sats, script))];
        let right = coin(10_000, script.clone());
        let whole = psbt.clone().extract_tx_unchecked_fee_rate();
        for signature in [pof(&psbt), full(&whole)] {
            let found = check(&right, TEXT, &signature);
            assert_eq!(
                (found.status, found.amount_sats),
                (MessageStatus::Valid, 10_000),
                "{kind:?}"
            );
            assert_eq!(found.format, Some(MessageFormat::ProofOfFunds));
            let other_text = check(&right, "other", &signature).reason;
            assert_eq!(other_text, Some(MessageReason::OtherMessage));
            // On the chain, the coin has another value or another owner than in the file.
            let found = check(&coin(10_001, script.clone()), TEXT, &signature);
            assert_eq!(
                found.reason,
                Some(MessageReason::WrongSignature),
                "{kind:?}"
            );
            assert_eq!(found.amount_sats, 0);
            let foreign = check(&coin(10_000, key(3).segwit()), TEXT, &signature);
            assert_eq!(foreign.status, MessageStatus::Invalid, "{kind:?}");
            let elsewhere = [(OutPoint::new(txid(7), 2), right[0].1.clone())];
            let found = check(&elsewhere, TEXT, &signature);
            assert_eq!(found.reason, Some(MessageReason::CoinsNotLookedUp));
        }
    }
}
