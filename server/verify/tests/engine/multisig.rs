//! A7: one of several signatures leaves everything open and was taken from another transaction. And A5:
//! fewer signatures than the script requires.

use super::*;

/// The types of two signatures; at least one of them is foreign.
fn leaked() -> impl Iterator<Item = [u8; 2]> {
    let leaked = |byte| [[byte, 0x01], [0x01, byte], [byte, byte]];
    FOREIGN.into_iter().flat_map(leaked)
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
        let script = container.multisig(&keys);
        let coins = coins(&[container.script_pubkey(&script)]);
        Self {
            container,
            keys,
            script,
            transaction: spend(&coins),
            coins,
        }
    }

    fn signatures(&self, types: [u8; 2]) -> [Vec<u8>; 2] {
        [0, 1].map(|index| {
            let sighash = Sighash::new(&self.transaction, &self.coins, 0, types[index]);
            self.container
                .signature(&sighash, &self.script, &self.keys[index])
        })
    }

    fn spent_with(&self, elements: &[Vec<u8>]) -> Verdict {
        let mut transaction = self.transaction.clone();
        self.container
            .place(&mut transaction.input[0], elements, &self.script);
        verdict_of(&transaction, &self.coins)
    }

    fn verdict(&self, types: [u8; 2]) -> Verdict {
        let [first, second] = self.signatures(types);
        match self.container {
            Container::Leaf => self.spent_with(&[second, first]),
            _ => self.spent_with(&[vec![], first, second]),
        }
    }

    /// The verdict on a file with the partial signatures of these signers.
    fn verdict_of_file(&self, types: [u8; 2], signers: &[usize]) -> Verdict {
        let mut psbt = Psbt::from_unsigned_tx(self.transaction.clone()).expect("unsigned");
        psbt.inputs[0].witness_script = Some(self.script.clone());
        let signatures = self.signatures(types);
        for signer in signers {
            let signature = ecdsa::Signature::from_slice(&signatures[*signer]);
            let signature = signature.expect("a signature");
            let key = self.keys[*signer].public();
            psbt.inputs[0].partial_sigs.insert(key, signature);
        }
        Ledger::new(&self.coins).verdict(psbt.serialize())
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
    assert_accepted(&coin.verdict_of_file([1, 1], &[0, 1]), "both ALL");
    for types in leaked() {
        let verdict = coin.verdict_of_file(types, &[0, 1]);
        assert_refused(&verdict, "foreign-sighash", 0);
    }
    for signer in [0, 1] {
        let verdict = coin.verdict_of_file([1, 1], &[signer]);
        assert_refused(&verdict, "incomplete", 0);
    }
}

/// One of two required signatures, finalized as if it were enough.
#[test]
fn one_of_two_signatures_finalized_is_refused() {
    let coin = TwoOfTwo::new(Container::Wsh);
    let [one, _] = coin.signatures([1, 1]);
    let none = Vec::new;
    for elements in [
        vec![none(), one.clone()],
        vec![none(), one.clone(), one.clone()],
        vec![none(), none(), one.clone()],
        vec![none(), one, none()],
    ] {
        assert_refused(&coin.spent_with(&elements), "invalid-signature", 0);
    }
}
