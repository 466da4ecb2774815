//! A PSBT with an input of each kind, and the keys and scripts of its inputs.

use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::key::Keypair;
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_CLTV, OP_DROP, OP_NUMEQUAL,
};
use bitcoin::script::Builder;
use bitcoin::secp256k1::{All, Secp256k1, SecretKey};
use bitcoin::taproot::{LeafVersion, TaprootBuilder, TaprootSpendInfo};
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, PublicKey, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid,
};

/// The inputs of [`unsigned`].
pub(crate) const P2PKH: usize = 0;
pub(crate) const P2WPKH: usize = 1;
pub(crate) const NESTED: usize = 2;
pub(crate) const MULTISIG: usize = 3;
pub(crate) const LEGACY_MULTISIG: usize = 4;
pub(crate) const KEY_PATH: usize = 5;
pub(crate) const LEAF: usize = 6;
pub(crate) const LEAF_MULTISIG: usize = 7;
pub(crate) const UNUSUAL: usize = 8;
pub(crate) const COUNT: usize = 9;

pub(crate) fn secp() -> Secp256k1<All> {
    Secp256k1::new()
}

pub(crate) fn pair(number: usize) -> Keypair {
    let number = u8::try_from(number + 1).expect("small");
    let secret = SecretKey::from_slice(&[number; 32]).expect("a key");
    Keypair::from_secret_key(&secp(), &secret)
}

pub(crate) fn public(number: usize) -> PublicKey {
    PublicKey::new(pair(number).public_key())
}

/// Two of the keys 10, 11 and 12.
pub(crate) fn multisig() -> ScriptBuf {
    let builder = Builder::new().push_int(2);
    let builder = (10..13).fold(builder, |builder, number| builder.push_key(&public(number)));
    builder
        .push_int(3)
        .push_opcode(OP_CHECKMULTISIG)
        .into_script()
}

/// A key after a height: nothing that has a template.
pub(crate) fn unusual() -> ScriptBuf {
    Builder::new()
        .push_int(5)
        .push_opcode(OP_CLTV)
        .push_opcode(OP_DROP)
        .push_key(&public(UNUSUAL))
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

pub(crate) fn single_leaf() -> ScriptBuf {
    Builder::new()
        .push_x_only_key(&pair(LEAF).x_only_public_key().0)
        .push_opcode(OP_CHECKSIG)
        .into_script()
}

pub(crate) fn multisig_leaf() -> ScriptBuf {
    let mut builder = Builder::new();
    for number in 10..13 {
        let opcode = if number == 10 {
            OP_CHECKSIG
        } else {
            OP_CHECKSIGADD
        };
        builder = builder
            .push_x_only_key(&pair(number).x_only_public_key().0)
            .push_opcode(opcode);
    }
    builder.push_int(2).push_opcode(OP_NUMEQUAL).into_script()
}

/// The two leaves under a key.
pub(crate) fn tree() -> TaprootSpendInfo {
    let builder = TaprootBuilder::new()
        .add_leaf(1, single_leaf())
        .and_then(|builder| builder.add_leaf(1, multisig_leaf()))
        .expect("in order");
    let internal = pair(20).x_only_public_key().0;
    builder.finalize(&secp(), internal).expect("a whole tree")
}

pub(crate) fn output_scripts() -> [ScriptBuf; COUNT] {
    let key = public(P2PKH);
    let nested = ScriptBuf::new_p2wpkh(&public(NESTED).wpubkey_hash().expect("compressed"));
    let taproot = ScriptBuf::new_p2tr_tweaked(tree().output_key());
    let (internal, _) = pair(KEY_PATH).x_only_public_key();
    [
        ScriptBuf::new_p2pkh(&key.pubkey_hash()),
        ScriptBuf::new_p2wpkh(&public(P2WPKH).wpubkey_hash().expect("compressed")),
        nested.to_p2sh(),
        multisig().to_p2wsh(),
        multisig().to_p2sh(),
        ScriptBuf::new_p2tr(&secp(), internal, None),
        taproot.clone(),
        taproot,
        unusual().to_p2wsh(),
    ]
}

/// A PSBT whose inputs spend coins with these scripts, and which pays so many outputs.
pub(crate) fn spending(scripts: Vec<ScriptBuf>, outputs: usize) -> Psbt {
    let output = |sats: usize, script_pubkey: &ScriptBuf| TxOut {
        value: Amount::from_sat(u64::try_from(sats).expect("few")),
        script_pubkey: script_pubkey.clone(),
    };
    let input = |index: usize| TxIn {
        previous_output: OutPoint::new(
            Txid::from_byte_array([9; 32]),
            index.try_into().expect("small"),
        ),
        sequence: Sequence::MAX,
        ..TxIn::default()
    };
    let transaction = Transaction {
        version: Version::TWO,
        lock_time: LockTime::ZERO,
        input: (0..scripts.len()).map(input).collect(),
        output: vec![output(1_000, &scripts[0]); outputs],
    };
    let mut psbt = Psbt::from_unsigned_tx(transaction).expect("unsigned");
    for (index, (input, script)) in psbt.inputs.iter_mut().zip(&scripts).enumerate() {
        input.witness_utxo = Some(output(10_000 + index, script));
    }
    psbt
}

/// A PSBT with an input of each kind, and the scripts that its inputs need.
pub(crate) fn unsigned() -> Psbt {
    let mut psbt = spending(output_scripts().into(), 1);
    for input in &mut psbt.unsigned_tx.input {
        input.sequence = Sequence::from_height(5);
    }
    psbt.inputs[NESTED].redeem_script = Some(ScriptBuf::new_p2wpkh(
        &public(NESTED).wpubkey_hash().expect("compressed"),
    ));
    psbt.inputs[MULTISIG].witness_script = Some(multisig());
    psbt.inputs[LEGACY_MULTISIG].redeem_script = Some(multisig());
    psbt.inputs[UNUSUAL].witness_script = Some(unusual());
    for (index, script) in [(LEAF, single_leaf()), (LEAF_MULTISIG, multisig_leaf())] {
        let leaf = (script, LeafVersion::TapScript);
        let control = tree().control_block(&leaf).expect("a leaf of the tree");
        psbt.inputs[index].tap_scripts = [(control, leaf)].into();
    }
    psbt
}
