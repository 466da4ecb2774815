//! Signatures of each kind of address: right ones, and ones that break a single rule.

use bitcoin::opcodes::all::{OP_CHECKSIG, OP_CODESEPARATOR, OP_PUSHNUM_1};
use bitcoin::script::Builder;
use bitcoin::{Script, ScriptBuf, Witness};
use psbt_wasm::{LineEndings, MessageReason, MessageStatus, verify_message};

use crate::scene::*;

const TEXT: &[u8] = b"I hold these coins.";

fn check(
    script: &ScriptBuf,
    message: &[u8],
    signature: &str,
) -> (MessageStatus, Option<MessageReason>) {
    let check = verify_message(&address(script), message, signature);
    (check.status, check.reason)
}

#[test]
fn every_kind_of_address_signs_and_only_its_own_keys_do() {
    let (own, other, foreign) = (key(1), key(2), key(3));
    for kind in KINDS {
        let script = script_pubkey(kind, &own, &other);
        let signed = sign(kind, (&own, &other), &own, TEXT, PLAIN);
        assert_eq!(
            check(&script, TEXT, &full(&signed)),
            (MessageStatus::Valid, None),
            "{kind:?}"
        );
        if !matches!(kind, Kind::P2pkh | Kind::P2shMultisig) {
            assert_eq!(
                check(&script, TEXT, &simple(&signed)).0,
                MessageStatus::Valid,
                "{kind:?}"
            );
        }
        let changed = check(&script, b"I hold those coins.", &full(&signed));
        assert_eq!(changed.1, Some(MessageReason::OtherMessage), "{kind:?}");

        // A right signature over the same message, by a key that the address does not commit to.
        let forged = sign(kind, (&own, &other), &foreign, TEXT, PLAIN);
        assert_eq!(
            check(&script, TEXT, &full(&forged)).0,
            MessageStatus::Invalid,
            "{kind:?}"
        );
        // And one for another address of that key.
        let elsewhere = sign(kind, (&foreign, &other), &foreign, TEXT, PLAIN);
        assert_eq!(
            check(&script, TEXT, &full(&elsewhere)).0,
            MessageStatus::Invalid,
            "{kind:?}"
        );
        if kind != Kind::P2pkh && kind != Kind::P2shMultisig {
            assert_eq!(
                check(&script, TEXT, &simple(&elsewhere)).0,
                MessageStatus::Invalid,
                "{kind:?}"
            );
        }
    }
}

#[test]
fn signatures_commit_to_everything() {
    let (own, other) = (key(1), key(2));
    for kind in KINDS {
        let script = script_pubkey(kind, &own, &other);
        for sighash in [2, 3, 0x81, 0x82, 0x83] {
            let signed = sign(kind, (&own, &other), &own, TEXT, Twist { sighash, ..PLAIN });
            let found = check(&script, TEXT, &full(&signed));
            assert_eq!(
                found,
                (MessageStatus::Invalid, Some(MessageReason::Sighash)),
                "{kind:?} {sighash}"
            );
        }
    }
}

#[test]
fn a_high_s_is_refused() {
    let (own, other) = (key(1), key(2));
    for kind in KINDS {
        if kind == Kind::P2tr {
            continue;
        }
        let script = script_pubkey(kind, &own, &other);
        let signed = sign(
            kind,
            (&own, &other),
            &own,
            TEXT,
            Twist {
                high_s: true,
                ..PLAIN
            },
        );
        let found = check(&script, TEXT, &full(&signed));
        assert_eq!(
            found,
            (MessageStatus::Invalid, Some(MessageReason::NotStrict)),
            "{kind:?}"
        );
    }
}

#[test]
fn locks_are_told_and_other_versions_are_inconclusive() {
    let (own, other) = (key(1), key(2));
    let script = script_pubkey(Kind::P2wpkh, &own, &other);
    let locked = Twist {
        version: 2,
        sequence: 2016,
        ..PLAIN
    };
    let signed = sign(Kind::P2wpkh, (&own, &other), &own, TEXT, locked);
    let found = verify_message(&address(&script), TEXT, &full(&signed));
    assert_eq!(
        (found.status, found.sequence),
        (MessageStatus::ValidWithLocks, 2016)
    );
    for version in [1, 3] {
        let signed = sign(
            Kind::P2wpkh,
            (&own, &other),
            &own,
            TEXT,
            Twist { version, ..PLAIN },
        );
        let found = check(&script, TEXT, &full(&signed));
        assert_eq!(found.1, Some(MessageReason::UnknownVersion));
    }
}

/// Scripts that anyone can satisfy, or anyone who knows a text.
#[test]
fn nothing_is_valid_without_a_key_of_the_address() {
    let anyone = Builder::new().push_opcode(OP_PUSHNUM_1).into_script();
    let mut signed = to_sign(&anyone.to_p2wsh(), TEXT, PLAIN);
    signed.input[0].witness = Witness::from_slice(&[anyone.as_bytes()]);
    let found = check(&anyone.to_p2wsh(), TEXT, &full(&signed));
    assert_eq!(
        found,
        (
            MessageStatus::Inconclusive,
            Some(MessageReason::UnknownScript)
        )
    );

    let anchor = ScriptBuf::from_hex("51024e73").expect("hex");
    let signed = to_sign(&anchor, TEXT, PLAIN);
    assert_eq!(
        check(&anchor, TEXT, &full(&signed)).0,
        MessageStatus::Inconclusive
    );

    // SHA-256 of what is pushed, equal to a constant.
    let puzzle = ScriptBuf::from_hex(&format!(
        "a820{}87",
        "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
    ))
    .expect("hex");
    let mut signed = to_sign(&puzzle.to_p2wsh(), TEXT, PLAIN);
    signed.input[0].witness = Witness::from_slice(&[&[0; 32][..], puzzle.as_bytes()]);
    let found = check(&puzzle.to_p2wsh(), TEXT, &full(&signed));
    assert_eq!(found.0, MessageStatus::Inconclusive);
}

#[test]
fn stacks_are_clean_and_scripts_have_no_separator() {
    let (own, other) = (key(1), key(2));
    let script = script_pubkey(Kind::P2wsh, &own, &other);
    let mut signed = sign(Kind::P2wsh, (&own, &other), &own, TEXT, PLAIN);
    let mut elements = signed.input[0].witness.to_vec();
    elements.insert(0, vec![1]);
    signed.input[0].witness = Witness::from_slice(&elements);
    assert_eq!(
        check(&script, TEXT, &full(&signed)).0,
        MessageStatus::Invalid
    );

    let separated = Builder::new()
        .push_opcode(OP_CODESEPARATOR)
        .push_key(&public(&own))
        .push_opcode(OP_CHECKSIG)
        .into_script();
    let mut signed = to_sign(&separated.to_p2wsh(), TEXT, PLAIN);
    let code = &separated.as_bytes()[1..];
    let signature = ecdsa(&signed, Script::from_bytes(code), true, &own, PLAIN);
    signed.input[0].witness = Witness::from_slice(&[&signature[..], separated.as_bytes()]);
    let found = check(&separated.to_p2wsh(), TEXT, &full(&signed));
    assert_eq!(
        found,
        (MessageStatus::Invalid, Some(MessageReason::CodeSeparator))
    );
}

#[test]
fn an_annex_and_unknown_witness_versions_are_inconclusive() {
    let (own, other) = (key(1), key(2));
    let script = script_pubkey(Kind::P2tr, &own, &other);
    let mut signed = sign(Kind::P2tr, (&own, &other), &own, TEXT, PLAIN);
    signed.input[0].witness.push([0x50]);
    assert_ne!(check(&script, TEXT, &full(&signed)).0, MessageStatus::Valid);

    let future = ScriptBuf::from_hex(&format!("5220{}", "02".repeat(32))).expect("hex");
    let mut signed = to_sign(&future, TEXT, PLAIN);
    signed.input[0].witness = Witness::from_slice(&[[1; 64]]);
    assert_eq!(
        check(&future, TEXT, &full(&signed)).0,
        MessageStatus::Inconclusive
    );
}

#[test]
fn the_other_line_endings_are_tried_and_told() {
    let (own, other) = (key(1), key(2));
    let script = script_pubkey(Kind::P2wpkh, &own, &other);
    let signed = sign(Kind::P2wpkh, (&own, &other), &own, b"one\r\ntwo", PLAIN);
    let given = [
        (&b"one\r\ntwo"[..], None),
        (b"one\ntwo", Some(LineEndings::Crlf)),
    ];
    for (message, endings) in given {
        let found = verify_message(&address(&script), message, &simple(&signed));
        assert_eq!(
            (found.status, found.line_endings),
            (MessageStatus::Valid, endings)
        );
    }
}

#[test]
fn what_is_no_address_or_no_signature_says_so() {
    let script = script_pubkey(Kind::P2wpkh, &key(1), &key(2));
    assert_eq!(
        verify_message("bc1qnothing", TEXT, "smpAA==").reason,
        Some(MessageReason::Address)
    );
    for text in ["", "x", "!!!", "smp!", "fulAAAA", "pofAAAA", "cHNidP8="] {
        assert_eq!(
            check(&script, TEXT, text),
            (MessageStatus::Invalid, Some(MessageReason::Encoding)),
            "{text}"
        );
    }
}
