//! A8: what tapscript leaves open for later, and anybody can spend until then.

use bitcoin::opcodes::Opcode;
use bitcoin::opcodes::all::{OP_CHECKSIG, OP_RESERVED};
use bitcoin::script::Builder;
use bitcoin::taproot::LeafVersion;

use super::beside::{JUNK, refused};
use crate::forge::{Key, Leaf};
use crate::support::node::Node;

/// BIP-0342: any of these opcodes anywhere in a leaf makes it true, whatever else stands there.
#[tokio::test]
async fn op_success_is_refused() {
    let node = Node::shared().await;
    let owner = Key::random().x_only();
    for byte in [80, 98, 126, 137, 141, 149, 187, 254] {
        let leaf = Builder::new()
            .push_x_only_key(&owner)
            .push_opcode(OP_CHECKSIG)
            .push_opcode(Opcode::from(byte));
        let leaf = Leaf::new(leaf.into_script());
        refused(
            node,
            leaf.script_pubkey(),
            "not-committed",
            |transaction, _| {
                leaf.place(&mut transaction.input[1], &[JUNK.to_vec()]);
            },
        )
        .await;
    }
    assert_eq!(OP_RESERVED.to_u8(), 80);
}

/// BIP-0341: leaves of a version without a meaning are true.
#[tokio::test]
async fn an_unknown_leaf_version() {
    let node = Node::shared().await;
    let check = Builder::new()
        .push_x_only_key(&Key::random().x_only())
        .push_opcode(OP_CHECKSIG)
        .into_script();
    for version in [0xc2, 0xfe, 0x66] {
        let version = LeafVersion::from_consensus(version).expect("a version");
        let leaf = Leaf::of_version(check.clone(), version);
        refused(
            node,
            leaf.script_pubkey(),
            "not-committed",
            |transaction, _| {
                leaf.place(&mut transaction.input[1], &[vec![0x03; 64]]);
            },
        )
        .await;
    }
}

/// BIP-0342: a key of an unknown length accepts any signature.
#[tokio::test]
async fn an_unknown_key_type_in_a_leaf() {
    let node = Node::shared().await;
    let unknown = Key::random().public();
    let leaf = Builder::new()
        .push_key(&unknown)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    let leaf = Leaf::new(leaf);
    refused(
        node,
        leaf.script_pubkey(),
        "not-committed",
        |transaction, _| {
            leaf.place(&mut transaction.input[1], &[vec![0x03; 64]]);
        },
    )
    .await;
}
