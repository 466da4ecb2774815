//! Signatures of each kind of address: right ones, and ones that break a single rule.

use super::*;

const TEXT: &[u8] = b"I hold these coins.";

/// `None` when the signature is valid.
type Found = (MessageStatus, Option<MessageReason>);

const VALID: Found = (MessageStatus::Valid, None);

fn invalid(reason: MessageReason) -> Found {
    (MessageStatus::Invalid, Some(reason))
}

fn check(script: &Script, message: &[u8], signature: &str) -> Found {
    let check = verify_message(&address(script), message, signature);
    (check.status, check.reason)
}

/// What is found of the signature of an address of the keys 1 and 2.
fn twisted(kind: Kind, twist: Twist) -> Found {
    let (script, signed) = sign(kind, 1, TEXT, twist);
    check(&script, TEXT, &full(&signed))
}

/// The verdict on a script without a key that this witness satisfies.
fn satisfied(script_pubkey: &Script, witness: &[&[u8]]) -> Found {
    let mut signed = to_sign(script_pubkey, TEXT, PLAIN).unsigned_tx;
    signed.input[0].witness = Witness::from_slice(witness);
    check(script_pubkey, TEXT, &full(&signed))
}

#[test]
fn every_kind_of_address_signs_and_only_its_own_keys_do() {
    for kind in Kind::VARIANTS.iter().copied() {
        let has_simple = !matches!(kind, Kind::P2pkh | Kind::P2shMultisig);
        let (script, signed) = sign(kind, 1, TEXT, PLAIN);
        assert_eq!(check(&script, TEXT, &full(&signed)), VALID, "{kind:?}");
        if has_simple {
            assert_eq!(check(&script, TEXT, &simple(&signed)), VALID, "{kind:?}");
        }
        let changed = check(&script, b"I hold those coins.", &full(&signed));
        assert_eq!(changed.1, Some(MessageReason::OtherMessage), "{kind:?}");

        // A right signature over the same message, by a key that the address does not commit to; and one for another address of
        // that key.
        let foreign = Twist { signer: 3, ..PLAIN };
        let (_, forged) = sign(kind, 1, TEXT, foreign);
        let (_, elsewhere) = sign(kind, 3, TEXT, foreign);
        let mut signatures = vec![full(&forged), full(&elsewhere)];
        signatures.extend(has_simple.then(|| simple(&elsewhere)));
        for signature in signatures {
            let (status, _) = check(&script, TEXT, &signature);
            assert_eq!(status, MessageStatus::Invalid, "{kind:?}: {signature}");
        }
    }
}

#[test]
fn signatures_commit_to_everything_and_have_a_low_s() {
    for kind in Kind::VARIANTS.iter().copied() {
        for sighash in [2, 3, 0x81, 0x82, 0x83] {
            let found = twisted(kind, Twist { sighash, ..PLAIN });
            let expected = invalid(MessageReason::Sighash);
            assert_eq!(found, expected, "{kind:?} {sighash}");
        }
        if kind != Kind::P2tr {
            let high_s = true;
            let found = twisted(kind, Twist { high_s, ..PLAIN });
            assert_eq!(found, invalid(MessageReason::NotStrict), "{kind:?}");
        }
    }
}

#[test]
fn locks_are_told_and_other_versions_are_inconclusive() {
    let locked = Twist {
        version: 2,
        sequence: 2016,
        ..PLAIN
    };
    let (script, locked) = sign(Kind::P2wpkh, 1, TEXT, locked);
    let found = verify_message(&address(&script), TEXT, &full(&locked));
    assert_eq!(found.status, MessageStatus::ValidWithLocks);
    assert_eq!(found.sequence, 2016);
    for version in [1, 3] {
        let found = twisted(Kind::P2wpkh, Twist { version, ..PLAIN });
        assert_eq!(found.1, Some(MessageReason::UnknownVersion));
    }
}

/// Scripts that anyone can satisfy, or anyone who knows a text, and future witness versions.
#[test]
fn nothing_is_valid_without_a_key_of_the_address() {
    let hex = |text: &str| ScriptBuf::from_hex(text).expect("hex");
    let anyone = hex("51");
    let found = satisfied(&anyone.to_p2wsh(), &[anyone.as_bytes()]);
    assert_eq!(found.1, Some(MessageReason::UnknownScript));
    // SHA-256 of what is pushed, equal to a constant.
    let zeros = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925";
    let puzzle = hex(&format!("a820{zeros}87"));
    let future = hex(&format!("5220{}", "02".repeat(32)));
    for found in [
        found,
        satisfied(&hex("51024e73"), &[]),
        satisfied(&puzzle.to_p2wsh(), &[&[0; 32], puzzle.as_bytes()]),
        satisfied(&future, &[&[1; 64]]),
    ] {
        assert_eq!(found.0, MessageStatus::Inconclusive);
    }
}

#[test]
fn stacks_are_clean_without_an_annex_and_scripts_have_no_separator() {
    let (script, mut more) = sign(Kind::P2wsh, 1, TEXT, PLAIN);
    let elements = [vec![vec![1]], more.input[0].witness.to_vec()].concat();
    more.input[0].witness = Witness::from_slice(&elements);
    let found = check(&script, TEXT, &full(&more));
    assert_eq!(found.0, MessageStatus::Invalid);

    let (script, mut annexed) = sign(Kind::P2tr, 1, TEXT, PLAIN);
    annexed.input[0].witness.push([0x50]);
    let found = check(&script, TEXT, &full(&annexed));
    assert_ne!(found.0, MessageStatus::Valid);

    let separated = Builder::new().push_opcode(OP_CODESEPARATOR);
    let separated = separated.push_key(&key(1).public());
    let separated = separated.push_opcode(OP_CHECKSIG).into_script();
    let mut unsigned = to_sign(&separated.to_p2wsh(), TEXT, PLAIN);
    // What comes after the separator is signed.
    unsigned.inputs[0].witness_script = Some(separated.as_bytes()[1..].to_vec().into());
    let signature = signature(&unsigned, 0, &key(1), 1);
    let found = satisfied(&separated.to_p2wsh(), &[&signature, separated.as_bytes()]);
    assert_eq!(found, invalid(MessageReason::CodeSeparator));
}

#[test]
fn the_other_line_endings_are_tried_and_told() {
    let (script, signed) = sign(Kind::P2wpkh, 1, b"one\r\ntwo", PLAIN);
    let given = [
        (&b"one\r\ntwo"[..], None),
        (b"one\ntwo", Some(LineEndings::Crlf)),
    ];
    for (message, endings) in given {
        let found = verify_message(&address(&script), message, &simple(&signed));
        assert_eq!(found.status, MessageStatus::Valid);
        assert_eq!(found.line_endings, endings);
    }
}

#[test]
fn what_is_no_address_or_no_signature_says_so() {
    let nothing = verify_message("bc1qnothing", TEXT, "smpAA==");
    assert_eq!(nothing.reason, Some(MessageReason::Address));
    for text in ["", "x", "!!!", "smp!", "fulAAAA", "pofAAAA", "cHNidP8="] {
        let found = check(&key(1).segwit(), TEXT, text);
        assert_eq!(found, invalid(MessageReason::Encoding), "{text}");
    }
}
