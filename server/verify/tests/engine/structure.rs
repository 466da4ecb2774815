//! A2 and A4: ambiguous files, and transactions that are invalid.

use super::*;

/// One pair of a PSBT map: key and value of less than 253 bytes each.
fn pair(key: &[u8], value: &[u8]) -> Vec<u8> {
    let length = |bytes: &[u8]| u8::try_from(bytes.len()).expect("short");
    [&[length(key)], key, &[length(value)], value].concat()
}

/// A field of one version in a file of the other: parsers could take the file for either.
#[test]
fn both_versions_in_one_file_are_refused() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let ledger = Ledger::new(&coins);
    let psbt = finished(&signed(&owner, spend(&coins), &coins));
    let v0 = psbt.serialize();
    let v2 = as_version_2(&psbt).serialize();
    assert_accepted(&ledger.verdict(&v0), "version 0");
    assert_accepted(&ledger.verdict(&v2), "version 2");

    let unsigned = pair(&[0x00], &serialize(&psbt.unsigned_tx));
    let insert = |file: &[u8], pair: &[u8]| [&file[..5], pair, &file[5..]].concat();
    let version = |number: u32| pair(&[0xfb], &number.to_le_bytes());
    for (what, file) in [
        ("a version 0 that says 2", insert(&v0, &version(2))),
        ("a version 1", insert(&v0, &version(1))),
        ("a version 3", insert(&v0, &version(3))),
        ("a version 2 that also says 0", insert(&v2, &version(0))),
        ("a v2 input count in v0", insert(&v0, &pair(&[4], &[1]))),
        ("a v2 lock time in v0", insert(&v0, &pair(&[3], &[0; 4]))),
        ("a transaction in version 2", insert(&v2, &unsigned)),
        ("a transaction twice", insert(&v0, &unsigned)),
        ("data after the end", [&v0[..], &[0]].concat()),
        ("a file after the end", [&v0[..], &v0[..]].concat()),
    ] {
        println!("{what}");
        assert_refused(&ledger.verdict(&file), "could-not-parse", None);
    }
}

/// Changes to the transaction, before or after it is signed.
type Change = fn(&mut Transaction);

#[test]
fn a_transaction_that_no_block_could_have_is_refused() {
    let pay = |first: u64, second: u64| {
        move |transaction: &mut Transaction| {
            transaction.output[0].value = Amount::from_sat(first);
            transaction.output[1].value = Amount::from_sat(second);
        }
    };
    let whole = Amount::MAX_MONEY.to_sat();
    let above = ("outputs-above-inputs", None);
    let impossible = ("invalid-transaction", None);
    let twice: Change = |it| it.input[1].previous_output = it.input[0].previous_output;
    let null: Change = |it| it.input[1].previous_output = OutPoint::null();
    let nothing: Change = |it| it.output.clear();
    type Case<'a> = (&'a dyn Fn(&mut Transaction), (&'a str, Option<usize>));
    let cases: [Case; 8] = [
        (&twice, ("duplicate-input", Some(1))),
        (&null, ("null-outpoint", Some(1))),
        (&nothing, ("no-outputs", None)),
        (&pay(110_001, 90_000), above),
        (&pay(whole + 1, 0), impossible),
        (&pay(whole, whole), impossible),
        (&pay(u64::MAX, 2), impossible),
        (&pay(1 << 63, 1 << 63), impossible),
    ];
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey(), owner.script_pubkey()]);
    let ledger = Ledger::new(&coins);
    for (change, (code, input)) in cases {
        let mut transaction = spend(&coins);
        change(&mut transaction);
        let transaction = signed(&owner, transaction, &coins);
        assert_refused(&ledger.verdict_of(&transaction), code, input);
    }
    // A payment without a fee is still a payment.
    let mut all = spend(&coins);
    pay(109_999, 90_001)(&mut all);
    let all = signed(&owner, all, &coins);
    assert_accepted(&ledger.verdict_of(&all), "no fee");
    let mut far_apart = all.clone();
    far_apart.input.push(all.input[0].clone());
    assert_refused(&ledger.verdict_of(&far_apart), "duplicate-input", 2);
    let mut none = all;
    none.input.clear();
    assert!(ledger.verdict_of(&none).is_err());
}

/// The server's messages about unreadable files are those of the browser.
#[test]
fn text_around_a_file_is_read_or_named() {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(&[owner.script_pubkey()]);
    let psbt = finished(&signed(&owner, spend(&coins), &coins));
    let base64 = text(psbt.serialize());
    let read_text = |text: &str| {
        let candidate = read(text, Vec::new())?;
        Ok::<_, Refusal>(candidate.file.unsigned_transaction().clone())
    };
    let whole = read_text(&base64).expect("a file");
    for wrapped in [
        format!("{{\"psbt\": \"{base64}\"}}"),
        text(format!("\"{base64}\"").into_bytes()),
        base64.replace('+', "-").replace('/', "_"),
    ] {
        assert_eq!(read_text(&wrapped), Ok(whole.clone()), "{wrapped}");
    }
    let pem = format!("-----BEGIN PSBT-----\n{base64}\n-----END PSBT-----");
    for wrapped in [pem.clone(), text(pem.into_bytes())] {
        let refusal = read_text(&wrapped).expect_err("named");
        assert_eq!(refusal.code(), "invalid-magic");
        let sentence = refusal.to_string();
        assert!(sentence.contains("lines of dashes"), "{sentence}");
    }
}
