//! Files from which no proof can be made.

use super::*;

fn refusal(bytes: &[u8], options: &MakeOptions<'_>) -> Error {
    make_proof(bytes, options).expect_err("refused")
}

/// The refusal of a file, which is the same for both forms.
fn of(file: &Psbt) -> Error {
    let bytes = file.serialize();
    let [one, other] = Form::ALL.map(|form| refusal(&bytes, &options(form)));
    assert_eq!(one, other);
    assert!(one.to_string().ends_with('.'), "{one}");
    one
}

/// Asserts that the file is refused for an input.
fn assert_named(file: &Psbt, code: &str, input: usize, words: &[&str]) {
    let error = of(file);
    assert_eq!((error.code(), error.input()), (code, Some(input)));
    let sentence = error.to_string();
    assert!(words.iter().all(|words| sentence.contains(words)));
}

#[test]
fn statements_that_a_device_cannot_show_are_refused() {
    let bytes = file(&[Kind::P2wpkh], 1).serialize();
    let long = ["s".repeat(76), "s".repeat(331)];
    let both = [
        "", " ab", "ab ", " ", "a\nb", "a\tb", "\u{e9}a", "a\u{7f}", "a\0b", &long[1],
    ];
    for (form, length, other) in [
        (Form::Transaction, " 1 to 75 characters", &*long[0]),
        (Form::Message, " 2 to 330 characters", "a"),
    ] {
        for line in both.into_iter().chain([other]) {
            let error = refusal(&bytes, &MakeOptions::new(line, form));
            assert_eq!(error, MakeError::Statement(form).into(), "{line:?}");
            assert_eq!(error.code(), "invalid-statement");
            assert!(error.to_string().contains(length), "{error}");
        }
    }
}

#[test]
fn options_that_make_no_sense() {
    let bytes = file(&[Kind::P2wpkh], 3).serialize();
    let still = options(Form::Transaction);
    let parts = |split, part| MakeOptions {
        split,
        part,
        ..still
    };
    let lock_time = Some(0);
    let locked = MakeOptions { lock_time, ..still };
    let cases = [
        (locked, MakeError::LockTimeOfTransaction),
        (parts(Some(0), 0), MakeError::EmptyParts),
        (parts(None, 1), MakeError::NoSuchPart),
        (parts(Some(2), 2), MakeError::NoSuchPart),
    ];
    for (options, expected) in cases {
        let error = refusal(&bytes, &options);
        assert_eq!(error, expected.into());
        assert_eq!(error.code(), "invalid-option");
    }
}

#[test]
fn a_complete_transaction_does_not_say_what_it_spends() {
    let final_file = include_bytes!("../../node/fixtures/final.txn");
    let error = refusal(final_file, &options(Form::Message));
    assert_eq!(error, MakeError::FinalTransaction.into());
    assert_eq!(error.code(), "final-transaction");
    assert!(error.to_string().contains("Choose the PSBT"), "{error}");
}

#[test]
fn an_input_without_utxo_information_is_named() {
    let mut file = file(&Kind::ALL, 7);
    file.inputs[4].witness_utxo = None;
    file.inputs[4].non_witness_utxo = None;
    let said = "Input 5 does not say which coin it spends";
    assert_named(&file, "unknown-utxo", 4, &[said, "walletprocesspsbt"]);
}

#[test]
fn a_legacy_input_without_its_previous_transaction_is_named() {
    for kind in [Kind::P2pkh, Kind::P2shMultisig] {
        let mut file = file(&[kind], 2);
        file.inputs[1].witness_utxo = Some(spent(&file)[1].1.clone());
        file.inputs[1].non_witness_utxo = None;
        assert_named(&file, "no-previous-transaction", 1, &[]);
    }
}

/// The made file is read without checking keys on the curve, so the first reading must find this.
#[test]
fn keys_that_are_no_points_are_refused() {
    let whole = file(&[Kind::P2wpkh], 1);
    let good = whole.serialize();
    let (key, _) = whole.inputs[0].bip32_derivation.iter().next().expect("one");
    let field = [&[34, 6], &key.serialize()[..]].concat();
    let at = good.windows(field.len()).position(|bytes| bytes == field);
    let x = 3 + at.expect("in the file");
    let mut bad = good.clone();
    // No point has the x 5.
    bad[x..x + 31].fill(0);
    bad[x + 31] = 5;
    let binary = decode(&bad[..]).expect("a PSBT");
    binary.read(Keys::Form).expect("only the curve tells");
    let (field, fault) = ("PSBT_IN_BIP32_DERIVATION", Fault::Invalid("public key"));
    let malformed = Error::from(malformed(Map::Input(0), field, fault));
    for form in Form::ALL {
        assert_eq!(refusal(&bad, &options(form)), malformed);
    }
    assert_eq!(combine(&[&good, &bad]), Err(malformed));
    assert_eq!(extract(&bad), Err(malformed));
}

#[test]
fn impossible_amounts_are_refused() {
    let mut file = file(&[Kind::P2tr], 3);
    let most = 2_100_000_000_000_000;
    for (sats, input) in [(most + 1, Some(1)), (most, None), (u64::MAX, Some(1))] {
        set_coin(&mut file, 1, |coin| coin.value = Amount::from_sat(sats));
        assert_eq!(of(&file), Error::AmountOutOfRange { input });
    }
}

#[test]
fn a_message_without_coins_has_nothing_to_prove() {
    let mut message = made(&file(&[Kind::P2wpkh], 1), Form::Message);
    message.unsigned_tx.input.truncate(1);
    message.inputs.truncate(1);
    assert_eq!(of(&message), MakeError::NoCoins.into());
    // Without the previous transaction, the message field shows that the first input spends no coin.
    message.inputs[0].non_witness_utxo = None;
    assert_eq!(of(&message), MakeError::NoCoins.into());
    message.inputs[0].witness_utxo = None;
    assert_eq!(of(&message), MakeError::NoCoins.into());
}

#[test]
fn a_transaction_says_whether_it_is_signed() {
    let signed = serialize(&final_transaction());
    let mut unsigned = final_transaction();
    unsigned.input[0].witness = Witness::new();
    for (bytes, code, words) in [
        (signed, "final-transaction", "complete transaction"),
        (
            serialize(&unsigned),
            "unsigned-transaction",
            "not signed yet",
        ),
    ] {
        for error in [
            refusal(&bytes, &options(Form::Transaction)),
            combine(&[&bytes]).expect_err("refused"),
        ] {
            assert_eq!(error.code(), code);
            assert!(error.to_string().contains(words), "{error}");
        }
    }
}
