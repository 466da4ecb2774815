//! Which inputs are validly signed: really signed files of every kind, whole and damaged.

use super::*;

mod bounds;
mod branches;
mod extracting;
mod incomplete;
mod legacy;
mod relative_locks;
mod valid;
mod wrong;

/// The inputs of [`unsigned`].
const P2PKH: usize = 0;
const P2WPKH: usize = 1;
const NESTED: usize = 2;
const MULTISIG: usize = 3;
const LEGACY_MULTISIG: usize = 4;
const KEY_PATH: usize = 5;
const LEAF: usize = 6;
const LEAF_MULTISIG: usize = 7;
const UNUSUAL: usize = 8;
const COUNT: usize = 9;

/// The key of the input with this number, or of a script.
fn own(number: usize) -> TestKey {
    key(u8::try_from(number + 1).expect("small"))
}

/// Two of the keys 10, 11 and 12.
fn two_of_three() -> ScriptBuf {
    multisig(2, &[10, 11, 12].map(|number| own(number).public()))
}

/// A key after a number that is dropped, which matches no template.
fn unusual() -> ScriptBuf {
    let dropped = Builder::new().push_int(5).push_opcode(OP_DROP);
    let script = dropped.push_key(&own(UNUSUAL).public());
    script.push_opcode(OP_CHECKSIG).into_script()
}

/// The leaves under a key: that of [`LEAF`], and that of [`LEAF_MULTISIG`].
fn leaves() -> [ScriptBuf; 2] {
    let check = |script: Builder, number, opcode| {
        let script = script.push_x_only_key(&own(number).x_only());
        script.push_opcode(opcode)
    };
    let two = check(Builder::new(), 10, OP_CHECKSIG);
    let two = check(check(two, 11, OP_CHECKSIGADD), 12, OP_CHECKSIGADD);
    let two = two.push_int(2).push_opcode(OP_NUMEQUAL);
    [check(Builder::new(), LEAF, OP_CHECKSIG), two].map(Builder::into_script)
}

/// A tree of these leaves, all at one depth, and a key that signs nothing.
fn tree(leaves: &[ScriptBuf]) -> TaprootSpendInfo {
    let depth = u8::try_from(leaves.len() - 1).expect("one or two");
    let add = |tree: TaprootBuilder, leaf: &ScriptBuf| tree.add_leaf(depth, leaf.clone());
    let tree = leaves.iter().try_fold(TaprootBuilder::new(), add);
    let tree = tree.expect("in order").finalize(&secp(), own(20).x_only());
    tree.expect("a whole tree")
}

/// Adds a leaf and its control block to an input.
fn show(input: &mut Input, tree: &TaprootSpendInfo, leaf: &Script) {
    let leaf = (leaf.to_owned(), LeafVersion::TapScript);
    let control = tree.control_block(&leaf).expect("a leaf of the tree");
    input.tap_scripts = [(control, leaf)].into();
}

/// A PSBT whose inputs spend coins with these scripts, and which pays this many outputs.
fn coins(scripts: &[ScriptBuf], outputs: usize) -> Psbt {
    let outpoint = |vout: usize| OutPoint::new(txid(9), vout.try_into().expect("few"));
    let outpoints: Vec<_> = (0..scripts.len()).map(outpoint).collect();
    let paid = vec![output(1_000, scripts[0].clone()); outputs];
    let mut psbt = super::unsigned(&outpoints, paid);
    psbt.unsigned_tx.lock_time = LockTime::ZERO;
    for (at, script) in scripts.iter().enumerate() {
        psbt.unsigned_tx.input[at].sequence = Sequence::MAX;
        psbt.inputs[at].witness_utxo = Some(output(10_000 + at as u64, script.clone()));
    }
    psbt
}

/// A PSBT with an input of each kind, and the scripts that its inputs need.
fn unsigned() -> Psbt {
    let tree = tree(&leaves());
    let taproot = ScriptBuf::new_p2tr_tweaked(tree.output_key());
    let scripts: [ScriptBuf; COUNT] = [
        own(P2PKH).legacy(),
        own(P2WPKH).segwit(),
        own(NESTED).nested(),
        two_of_three().to_p2wsh(),
        two_of_three().to_p2sh(),
        own(KEY_PATH).taproot(),
        taproot.clone(),
        taproot,
        unusual().to_p2wsh(),
    ];
    let mut psbt = coins(&scripts, 1);
    for input in &mut psbt.unsigned_tx.input {
        input.sequence = Sequence::from_height(5);
    }
    psbt.inputs[NESTED].redeem_script = Some(own(NESTED).segwit());
    psbt.inputs[MULTISIG].witness_script = Some(two_of_three());
    psbt.inputs[LEGACY_MULTISIG].redeem_script = Some(two_of_three());
    psbt.inputs[UNUSUAL].witness_script = Some(unusual());
    for (index, leaf) in [LEAF, LEAF_MULTISIG].into_iter().zip(leaves()) {
        show(&mut psbt.inputs[index], &tree, &leaf);
    }
    psbt
}

/// Every input has the signatures that it needs; none is finalized.
fn signed() -> Psbt {
    let mut psbt = unsigned();
    for index in [P2PKH, P2WPKH, NESTED, UNUSUAL] {
        sign(&mut psbt, index, &own(index), 1);
    }
    for index in [MULTISIG, LEGACY_MULTISIG] {
        sign(&mut psbt, index, &own(10), 1);
        sign(&mut psbt, index, &own(12), 1);
    }
    for (index, signer) in [
        (KEY_PATH, KEY_PATH),
        (LEAF, LEAF),
        (LEAF_MULTISIG, 11),
        (LEAF_MULTISIG, 12),
    ] {
        sign(&mut psbt, index, &own(signer), 0);
    }
    psbt
}

/// [`signed`], with every input finalized.
fn finalized() -> Psbt {
    let mut psbt = signed();
    psbt.inputs.iter_mut().for_each(finish);
    psbt
}

/// The verdicts on the serialized file.
fn check(psbt: &Psbt) -> SignatureReport {
    let binary = decode(psbt.serialize()).expect("a PSBT");
    check_signatures(&binary.read(Keys::Curve).expect("well-formed")).expect("checked")
}

fn statuses(psbt: &Psbt) -> Vec<SignatureStatus> {
    let inputs = check(psbt).inputs.into_iter();
    inputs.map(|input| input.status).collect()
}

fn input(psbt: &Psbt, index: usize) -> InputSignatures {
    check(psbt).inputs.swap_remove(index)
}
