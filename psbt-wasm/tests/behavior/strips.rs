//! What leaves the browser: nothing that a verifier does not need.

use bitcoin::absolute::LockTime;
use bitcoin::bip32::{DerivationPath, Fingerprint};
use bitcoin::consensus::encode::serialize;
use bitcoin::hashes::{Hash, hash160};
use bitcoin::psbt::Output;
use bitcoin::sighash::EcdsaSighashType;
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash};
use bitcoin::transaction::Version;
use bitcoin::{Amount, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxIn, TxOut};
use psbt_wasm::{Network, strip};

use crate::fixtures::{
    P2PKH, P2SH_P2WPKH, P2TR, P2WPKH, SIGNED_MESSAGE, final_transaction, key, mixed, simple,
    spending, unknown,
};
use crate::reports::report_of;

fn stripped(psbt: &Psbt) -> Psbt {
    let minimal = strip(psbt.serialize()).expect("well-formed");
    Psbt::deserialize(&minimal).expect("still a PSBT")
}

#[test]
fn nothing_private_is_left() {
    let minimal = stripped(&mixed()).serialize();
    let secrets: [&[u8]; 5] = [
        &[0xde, 0xad, 0xbe, 0xef],
        b"VENDOR",
        b"vendor",
        b"future",
        &[0x04, 0x88, 0xb2, 0x1e],
    ];
    for secret in secrets {
        let found = |bytes: &[u8]| bytes.windows(secret.len()).any(|window| window == secret);
        assert!(found(&mixed().serialize()), "the fixture has {secret:?}");
        assert!(!found(&minimal), "{secret:?} is left");
    }
    let report = report_of(&minimal, Network::Mainnet);
    assert_eq!(report.private, Default::default());
}

#[test]
fn outputs_are_bare() {
    assert_eq!(
        stripped(&mixed()).outputs,
        vec![Output::default(), Output::default()]
    );
}

#[test]
fn all_that_finalizing_needs_is_left() {
    let (before, after) = (mixed(), stripped(&mixed()));
    assert_eq!(after.unsigned_tx, before.unsigned_tx);
    for index in [P2WPKH, P2PKH, P2SH_P2WPKH, P2TR] {
        let mut expected = before.inputs[index].clone();
        expected.non_witness_utxo = None;
        expected.bip32_derivation.clear();
        expected.tap_key_origins.clear();
        expected.proprietary.clear();
        expected
            .unknown
            .retain(|key, _| key.type_value == SIGNED_MESSAGE);
        assert_eq!(after.inputs[index], expected);
    }
}

/// An input with every field that wallets rarely set; `mixed` has the others.
#[test]
fn rare_fields_that_finalizing_needs_are_left() {
    let preimage = b"preimage".to_vec();
    let leaf = ScriptBuf::from_hex("51").expect("hex");
    let control = ControlBlock::decode(&[&[0xc0], &key(4).x_only().serialize()[..]].concat());
    let mut psbt = simple(2, 1);
    let input = &mut psbt.inputs[0];
    input.sighash_type = Some(EcdsaSighashType::All.into());
    input.redeem_script = Some(key(1).segwit());
    input.witness_script = Some(leaf.clone());
    input.ripemd160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.sha256_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash256_preimages = [(Hash::hash(&preimage), preimage)].into();
    let leaf_key = (
        key(4).x_only(),
        TapLeafHash::from_script(&leaf, LeafVersion::TapScript),
    );
    input.tap_script_sigs = [(leaf_key, key(4).schnorr())].into();
    input.tap_scripts = [(
        control.expect("a control block"),
        (leaf, LeafVersion::TapScript),
    )]
    .into();
    input.tap_internal_key = Some(key(4).x_only());
    input.tap_merkle_root = Some(Hash::from_byte_array([3; 32]));
    assert_eq!(stripped(&psbt), psbt);
}

/// Each key is looked for among the hashes that the scripts push, which are found once: a file of a megabyte is stripped in
/// about the time that it is read in, not by the product of its keys and its scripts.
#[test]
fn thousands_of_keys_beside_a_long_script_are_stripped() {
    let mut psbt = simple(1, 1);
    let mut script = key(1).legacy().into_bytes();
    for _ in 0..40_000 {
        script.extend([0x51, 0x75]);
    }
    psbt.inputs[0].witness_script = Some(script.into());
    let source = (Fingerprint::default(), DerivationPath::default());
    for number in 0..3_000_u32 {
        let mut secret = [1; 32];
        secret[..4].copy_from_slice(&(number + 1).to_be_bytes());
        let secret = bitcoin::secp256k1::SecretKey::from_slice(&secret).expect("a key");
        let public = secret.public_key(&bitcoin::secp256k1::Secp256k1::new());
        psbt.inputs[0]
            .bip32_derivation
            .insert(public, source.clone());
    }
    psbt.inputs[0]
        .bip32_derivation
        .insert(key(1).public().inner, source.clone());
    let left = &stripped(&psbt).inputs[0].bip32_derivation;
    assert_eq!(left, &[(key(1).public().inner, source)].into());
}

/// A threshold of key hashes: a cosigner who has not signed must still show the key, so the key stays without its origin.
#[test]
fn keys_that_a_script_has_the_hash_of_are_left_without_their_origin() {
    let (hashed, other) = (key(1), key(2));
    let mut psbt = simple(2, 1);
    psbt.inputs[0].witness_script = Some(hashed.legacy());
    psbt.inputs[0].bip32_derivation = mixed().inputs[P2WPKH].bip32_derivation.clone();
    let (_, origin) = psbt.inputs[0]
        .bip32_derivation
        .pop_first()
        .expect("an origin");
    for key in [&hashed, &other] {
        let keys = &mut psbt.inputs[0].bip32_derivation;
        keys.insert(key.public().inner, origin.clone());
    }
    let left = &stripped(&psbt).inputs[0].bip32_derivation;
    let nowhere = (Fingerprint::default(), DerivationPath::default());
    assert_eq!(left, &[(hashed.public().inner, nowhere)].into());
    let report = report_of(&stripped(&psbt).serialize(), Network::Mainnet);
    assert_eq!(report.private, Default::default());

    // Nothing is needed once the input is final.
    psbt.inputs[0].final_script_witness = Some(vec![vec![1]].into());
    assert!(stripped(&psbt).inputs[0].bip32_derivation.is_empty());
}

/// The same in a leaf, where keys are x-only.
#[test]
fn x_only_keys_that_a_leaf_has_the_hash_of_are_left_without_their_origin() {
    let hashed = key(4).x_only();
    let hash = hash160::Hash::hash(&hashed.serialize());
    let leaf = ScriptBuf::builder()
        .push_slice(hash.to_byte_array())
        .into_script();
    let control = ControlBlock::decode(&[&[0xc0], &hashed.serialize()[..]].concat());
    let mut psbt = simple(1, 1);
    let input = &mut psbt.inputs[0];
    input.tap_scripts = [(
        control.expect("a control block"),
        (leaf, LeafVersion::TapScript),
    )]
    .into();
    input.tap_key_origins = mixed().inputs[P2TR].tap_key_origins.clone();
    let (_, origin) = input.tap_key_origins.pop_first().expect("an origin");
    for key in [hashed, key(5).x_only()] {
        input.tap_key_origins.insert(key, origin.clone());
    }
    let left = &stripped(&psbt).inputs[0].tap_key_origins;
    let nowhere = (Fingerprint::default(), DerivationPath::default());
    assert_eq!(left, &[(hashed, (Vec::new(), nowhere))].into());
}

#[test]
fn the_signed_message_is_left() {
    let after = stripped(&mixed());
    let message = unknown(SIGNED_MESSAGE);
    assert_eq!(after.unknown.get(&message), Some(&b"message".to_vec()));
    assert_eq!(
        after.inputs[P2PKH].unknown.get(&message),
        Some(&b"proof".to_vec())
    );
}

/// The challenge's script is nowhere else: `to_spend` is on no chain.
#[test]
fn the_virtual_transaction_of_bip_322_is_left() {
    let challenge = key(2).legacy();
    let to_spend = Transaction {
        version: Version(0),
        lock_time: LockTime::ZERO,
        input: vec![TxIn {
            sequence: Sequence::ZERO,
            ..TxIn::default()
        }],
        output: vec![TxOut {
            value: Amount::ZERO,
            script_pubkey: challenge.clone(),
        }],
    };
    let message = TxOut {
        value: Amount::ZERO,
        script_pubkey: ScriptBuf::new_op_return([]),
    };
    let to_sign = spending(&[OutPoint::new(to_spend.compute_txid(), 0)], vec![message]);
    let mut psbt = Psbt::from_unsigned_tx(to_sign).expect("unsigned");
    psbt.inputs[0].non_witness_utxo = Some(to_spend);
    assert_eq!(stripped(&psbt), psbt);

    let report = report_of(&psbt.serialize(), Network::Mainnet);
    assert_eq!(report.inputs[0].script_pubkey, Some(challenge.as_bytes()));
    assert_eq!(report.private.previous_transactions, 0);
}

#[test]
fn stripping_twice_is_stripping_once() {
    let once = strip(mixed().serialize()).expect("well-formed");
    assert_eq!(strip(&once[..]), Ok(once.clone()));
}

#[test]
fn text_becomes_binary() {
    let hex = mixed().serialize_hex();
    let from_text = strip(hex.as_bytes()).expect("well-formed");
    assert_eq!(strip(mixed().serialize()), Ok(from_text.clone()));
    assert!(from_text.starts_with(b"psbt\xff"));
}

#[test]
fn a_final_transaction_stays_whole() {
    let bytes = serialize(&final_transaction());
    assert_eq!(strip(&bytes[..]), Ok(bytes.clone()));
}
