//! A8 and A9: coins that anybody can spend, so that spending them proves nothing about anybody.

use bitcoin::hashes::{Hash, hash160, sha256};
use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_DROP, OP_DUP, OP_EQUAL, OP_EQUALVERIFY,
    OP_HASH160, OP_NOT, OP_PUSHNUM_1, OP_RESERVED, OP_SHA256, OP_SIZE, OP_SWAP,
};
use bitcoin::opcodes::{OP_0, OP_TRUE, Opcode};
use bitcoin::script::Builder;
use bitcoin::taproot::LeafVersion;
use bitcoin::{ScriptBuf, Transaction, Witness};

use crate::forge::{
    Coin, Key, Leaf, Lock, Sighash, Single, coin, coins, der, in_p2sh, in_p2wsh, p2sh, p2wsh,
    push_all, schnorr, spend,
};
use crate::support::node::Node;
use crate::verdict::{assert_refused, verdict_of};

/// What lies around on every chain: no signature at all.
const JUNK: [u8; 3] = [0xde, 0xad, 0x01];

fn script(opcodes: &[Opcode]) -> ScriptBuf {
    let mut script = Builder::new();
    for opcode in opcodes {
        script = script.push_opcode(*opcode);
    }
    script.into_script()
}

/// A coin with this script, spent by whatever `fill` puts in, beside an input that is well signed.
async fn refused(
    node: &Node,
    script: ScriptBuf,
    code: &str,
    fill: impl Fn(&mut Transaction, &[Coin]),
) {
    let owner = Single::new(Lock::Wpkh);
    let coins = coins(node, &[owner.script_pubkey(), script]).await;
    let mut transaction = spend(&coins);
    owner.sign(&mut transaction, &coins, 0, 0x01);
    fill(&mut transaction, &coins);
    assert_refused(&verdict_of(node, &transaction).await, code, 1);
}

#[tokio::test]
async fn a_script_that_is_always_true() {
    let node = Node::shared().await;
    let truth = script(&[OP_TRUE]);
    refused(node, truth.clone(), "not-committed", |transaction, _| {
        transaction.input[1].script_sig = push_all(&[vec![]]).into_script();
    })
    .await;
    refused(node, p2sh(&truth), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    refused(node, p2wsh(&truth), "not-committed", |transaction, _| {
        in_p2wsh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    let nested = p2wsh(&truth);
    refused(node, p2sh(&nested), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &nested);
        in_p2wsh(&mut transaction.input[1], &[], &truth);
    })
    .await;
    let leaf = Leaf::new(truth.clone());
    refused(
        node,
        leaf.script_pubkey(),
        "not-committed",
        |transaction, _| {
            leaf.place(&mut transaction.input[1], &[]);
        },
    )
    .await;
}

/// The spender brings a true value, or nothing has to be true.
#[tokio::test]
async fn an_empty_script() {
    let node = Node::shared().await;
    refused(node, ScriptBuf::new(), "not-committed", |transaction, _| {
        transaction.input[1].script_sig = push_all(&[vec![1]]).into_script();
    })
    .await;
    refused(
        node,
        p2wsh(&ScriptBuf::new()),
        "not-committed",
        |transaction, _| {
            in_p2wsh(&mut transaction.input[1], &[vec![1]], &ScriptBuf::new());
        },
    )
    .await;
}

/// Pay-to-anchor (version 1, two bytes) takes any witness.
#[tokio::test]
async fn pay_to_anchor() {
    let node = Node::shared().await;
    let anchor = ScriptBuf::from_bytes(vec![0x51, 0x02, 0x4e, 0x73]);
    refused(node, anchor.clone(), "not-committed", |transaction, _| {
        transaction.input[1].witness = Witness::from_slice(&[JUNK]);
    })
    .await;
    refused(node, anchor, "not-signed", |_, _| {}).await;
}

/// Witness versions, and lengths of version 1, that have no meaning yet (BIP-0141, BIP-0341).
#[tokio::test]
async fn unknown_witness_programs() {
    let node = Node::shared().await;
    let program = |version: u8, length: u8| {
        let mut bytes = vec![version, length];
        bytes.resize(usize::from(length) + 2, 0x02);
        ScriptBuf::from_bytes(bytes)
    };
    for unknown in [
        program(0x51, 20),
        program(0x51, 33),
        program(0x52, 32),
        program(0x60, 40),
    ] {
        refused(node, unknown, "not-committed", |transaction, _| {
            transaction.input[1].witness = Witness::from_slice(&[JUNK]);
        })
        .await;
    }
    // Taproot within P2SH is no Taproot (BIP-0341).
    let nested = Single::new(Lock::TrKey).script_pubkey();
    refused(node, p2sh(&nested), "not-committed", |transaction, _| {
        in_p2sh(&mut transaction.input[1], &[], &nested);
        transaction.input[1].witness = Witness::from_slice(&[[7; 64]]);
    })
    .await;
}

#[tokio::test]
async fn hash_puzzles() {
    let node = Node::shared().await;
    let secret = [0x42; 32];
    let sha = sha256::Hash::hash(&secret).to_byte_array();
    let plain = Builder::new()
        .push_opcode(OP_SHA256)
        .push_slice(sha)
        .push_opcode(OP_EQUAL)
        .into_script();
    // The same as miniscript writes it, so that the interpreter can read it.
    let sized = Builder::new()
        .push_opcode(OP_SIZE)
        .push_int(32)
        .push_opcode(OP_EQUALVERIFY)
        .push_opcode(OP_SHA256)
        .push_slice(sha)
        .push_opcode(OP_EQUAL)
        .into_script();
    for puzzle in [plain, sized] {
        let answer = [secret.to_vec()];
        refused(node, puzzle.clone(), "not-committed", |transaction, _| {
            transaction.input[1].script_sig = push_all(&answer).into_script();
        })
        .await;
        refused(node, p2sh(&puzzle), "not-committed", |transaction, _| {
            in_p2sh(&mut transaction.input[1], &answer, &puzzle);
        })
        .await;
        refused(node, p2wsh(&puzzle), "not-committed", |transaction, _| {
            in_p2wsh(&mut transaction.input[1], &answer, &puzzle);
        })
        .await;
        let leaf = Leaf::new(puzzle);
        refused(
            node,
            leaf.script_pubkey(),
            "not-committed",
            |transaction, _| {
                leaf.place(&mut transaction.input[1], &answer);
            },
        )
        .await;
    }
}

/// BIP-0342: any of these opcodes anywhere in a leaf makes it true, whatever else stands there.
#[tokio::test]
async fn op_success() {
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

/// A script that wants a signature to be wrong is content with every transaction.
#[tokio::test]
async fn a_signature_that_must_not_be_valid() {
    let node = Node::shared().await;
    let key = Key::random().public();
    let negated = Builder::new()
        .push_key(&key)
        .push_opcode(OP_CHECKSIG)
        .push_opcode(OP_NOT)
        .into_script();
    for wrong in [vec![], vec![0x30, 6, 2, 1, 1, 2, 1, 1, 0x01]] {
        refused(node, p2wsh(&negated), "not-committed", |transaction, _| {
            in_p2wsh(
                &mut transaction.input[1],
                std::slice::from_ref(&wrong),
                &negated,
            );
        })
        .await;
    }
}

/// A9: the script names no key, so the spender brings a key of his own and signs well with it. The
/// engine and the oracle have nothing to object.
#[tokio::test]
async fn the_spender_chooses_the_key() {
    let node = Node::shared().await;
    let thief = Key::random();
    let key = thief.public().to_bytes();
    let any_key = script(&[OP_CHECKSIG]);
    let dropped = Builder::new()
        .push_slice([0x11; 20])
        .push_opcode(OP_DROP)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    let swapped = script(&[OP_SWAP, OP_CHECKSIG]);
    let hashed = script(&[OP_DUP, OP_HASH160, OP_DROP, OP_CHECKSIG]);
    for script in [any_key, dropped, swapped.clone(), hashed] {
        let elements = |signature: Vec<u8>| {
            let mut elements = [signature, key.clone()];
            if script == swapped {
                elements.reverse();
            }
            elements
        };
        let legacy = |transaction: &Transaction, coins: &[Coin]| {
            elements(der(
                sighash(transaction, coins).legacy(&script),
                &thief,
                0x01,
            ))
        };
        refused(
            node,
            script.clone(),
            "key-not-committed",
            |transaction, coins| {
                let elements = legacy(transaction, coins);
                transaction.input[1].script_sig = push_all(&elements).into_script();
            },
        )
        .await;
        refused(
            node,
            p2sh(&script),
            "key-not-committed",
            |transaction, coins| {
                let elements = legacy(transaction, coins);
                in_p2sh(&mut transaction.input[1], &elements, &script);
            },
        )
        .await;
        refused(
            node,
            p2wsh(&script),
            "key-not-committed",
            |transaction, coins| {
                let message = sighash(transaction, coins).segwit(&script);
                let elements = elements(der(message, &thief, 0x01));
                in_p2wsh(&mut transaction.input[1], &elements, &script);
            },
        )
        .await;
    }
}

fn sighash<'a>(transaction: &'a Transaction, coins: &'a [Coin]) -> Sighash<'a> {
    Sighash {
        transaction,
        coins,
        input: 1,
        byte: 0x01,
    }
}

#[tokio::test]
async fn the_spender_chooses_the_key_of_a_leaf() {
    let node = Node::shared().await;
    let thief = Key::random();
    let leaves = [
        script(&[OP_CHECKSIG]),
        script(&[OP_0, OP_SWAP, OP_CHECKSIGADD]),
    ];
    for leaf in leaves.map(Leaf::new) {
        refused(
            node,
            leaf.script_pubkey(),
            "key-not-committed",
            |transaction, coins| {
                let message = sighash(transaction, coins).taproot(Some(&leaf.script));
                let signature = schnorr(message, &thief.0, 0x01);
                let key = thief.x_only().serialize().to_vec();
                leaf.place(&mut transaction.input[1], &[signature, key]);
            },
        )
        .await;
    }
}

#[tokio::test]
async fn the_spender_chooses_the_keys_of_a_multisig() {
    let node = Node::shared().await;
    let thief = Key::random();
    let any_keys = script(&[OP_CHECKMULTISIG]);
    refused(
        node,
        p2wsh(&any_keys),
        "key-not-committed",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&any_keys), &thief, 0x01);
            let key = thief.public().to_bytes();
            let elements = [vec![], signature, vec![1], key, vec![1]];
            in_p2wsh(&mut transaction.input[1], &elements, &any_keys);
        },
    )
    .await;
}

/// The hash of a key is there, and the script does not check it.
#[tokio::test]
async fn a_script_that_cannot_be_read_is_inconclusive() {
    let node = Node::shared().await;
    let thief = Key::random();
    let key = thief.public();
    let unread = Builder::new()
        .push_opcode(OP_PUSHNUM_1)
        .push_opcode(OP_DROP)
        .push_key(&key)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    refused(
        node,
        p2wsh(&unread),
        "inconclusive",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&unread), &thief, 0x01);
            in_p2wsh(&mut transaction.input[1], &[signature], &unread);
        },
    )
    .await;
    let unread = Builder::new()
        .push_slice(hash160::Hash::hash(&key.to_bytes()).to_byte_array())
        .push_opcode(OP_DROP)
        .push_opcode(OP_CHECKSIG)
        .into_script();
    refused(
        node,
        p2wsh(&unread),
        "inconclusive",
        |transaction, coins| {
            let signature = der(sighash(transaction, coins).segwit(&unread), &thief, 0x01);
            in_p2wsh(
                &mut transaction.input[1],
                &[signature, key.to_bytes()],
                &unread,
            );
        },
    )
    .await;
}

/// A single such input, without anything else in the file.
#[tokio::test]
async fn alone_in_a_file() {
    let node = Node::shared().await;
    let truth = script(&[OP_TRUE]);
    let coins = [coin(node, p2wsh(&truth)).await];
    let mut transaction = spend(&coins);
    in_p2wsh(&mut transaction.input[0], &[], &truth);
    assert_refused(&verdict_of(node, &transaction).await, "not-committed", 0);
}
