//! A7: one of several signatures leaves everything open and was taken from another transaction. And A5:
//! fewer signatures than the script requires.

use super::*;
use crate::forge::coins;

/// The types of two signatures; at least one of them is foreign.
fn leaked() -> impl Iterator<Item = [u8; 2]> {
    FOREIGN
        .into_iter()
        .flat_map(|byte| [[byte, 0x01], [0x01, byte], [byte, byte]])
}

/// One coin of two keys that must both sign.
struct TwoOfTwo {
    container: Container,
    keys: [Key; 2],
    script: ScriptBuf,
    coins: Vec<Coin>,
    transaction: Transaction,
}

impl TwoOfTwo {
    fn new(container: Container) -> Self {
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
        let coins = coins(&[container.script_pubkey(&script)]);
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
            let sighash = Sighash::new(&self.transaction, &self.coins, 0, types[index]);
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

    fn verdict(&self, types: [u8; 2]) -> Result<Verified, Refusal> {
        Ledger::new(&self.coins).verdict_of(&self.signed(types))
    }

    /// The same as a file with partial signatures.
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

#[test]
fn a_leaked_signature_in_two_of_two_is_refused() {
    for container in Container::ALL {
        let coin = TwoOfTwo::new(container);
        let good: &[[u8; 2]] = match container {
            Container::Leaf => &[[0, 0], [0, 1], [1, 1]],
            _ => &[[1, 1]],
        };
        for types in good {
            assert_accepted(&coin.verdict(*types), &format!("{container:?} {types:?}"));
        }
        for types in leaked() {
            assert_refused(&coin.verdict(types), "foreign-sighash", 0);
        }
    }
}

/// The refusal names the final input, not a field.
#[test]
fn two_of_two_before_it_is_finalized() {
    let coin = TwoOfTwo::new(Container::Wsh);
    let verdict = |file: Psbt| Ledger::new(&coin.coins).verdict(file.serialize());
    assert_accepted(&verdict(coin.file([1, 1])), "both ALL");
    for types in leaked() {
        assert_refused(&verdict(coin.file(types)), "foreign-sighash", 0);
    }
    for signer in &coin.keys {
        let mut one = coin.file([1, 1]);
        one.inputs[0].partial_sigs.remove(&signer.public());
        assert_refused(&verdict(one), "incomplete", 0);
    }
}

/// One signature where two belong, finalized as if it were enough.
#[test]
fn one_signature_that_calls_itself_final() {
    let coin = TwoOfTwo::new(Container::Wsh);
    let [one, _] = coin.signatures([1, 1]);
    let none = Vec::new;
    for elements in [
        vec![none(), one.clone()],
        vec![none(), one.clone(), one.clone()],
        vec![none(), none(), one.clone()],
        vec![none(), one, none()],
    ] {
        let verdict = Ledger::new(&coin.coins).verdict_of(&coin.with(&elements));
        assert_refused(&verdict, "invalid-signature", 0);
    }
}
