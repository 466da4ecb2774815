//! A7: of several signatures one leaves everything open and was taken from somewhere else. And A5:
//! fewer signatures than the script wants.

use bitcoin::opcodes::all::{
    OP_CHECKMULTISIG, OP_CHECKSIG, OP_CHECKSIGADD, OP_NUMEQUAL, OP_PUSHNUM_2,
};
use bitcoin::script::Builder;
use bitcoin::{Amount, Psbt, ScriptBuf, Transaction, ecdsa};

use crate::forge::{Coin, Container, FOREIGN, Key, Sighash, coin, spend};
use crate::support::node::{Node, SomePsbt};
use crate::verdict::{assert_accepted, assert_refused, verdict, verdict_of};

/// The types of two signatures of which at least one is foreign.
fn leaked() -> impl Iterator<Item = [u8; 2]> {
    FOREIGN
        .into_iter()
        .flat_map(|byte| [[byte, 0x01], [0x01, byte], [byte, byte]])
}

/// One coin of two keys that both have to sign.
struct TwoOfTwo {
    container: Container,
    keys: [Key; 2],
    script: ScriptBuf,
    coins: [Coin; 1],
    transaction: Transaction,
}

impl TwoOfTwo {
    async fn new(node: &Node, container: Container) -> Self {
        let keys = [Key::random(), Key::random()];
        let push = |script, key| container.push_key(script, &keys[key]);
        let script = if container == Container::Leaf {
            let first = push(Builder::new(), 0).push_opcode(OP_CHECKSIG);
            let both = push(first, 1).push_opcode(OP_CHECKSIGADD);
            both.push_opcode(OP_PUSHNUM_2).push_opcode(OP_NUMEQUAL)
        } else {
            let keys = push(push(Builder::new().push_opcode(OP_PUSHNUM_2), 0), 1);
            keys.push_opcode(OP_PUSHNUM_2).push_opcode(OP_CHECKMULTISIG)
        };
        let script = script.into_script();
        let coins = [coin(node, container.script_pubkey(&script)).await];
        let transaction = spend(&coins);
        Self {
            container,
            keys,
            script,
            coins,
            transaction,
        }
    }

    fn signatures(&self, types: [u8; 2]) -> [Vec<u8>; 2] {
        [0, 1].map(|index| {
            let sighash = Sighash {
                transaction: &self.transaction,
                coins: &self.coins,
                input: 0,
                byte: types[index],
            };
            self.container
                .signature(&sighash, &self.script, &self.keys[index])
        })
    }

    fn with(&self, elements: &[Vec<u8>]) -> Transaction {
        let mut transaction = self.transaction.clone();
        self.container
            .place(&mut transaction.input[0], elements, &self.script);
        transaction
    }

    fn signed(&self, types: [u8; 2]) -> Transaction {
        let [first, second] = self.signatures(types);
        match self.container {
            Container::Leaf => self.with(&[second, first]),
            _ => self.with(&[vec![], first, second]),
        }
    }

    /// The same as a file that is only signed.
    fn file(&self, types: [u8; 2]) -> Psbt {
        let mut psbt = Psbt::from_unsigned_tx(self.transaction.clone()).expect("unsigned");
        psbt.inputs[0].witness_script = Some(self.script.clone());
        let signatures = self.signatures(types);
        for (key, signature) in self.keys.iter().zip(signatures) {
            let signature = ecdsa::Signature::from_slice(&signature).expect("a signature");
            psbt.inputs[0].partial_sigs.insert(key.public(), signature);
        }
        psbt
    }
}

#[tokio::test]
async fn a_leaked_signature_in_two_of_two_is_refused() {
    let node = Node::shared().await;
    for container in Container::ALL {
        let coin = TwoOfTwo::new(node, container).await;
        let good: &[[u8; 2]] = match container {
            Container::Leaf => &[[0, 0], [0, 1], [1, 1]],
            _ => &[[1, 1]],
        };
        for types in good {
            let what = format!("{container:?} {types:?}");
            assert_accepted(&verdict_of(node, &coin.signed(*types)).await, &what);
        }
        for types in leaked() {
            let verdict = verdict_of(node, &coin.signed(types)).await;
            assert_refused(&verdict, "foreign-sighash", 0);
        }
    }
}

/// What is refused is the final input, not a field.
#[tokio::test]
async fn two_of_two_before_it_is_finalised() {
    let node = Node::shared().await;
    let coin = TwoOfTwo::new(node, Container::Wsh).await;
    let good = SomePsbt::from(coin.file([1, 1]));
    assert_accepted(&verdict(node, good.base64()).await, "both ALL");
    for types in leaked() {
        let leaked = SomePsbt::from(coin.file(types));
        assert_refused(&verdict(node, leaked.base64()).await, "foreign-sighash", 0);
    }
    let mut one = coin.file([1, 1]);
    one.inputs[0].partial_sigs.pop_first();
    let one = SomePsbt::from(one);
    assert_refused(&verdict(node, one.base64()).await, "incomplete", 0);
}

/// One signer of two, as the node's wallets leave it.
#[tokio::test]
async fn one_signature_of_two() {
    let node = Node::shared().await;
    let multisig = node.multisig().await;
    let coin = multisig.fund(Amount::ONE_BTC).await;
    let psbt = multisig.self_transfer(&[coin]).await;
    for signer in 0..3 {
        let signed = multisig.sign(&psbt, &[signer], false).await;
        assert_refused(&verdict(node, signed.base64()).await, "incomplete", 0);
    }
}

/// One signature where two belong, put in place as if it were enough.
#[tokio::test]
async fn one_signature_that_calls_itself_final() {
    let node = Node::shared().await;
    let coin = TwoOfTwo::new(node, Container::Wsh).await;
    let [one, _] = coin.signatures([1, 1]);
    let none = Vec::new;
    for elements in [
        vec![none(), one.clone()],
        vec![none(), one.clone(), one.clone()],
        vec![none(), none(), one.clone()],
        vec![none(), one, none()],
    ] {
        let transaction = coin.with(&elements);
        assert_refused(
            &verdict_of(node, &transaction).await,
            "invalid-signature",
            0,
        );
    }
}
