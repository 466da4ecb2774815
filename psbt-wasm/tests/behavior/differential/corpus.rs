//! Files to begin with: fixtures of this repository, and published vectors if `PSBT_VECTORS_DIR` names them.

use std::path::Path;

use bitcoin::absolute::{Height, Time};
use psbt_v2::v2;

use super::extended_keys::{VERSIONS, with_keys, with_version};
use super::*;

/// Named files, as binary.
pub(crate) fn files() -> Vec<(String, Vec<u8>)> {
    let keys = VERSIONS.map(with_version);
    let version_2 = as_version_2(&mixed()).serialize();
    let mut files = vec![
        ("mixed".into(), mixed().serialize()),
        ("rich".into(), rich().serialize()),
        (
            "extended keys".into(),
            with_keys(&mixed().serialize(), &keys),
        ),
        ("the same".into(), with_keys(&version_2, &keys)),
        ("simple".into(), simple(5_000, 4_000).serialize()),
        ("implausible".into(), simple(1, 2).serialize()),
        ("transaction".into(), serialize(&final_transaction())),
    ];
    let variants = variants().into_iter();
    files.extend(variants.map(|(name, psbt)| (name.into(), psbt.serialize())));
    files.extend(scripts().map(|psbt| ("script".into(), psbt.serialize())));
    files.extend(counts().map(|file| ("a count".into(), file)));
    files.extend(second_versions().map(|psbt| ("version 2".into(), psbt.serialize())));
    add_folder(&mut files);
    if let Some(vectors) = std::env::var_os("PSBT_VECTORS_DIR") {
        for name in [
            "core/rpc_psbt.json",
            "bips/bip-0322_basic-test-vectors.json",
            "bips/bip-0322_generated-test-vectors.json",
            "bips/bip-0375_bip375_test_vectors.json",
        ] {
            add_json(&mut files, &Path::new(&vectors).join(name));
        }
    }
    files
}

/// A PSBT with every field that the fixtures of the other tests lack.
fn rich() -> Psbt {
    let mut psbt = mixed();
    let preimage = b"preimage".to_vec();
    let leaf = ScriptBuf::from_hex("51").expect("hex");
    let leaf_hash = TapLeafHash::from_script(&leaf, LeafVersion::TapScript);
    let origin = psbt.inputs[P2WPKH].bip32_derivation.clone();

    let input = &mut psbt.inputs[P2TR];
    input.tap_script_sigs = [((key(4).x_only(), leaf_hash), key(4).schnorr())].into();
    show(input, leaf.clone());
    input.tap_merkle_root = Some(Hash::from_byte_array([3; 32]));
    for (leaves, _) in input.tap_key_origins.values_mut() {
        leaves.push(leaf_hash);
    }

    let input = &mut psbt.inputs[P2PKH];
    input.sighash_type = Some(EcdsaSighashType::None.into());
    input.redeem_script = Some(key(1).legacy());
    input.witness_script = Some(key(2).legacy());
    input.ripemd160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.sha256_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash160_preimages = [(Hash::hash(&preimage), preimage.clone())].into();
    input.hash256_preimages = [(Hash::hash(&preimage), preimage)].into();
    input.bip32_derivation.extend(origin.clone());

    let mut depths = [1, 2, 2].into_iter();
    let add = |tree: TaprootBuilder, depth| tree.add_leaf(depth, leaf.clone());
    let builder = depths.try_fold(TaprootBuilder::new(), add);
    let tree = builder.expect("in order").try_into_taptree();
    let output = &mut psbt.outputs[0];
    output.tap_tree = Some(tree.expect("a whole tree"));
    output.redeem_script = Some(key(1).segwit());
    output.witness_script = Some(key(1).legacy());
    output.bip32_derivation = origin;
    psbt
}

/// Shows a leaf under the key of the taproot input.
fn show(input: &mut Input, leaf: ScriptBuf) {
    let control = [&[0xc0], &key(4).x_only().serialize()[..]].concat();
    let control = ControlBlock::decode(&control).expect("a control block");
    input.tap_scripts = [(control, (leaf, LeafVersion::TapScript))].into();
}

/// What a verdict, a report or the minimal file depends on, one by one.
fn variants() -> Vec<(&'static str, Psbt)> {
    const ALL_COINS: u64 = 2_100_000_000_000_000;
    let nested = |redeem: Option<ScriptBuf>| {
        let mut psbt = simple(2, 1);
        let utxo = psbt.inputs[0].witness_utxo.as_mut().expect("it has one");
        utxo.script_pubkey = key(3).nested();
        psbt.inputs[0].redeem_script = redeem;
        psbt
    };
    let mut files = vec![
        ("no redeem script", nested(None)),
        ("a redeem script", nested(Some(key(3).segwit()))),
        ("another redeem script", nested(Some(key(9).segwit()))),
        ("more out than in", simple(99, 100)),
        ("too much in", simple(ALL_COINS + 1, 100)),
        ("far too much in", simple(u64::MAX, 100)),
        ("too much out", simple(ALL_COINS, ALL_COINS + 1)),
    ];
    type Change = fn(&mut Psbt);
    let changes: [(&str, Change); 9] = [
        ("no value", |it| it.inputs[P2WPKH].witness_utxo = None),
        ("an empty final field", |it| {
            it.inputs[P2PKH].final_script_sig = Some(ScriptBuf::new());
        }),
        ("one coin twice", |it| {
            it.unsigned_tx.input[3].previous_output = it.unsigned_tx.input[0].previous_output;
        }),
        ("no such output", |it| {
            it.unsigned_tx.input[P2PKH].previous_output.vout = 2;
        }),
        ("another value than before", |it| {
            let utxo = it.inputs[P2SH_P2WPKH].witness_utxo.as_mut();
            utxo.expect("it has one").value += Amount::ONE_SAT;
        }),
        ("another script than before", |it| {
            let utxo = it.inputs[P2SH_P2WPKH].witness_utxo.as_mut();
            utxo.expect("it has one").script_pubkey = key(9).segwit();
        }),
        ("another previous transaction", |it| {
            let previous = it.inputs[P2PKH].non_witness_utxo.as_mut();
            previous.expect("it has one").output[1].value += Amount::ONE_SAT;
        }),
        ("a sum beyond all numbers", |it| {
            it.unsigned_tx.output[0].value = Amount::from_sat(u64::MAX);
            it.unsigned_tx.output[1].value = Amount::from_sat(2);
        }),
        ("no coin at all", |it| {
            it.unsigned_tx.input.clear();
            it.inputs.clear();
        }),
    ];
    files.extend(changes.map(|(name, change)| {
        let mut psbt = mixed();
        change(&mut psbt);
        (name, psbt)
    }));
    // Nothing is needed once the input is final.
    let mut is_final = rich();
    is_final.inputs[P2PKH].final_script_witness = Some(vec![vec![1]].into());
    files.push(("hashed keys of a final input", is_final));
    files.push(("a leaf with the hash of a key", with_hash_in_leaf()));
    files.push(("the virtual transaction of BIP-0322", virtual_transaction()));
    files
}

/// A leaf with the hash of one of two keys. Its owner has not signed yet.
fn with_hash_in_leaf() -> Psbt {
    let hashed = key(4).x_only().serialize();
    let hash = hash160::Hash::hash(&hashed).to_byte_array();
    let mut psbt = mixed();
    let input = &mut psbt.inputs[P2TR];
    show(input, ScriptBuf::builder().push_slice(hash).into_script());
    let origin = input.tap_key_origins[&key(4).x_only()].clone();
    input.tap_key_origins.insert(key(5).x_only(), origin);
    psbt
}

/// Only the file has the challenge's script, because `to_spend` is on no chain.
fn virtual_transaction() -> Psbt {
    let mut to_spend = spending(&[OutPoint::null()], vec![output(0, key(2).legacy())]);
    (to_spend.version, to_spend.lock_time) = (Version(0), LockTime::ZERO);
    to_spend.input[0].sequence = Sequence::ZERO;
    let to_spend_output = OutPoint::new(to_spend.compute_txid(), 0);
    let bare = output(0, ScriptBuf::new_op_return([]));
    let mut psbt = unsigned(&[to_spend_output], vec![bare]);
    psbt.inputs[0].non_witness_utxo = Some(to_spend);
    psbt
}

/// An output of each kind of script.
fn scripts() -> impl Iterator<Item = Psbt> {
    let key = key(1);
    let multisig = format!("5121{}51ae", key.public());
    let hex = |text: &str| ScriptBuf::from_hex(text).expect("hex");
    let scripts = [
        ScriptBuf::new_p2pk(&key.public()),
        key.legacy(),
        key.nested(),
        key.segwit(),
        key.segwit().to_p2wsh(),
        key.taproot(),
        hex(&multisig),
        hex("51024e73"),
        hex("5302abcd"),
        ScriptBuf::new(),
    ];
    scripts.into_iter().map(|script| {
        let mut psbt = simple(2, 1);
        psbt.unsigned_tx.output[0].script_pubkey = script;
        psbt
    })
}

/// Files of version 2 that count more inputs than they have, far more, and fewer.
fn counts() -> impl Iterator<Item = Vec<u8>> {
    // PSBT_GLOBAL_INPUT_COUNT: the length of the key, the key, the length of the value, the value.
    let whole = as_version_2(&mixed()).serialize();
    let at = whole.windows(4).position(|window| window == [1, 4, 1, 4]);
    let at = at.expect("the count") + 2;
    const HUGE: [u8; 10] = [9, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f];
    let counts: [&[u8]; 3] = [&[1, 5], &HUGE, &[1, 3]];
    counts.into_iter().map(move |count| {
        let mut file = whole.clone();
        file.splice(at..at + 2, count.iter().copied());
        file
    })
}

/// Version 2 (BIP-0370) without a sequence, and the lock times that two inputs may require.
fn second_versions() -> impl Iterator<Item = v2::Psbt> {
    let mut no_sequence = as_version_2(&mixed());
    no_sequence.inputs[1].sequence = None;
    let height = |value| Some(Height::from_consensus(value).expect("a height"));
    let time = |value| Some(Time::from_consensus(value).expect("a time"));
    let (early, late) = (1_600_000_000, 1_700_000_000);
    let required = [
        [(None, None), (None, None)],
        [(height(10), None), (height(20), None)],
        [(height(20), None), (height(10), None)],
        [(None, time(late)), (None, time(early))],
        [(height(10), time(early)), (None, time(late))],
        [(height(10), time(early)), (None, None)],
        [(height(10), None), (None, time(late))],
    ];
    let locked = required.into_iter().map(|required| {
        let mut psbt = as_version_2(&mixed());
        for (input, (height, time)) in psbt.inputs.iter_mut().zip(required) {
            (input.min_height, input.min_time) = (height, time);
        }
        psbt
    });
    locked.chain([no_sequence])
}

/// The files of the node tests.
fn add_folder(files: &mut Vec<(String, Vec<u8>)>) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/node/fixtures");
    for entry in folder.read_dir().expect("the fixtures") {
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

/// The same file in every encoding that wallets, editors and shells use.
pub(crate) fn dressed(file: &[u8]) -> Vec<(Encoding, Vec<u8>)> {
    let (base64, hex) = (STANDARD.encode(file), file.to_lower_hex_string());
    let marked = |text: &str| format!("\u{feff}{text}");
    let utf_16 = |text: &str, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        marked(text).encode_utf16().flat_map(unit).collect()
    };
    let base64s = [
        base64.clone(),
        // BIP-0322: a proof of funds, and a signature in the form "full".
        format!("pof{base64}"),
        format!("ful{base64}\n"),
        marked(&format!("{base64}\r\n")),
        format!(" \t{base64} "),
        wrapped(&base64, "\n"),
        wrapped(&base64, "\r\n"),
        base64.trim_end_matches('=').to_owned(),
    ];
    let hexes = [
        hex.clone(),
        marked(&format!("{hex}\n")),
        wrapped(&hex.to_uppercase(), "\r\n"),
    ];
    let base64s = base64s.map(|text| (Encoding::Base64, text.into_bytes()));
    let hexes = hexes.map(|text| (Encoding::Hex, text.into_bytes()));
    let others = [
        (Encoding::Binary, file.to_vec()),
        (Encoding::Base64, utf_16(&base64, u16::to_le_bytes)),
        (Encoding::Hex, utf_16(&hex, u16::to_be_bytes)),
    ];
    base64s.into_iter().chain(hexes).chain(others).collect()
}

fn wrapped(text: &str, line_end: &str) -> String {
    let lines = text.as_bytes().chunks(64);
    let lines = lines.map(|line| String::from_utf8_lossy(line) + line_end);
    lines.collect()
}

/// Damaged texts, and texts with unusual base64.
pub(crate) fn damaged_texts(file: &[u8]) -> Vec<Vec<u8>> {
    let (base64, hex) = (STANDARD.encode(file), file.to_lower_hex_string());
    let utf16: Vec<u8> = base64.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let trimmed = base64.trim_end_matches('=');
    let ends = ["=", "==", "===", "A", "AA", "A=", "!", "B==", "AAA="];
    let mut texts = ends.map(|end| format!("{trimmed}{end}")).to_vec();
    texts.extend([format!("{hex}0"), format!("{base64}\u{e9}")]);
    let mut texts: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    texts.push([&[0xff, 0xfe], &utf16[..utf16.len() - 1]].concat());
    texts
}
