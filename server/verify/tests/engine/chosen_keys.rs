//! A9: scripts that accept the signature of any key, so that the spender chooses it; and scripts
//! whose signers cannot be determined.

use super::*;

const REFUSED: &str = "key-not-committed";

/// The script names no key, so the spender signs with their own. The
/// engine and the oracle accept it.
#[test]
fn a_key_that_the_spender_chooses_is_refused() {
    let thief = Key::random();
    let key = thief.public().to_bytes();
    let dropped = Builder::new().push_slice([0x11; 20]);
    let dropped = dropped.push_opcode(OP_DROP).push_opcode(OP_CHECKSIG);
    for script in [
        script_of(&[OP_CHECKSIG]),
        dropped.into_script(),
        script_of(&[OP_DUP, OP_HASH160, OP_DROP, OP_CHECKSIG]),
    ] {
        let elements = |sign: &dyn Fn(&Key) -> Vec<u8>| vec![sign(&thief), key.clone()];
        refused_in(&Container::ECDSA, &script, REFUSED, elements);
    }
    let swapped = script_of(&[OP_SWAP, OP_CHECKSIG]);
    let elements = |sign: &dyn Fn(&Key) -> Vec<u8>| vec![key.clone(), sign(&thief)];
    refused_in(&Container::ECDSA, &swapped, REFUSED, elements);
    for leaf in [
        script_of(&[OP_CHECKSIG]),
        script_of(&[OP_0, OP_SWAP, OP_CHECKSIGADD]),
    ] {
        let key = thief.x_only().serialize().to_vec();
        let elements = |sign: &dyn Fn(&Key) -> Vec<u8>| vec![sign(&thief), key.clone()];
        refused_in(&[Container::Leaf], &leaf, REFUSED, elements);
    }
    let any_keys = script_of(&[OP_CHECKMULTISIG]);
    let elements =
        |sign: &dyn Fn(&Key) -> Vec<u8>| vec![vec![], sign(&thief), vec![1], key.clone(), vec![1]];
    refused_in(&[Container::Wsh], &any_keys, REFUSED, elements);
}

/// The script contains the key or its hash, but its check cannot be analyzed.
#[test]
fn a_script_that_cannot_be_read_is_inconclusive() {
    let thief = Key::random();
    let key = thief.public();
    let unread = Builder::new().push_int(1).push_opcode(OP_DROP);
    let unread = unread.push_key(&key).push_opcode(OP_CHECKSIG).into_script();
    let elements = |sign: &dyn Fn(&Key) -> Vec<u8>| vec![sign(&thief)];
    refused_in(&[Container::Wsh], &unread, "inconclusive", elements);
    let hash = hash160::Hash::hash(&key.to_bytes()).to_byte_array();
    let unread = Builder::new().push_slice(hash).push_opcode(OP_DROP);
    let unread = unread.push_opcode(OP_CHECKSIG).into_script();
    let elements = |sign: &dyn Fn(&Key) -> Vec<u8>| vec![sign(&thief), key.to_bytes()];
    refused_in(&[Container::Wsh], &unread, "inconclusive", elements);
}
