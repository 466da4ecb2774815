//! What leaves the browser: nothing that a verifier does not need. `differential` compares each field of each file.

use super::*;

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

/// Each key is looked for among the hashes that the scripts push, which are found once: a file of a megabyte is stripped in
/// about the time that it is read in, not by the product of its keys and its scripts.
#[test]
fn thousands_of_keys_beside_a_long_script_are_stripped() {
    let mut psbt = simple(1, 1);
    let long = [0x51, 0x75].repeat(40_000);
    let script = [key(1).legacy().into_bytes(), long].concat();
    let input = &mut psbt.inputs[0];
    input.witness_script = Some(script.into());
    let source = (Fingerprint::default(), DerivationPath::default());
    for number in 0..3_000_u32 {
        let mut secret = [1; 32];
        secret[..4].copy_from_slice(&(number + 1).to_be_bytes());
        let secret = SecretKey::from_slice(&secret).expect("a key");
        let public = secret.public_key(&secp());
        input.bip32_derivation.insert(public, source.clone());
    }
    let named = key(1).public().inner;
    input.bip32_derivation.insert(named, source.clone());
    let left = &stripped(&psbt).inputs[0].bip32_derivation;
    assert_eq!(left, &[(named, source)].into());
}
