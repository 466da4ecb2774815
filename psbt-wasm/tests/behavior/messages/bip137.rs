//! Signatures from which the key is recovered.

use super::*;

const TEXT: &[u8] = b"I hold these coins.";

/// The signature of the first key, with its recovery id.
pub(super) fn signed(message: &[u8]) -> (u8, [u8; 64]) {
    let length = u8::try_from(message.len()).expect("short");
    let text = [b"\x18Bitcoin Signed Message:\n", &[length][..], message].concat();
    let digest = Message::from_digest(sha256d::Hash::hash(&text).to_byte_array());
    let signature = secp().sign_ecdsa_recoverable(&digest, &key(1).0.secret_key());
    let (id, bytes) = signature.serialize_compact();
    (u8::try_from(id.to_i32()).expect("0 to 3"), bytes)
}

/// What is found of a signature with this header.
fn found(script: &Script, message: &[u8], header: u8, compact: [u8; 64]) -> MessageCheck {
    let signature = STANDARD.encode([&[header][..], &compact].concat());
    verify_message(&address(script), message, &signature)
}

#[test]
fn the_header_names_the_kind_of_address_or_is_loose() {
    let (id, compact) = signed(TEXT);
    let uncompressed = PublicKey::new_uncompressed(key(1).public().inner);
    let uncompressed = ScriptBuf::new_p2pkh(&uncompressed.pubkey_hash());
    let of = |kind| scripts(kind, 1).0;
    for (script, header, loose) in [
        (of(Kind::P2pkh), 31, Some(false)),
        (of(Kind::P2pkh), 27, None),
        (of(Kind::P2pkh), 39, Some(true)),
        (of(Kind::P2wpkh), 39, Some(false)),
        (of(Kind::P2wpkh), 31, Some(true)),
        (of(Kind::P2shP2wpkh), 35, Some(false)),
        (of(Kind::P2shP2wpkh), 31, Some(true)),
        (of(Kind::P2shMultisig), 35, None),
        (of(Kind::P2shP2wsh), 35, None),
        (of(Kind::P2wsh), 39, None),
        (uncompressed, 27, Some(false)),
    ] {
        let right = found(&script, TEXT, header + id, compact);
        let valid = right.status == MessageStatus::Valid;
        assert_eq!(valid.then_some(right.loose), loose, "{script} {header}");
        if loose.is_some() {
            assert_eq!(right.format, Some(MessageFormat::Bip137));
        }
        let wrong = found(&script, b"another", header + id, compact);
        assert_eq!(wrong.status, MessageStatus::Invalid);
    }
}

#[test]
fn taproot_has_none_and_another_key_or_a_high_s_is_refused() {
    let (id, compact) = signed(TEXT);
    let reason = |kind, first, header, compact| {
        let (script, ..) = scripts(kind, first);
        found(&script, TEXT, header, compact).reason
    };
    let taproot = reason(Kind::P2tr, 1, 31 + id, compact);
    assert_eq!(taproot, Some(MessageReason::Bip137Taproot));
    for kind in [Kind::P2pkh, Kind::P2wpkh, Kind::P2shP2wpkh] {
        let foreign = reason(kind, 3, 31 + id, compact);
        assert_eq!(foreign, Some(MessageReason::WrongSignature), "{kind:?}");
        let high_s = reason(kind, 1, 31 + (id ^ 1), negated(compact));
        assert_eq!(high_s, Some(MessageReason::NotStrict), "{kind:?}");
    }
}
