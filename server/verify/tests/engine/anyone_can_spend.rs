//! A8: coins that anyone can spend; spending them proves nothing.

use bitcoin::opcodes::Opcode;
use bitcoin::taproot::LeafVersion;

use super::*;

const REFUSED: &str = "not-committed";

/// No signature at all.
const JUNK: [u8; 3] = [0xde, 0xad, 0x01];

#[test]
fn a_script_that_is_always_true() {
    let truth = script_of(&[OP_TRUE]);
    refused_in(&[Container::Bare], &truth, REFUSED, |_| vec![vec![]]);
    refused_in(&Container::WRAPPED, &truth, REFUSED, |_| vec![]);
    // The spender pushes a true value.
    let both = [Container::Bare, Container::Wsh];
    refused_in(&both, Script::new(), REFUSED, |_| vec![vec![1]]);
}

/// Pay-to-anchor accepts any witness. Other programs have no meaning yet (BIP-0141, BIP-0341).
#[test]
fn unknown_witness_programs_are_refused() {
    let anchor = ScriptBuf::from_bytes(vec![0x51, 0x02, 0x4e, 0x73]);
    refused(anchor.clone(), "not-signed", |_| {});
    let program = |(version, length): (u8, u8)| {
        let program = vec![0x02; usize::from(length)];
        ScriptBuf::from_bytes([vec![version, length], program].concat())
    };
    let unknown = [(0x51, 20), (0x51, 33), (0x52, 32), (0x60, 40)].map(program);
    for script in [vec![anchor], unknown.to_vec()].concat() {
        let junk = Witness::from_slice(&[JUNK]);
        refused(script, REFUSED, |input| input.witness = junk.clone());
    }
    // Taproot within P2SH is no Taproot (BIP-0341).
    let nested = Single::new(Lock::TrKey).script_pubkey();
    refused(nested.to_p2sh(), REFUSED, |input| {
        Container::Sh.place(input, &[], &nested);
        input.witness = Witness::from_slice(&[[7; 64]]);
    });
}

#[test]
fn hash_puzzles_are_refused() {
    let secret = [0x42; 32];
    let sha = sha256::Hash::hash(&secret).to_byte_array();
    // In miniscript's form, so that the interpreter can read it.
    let sized = Builder::new().push_opcode(OP_SIZE).push_int(32);
    for start in [Builder::new(), sized.push_opcode(OP_EQUALVERIFY)] {
        let puzzle = start.push_opcode(OP_SHA256).push_slice(sha);
        let puzzle = puzzle.push_opcode(OP_EQUAL).into_script();
        let answer = |_: &dyn Fn(&Key) -> Vec<u8>| vec![secret.to_vec()];
        refused_in(&Container::ALL, &puzzle, REFUSED, answer);
    }
}

/// A script that requires an invalid signature accepts every transaction.
#[test]
fn wrong_signatures_are_invalid() {
    let script = Builder::new().push_key(&Key::random().public());
    let script = script.push_opcode(OP_CHECKSIG).push_opcode(OP_NOT);
    let script = script.into_script();
    for wrong in [vec![], vec![0x30, 6, 2, 1, 1, 2, 1, 1, 0x01]] {
        let elements = |_: &dyn Fn(&Key) -> Vec<u8>| vec![wrong.clone()];
        refused_in(&[Container::Wsh], &script, REFUSED, elements);
    }
}

#[test]
fn the_only_input_of_a_file() {
    let truth = script_of(&[OP_TRUE]);
    let coins = coins(&[truth.to_p2wsh()]);
    let mut transaction = spend(&coins);
    in_p2wsh(&mut transaction.input[0], &[], &truth);
    assert_refused(&verdict_of(&transaction, &coins), REFUSED, 0);
}

/// Upgrade paths of tapscript. BIP-0342: an OP_SUCCESS anywhere in a leaf makes it true, and a key of an unknown length
/// accepts any signature. BIP-0341: so does a leaf of an unknown version.
#[test]
fn leaves_without_a_meaning_yet_are_refused() {
    let owner = Key::random();
    let check = || {
        let key = Builder::new().push_x_only_key(&owner.x_only());
        key.push_opcode(OP_CHECKSIG)
    };
    let successes = [80, 98, 126, 137, 141, 149, 187, 254];
    let successes = successes.map(|byte| check().push_opcode(Opcode::from(byte)));
    let long_key = Builder::new().push_key(&owner.public());
    let long_key = [long_key.push_opcode(OP_CHECKSIG)];
    let tapscripts = successes.into_iter().chain(long_key);
    let versions = [0xc2, 0xfe, 0x66].map(|version| {
        let version = LeafVersion::from_consensus(version).expect("a version");
        Leaf::of_version(check().into_script(), version)
    });
    let tapscripts = tapscripts.map(|script| Leaf::new(script.into_script()));
    for leaf in tapscripts.chain(versions) {
        let place = |input: &mut _| leaf.place(input, &[vec![0x03; 64]]);
        refused(leaf.script_pubkey(), REFUSED, place);
    }
}
