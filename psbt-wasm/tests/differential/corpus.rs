//! Files to begin with: fixtures of this repository, and vectors where they are at hand.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::consensus::encode::serialize;
use bitcoin::hex::{DisplayHex, FromHex};
use bitcoin::taproot::{ControlBlock, LeafVersion, TapLeafHash, TaprootBuilder};
use bitcoin::{Psbt, ScriptBuf, hashes::Hash};
use serde_json::Value;

use crate::fixtures::{P2PKH, P2TR, P2WPKH, final_transaction, key, mixed, simple};

/// Named files, as binary.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("mixed".into(), mixed().serialize()),
        ("rich".into(), rich().serialize()),
        ("zpub".into(), with_zpub(&mixed())),
        ("simple".into(), simple(5_000, 4_000).serialize()),
        ("implausible".into(), simple(1, 2).serialize()),
        ("transaction".into(), serialize(&final_transaction())),
    ];
    add_folder(
        &mut files,
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/fixtures"),
    );
    if let Some(vectors) = std::env::var_os("PSBT_VECTORS_DIR") {
        add_json(&mut files, &Path::new(&vectors).join("core/rpc_psbt.json"));
        for name in ["bip-0322_basic", "bip-0322_generated", "bip-0375_bip375"] {
            let names = [
                format!("{name}-test-vectors"),
                format!("{name}_test_vectors"),
            ];
            for name in names {
                add_json(
                    &mut files,
                    &Path::new(&vectors).join(format!("bips/{name}.json")),
                );
            }
        }
    }
    files
}

/// A PSBT with every field that the fixtures of the other tests lack.
fn rich() -> Psbt {
    let mut psbt = mixed();
    let preimage = b"preimage".to_vec();
    let leaf = ScriptBuf::from_hex("51").expect("hex");
    let control = ControlBlock::decode(&[&[0xc0], &key(4).x_only().serialize()[..]].concat());
    let leaf_hash = TapLeafHash::from_script(&leaf, LeafVersion::TapScript);
    let origin = psbt.inputs[P2WPKH].bip32_derivation.clone();

    let input = &mut psbt.inputs[P2TR];
    input.tap_script_sigs = [((key(4).x_only(), leaf_hash), key(4).schnorr())].into();
    input.tap_scripts = [(
        control.expect("a control block"),
        (leaf.clone(), LeafVersion::TapScript),
    )]
    .into();
    input.tap_merkle_root = Some(Hash::from_byte_array([3; 32]));
    for (leaves, _) in input.tap_key_origins.values_mut() {
        leaves.push(leaf_hash);
    }

    let input = &mut psbt.inputs[P2PKH];
    input.sighash_type = Some(bitcoin::sighash::EcdsaSighashType::None.into());
    input.redeem_script = Some(key(1).legacy());
    input.witness_script = Some(key(2).legacy());
    input.ripemd160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.sha256_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash256_preimages = [(Hash::hash(&preimage), preimage)].into();
    input.bip32_derivation.extend(origin.clone());

    let builder = TaprootBuilder::new()
        .add_leaf(1, leaf.clone())
        .and_then(|builder| builder.add_leaf(2, leaf.clone()))
        .and_then(|builder| builder.add_leaf(2, leaf));
    let output = &mut psbt.outputs[0];
    output.tap_tree = Some(
        builder
            .expect("in order")
            .try_into_taptree()
            .expect("a whole tree"),
    );
    output.redeem_script = Some(key(1).segwit());
    output.witness_script = Some(key(1).legacy());
    output.bip32_derivation = origin;
    psbt
}

/// The extended public key of a PSBT once more, in the way of SLIP-0132.
fn with_zpub(psbt: &Psbt) -> Vec<u8> {
    let (key, (fingerprint, _)) = psbt.xpub.first_key_value().expect("the fixture has one");
    let mut file = psbt.serialize();
    let mut field = vec![79, 0x01, 0x04, 0xb2, 0x47, 0x46];
    field.extend(&key.encode()[4..]);
    field.push(4);
    field.extend(fingerprint.to_bytes());
    file.splice(5..5, field);
    file
}

fn add_folder(files: &mut Vec<(String, Vec<u8>)>, folder: &Path) {
    for entry in std::fs::read_dir(folder).expect("the fixtures") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        add_text(files, &path.display().to_string(), text.trim());
    }
}

/// Every text in a JSON document that is a file.
fn add_json(files: &mut Vec<(String, Vec<u8>)>, path: &Path) {
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    let mut waiting: Vec<Value> = vec![serde_json::from_str(&text).expect("JSON")];
    while let Some(value) = waiting.pop() {
        match value {
            Value::String(text) => add_text(files, &path.display().to_string(), &text),
            Value::Array(values) => waiting.extend(values),
            Value::Object(members) => waiting.extend(members.into_iter().map(|(_, value)| value)),
            _ => {}
        }
    }
}

fn add_text(files: &mut Vec<(String, Vec<u8>)>, name: &str, text: &str) {
    if text.len() < 40 {
        return;
    }
    let hex = Vec::from_hex(text).ok();
    if let Some(bytes) = hex.or_else(|| STANDARD.decode(text).ok()) {
        files.push((format!("{name} {}", files.len()), bytes));
    }
}

/// The same file as texts, sound and damaged.
pub(crate) fn dressed(file: &[u8]) -> Vec<Vec<u8>> {
    let (base64, hex) = (STANDARD.encode(file), hex(file));
    let utf16: Vec<u8> = base64.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let trimmed = base64.trim_end_matches('=');
    let mut texts = vec![
        base64.clone(),
        hex.clone(),
        hex.to_uppercase(),
        format!("pof{base64}"),
        format!("ful{base64}"),
        format!("\u{feff}{base64}\r\n"),
        trimmed.to_owned(),
        format!("{hex}0"),
        format!("{base64}\u{e9}"),
    ];
    texts.extend(
        ["=", "==", "===", "A", "AA", "A=", "!", "B==", "AAA="]
            .map(|end| format!("{trimmed}{end}")),
    );
    let mut texts: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    texts.push([&[0xff, 0xfe], &utf16[..]].concat());
    texts.push([&[0xff, 0xfe], &utf16[..utf16.len() - 1]].concat());
    texts
}

pub(crate) fn hex(file: &[u8]) -> String {
    file.to_lower_hex_string()
}
