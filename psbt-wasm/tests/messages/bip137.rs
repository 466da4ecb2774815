//! Signatures from which the key is recovered.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::hashes::{Hash, sha256d};
use bitcoin::key::Keypair;
use bitcoin::secp256k1::{Message, Secp256k1};
use bitcoin::{PublicKey, ScriptBuf};
use psbt_wasm::{MessageFormat, MessageReason, MessageStatus, verify_message};

use crate::scene::*;

const TEXT: &[u8] = b"I hold these coins.";

/// The signature with its recovery id; `change` may change its 64 bytes.
fn signed(signer: &Keypair, message: &[u8]) -> (u8, [u8; 64]) {
    let length = u8::try_from(message.len()).expect("short");
    let text = [b"\x18Bitcoin Signed Message:\n", &[length][..], message].concat();
    let digest = sha256d::Hash::hash(&text).to_byte_array();
    let signature = Secp256k1::new()
        .sign_ecdsa_recoverable(&Message::from_digest(digest), &signer.secret_key());
    let (id, bytes) = signature.serialize_compact();
    (u8::try_from(id.to_i32()).expect("0 to 3"), bytes)
}

fn text(header: u8, compact: [u8; 64]) -> String {
    STANDARD.encode([&[header][..], &compact].concat())
}

#[test]
fn the_header_names_the_kind_of_address_or_is_loose() {
    let (own, other) = (key(1), key(2));
    let (id, compact) = signed(&own, TEXT);
    let cases = [
        (Kind::P2pkh, 31, Some(false)),
        (Kind::P2pkh, 27, None),
        (Kind::P2pkh, 39, Some(true)),
        (Kind::P2wpkh, 39, Some(false)),
        (Kind::P2wpkh, 31, Some(true)),
        (Kind::P2shP2wpkh, 35, Some(false)),
        (Kind::P2shP2wpkh, 31, Some(true)),
        (Kind::P2shMultisig, 35, None),
        (Kind::P2shP2wsh, 35, None),
        (Kind::P2wsh, 39, None),
    ];
    for (kind, header, loose) in cases {
        let script = script_pubkey(kind, &own, &other);
        let found = verify_message(&address(&script), TEXT, &text(header + id, compact));
        let valid = found.status == MessageStatus::Valid;
        assert_eq!(valid.then_some(found.loose), loose, "{kind:?} {header}");
        if loose.is_some() {
            assert_eq!(found.format, Some(MessageFormat::Bip137));
        }
        let wrong = verify_message(&address(&script), b"another", &text(header + id, compact));
        assert_eq!(wrong.status, MessageStatus::Invalid);
    }
    let uncompressed = PublicKey::new_uncompressed(own.public_key());
    let script = ScriptBuf::new_p2pkh(&uncompressed.pubkey_hash());
    let found = verify_message(&address(&script), TEXT, &text(27 + id, compact));
    assert_eq!((found.status, found.loose), (MessageStatus::Valid, false));
}

#[test]
fn taproot_has_none_and_another_key_or_a_high_s_is_refused() {
    let (own, other) = (key(1), key(2));
    let (id, compact) = signed(&own, TEXT);
    let taproot = script_pubkey(Kind::P2tr, &own, &other);
    let found = verify_message(&address(&taproot), TEXT, &text(31 + id, compact));
    assert_eq!(found.reason, Some(MessageReason::Bip137Taproot));
    for kind in [Kind::P2pkh, Kind::P2wpkh, Kind::P2shP2wpkh] {
        let foreign = script_pubkey(kind, &key(3), &other);
        let found = verify_message(&address(&foreign), TEXT, &text(31 + id, compact));
        assert_eq!(
            found.reason,
            Some(MessageReason::WrongSignature),
            "{kind:?}"
        );
        let script = script_pubkey(kind, &own, &other);
        let found = verify_message(
            &address(&script),
            TEXT,
            &text(31 + (id ^ 1), negated(compact)),
        );
        assert_eq!(found.reason, Some(MessageReason::NotStrict), "{kind:?}");
    }
}
