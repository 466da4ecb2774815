//! Signatures by more keys than a script needs.

use super::*;

/// The 2-of-3 scripts of these tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Multisig {
    P2sh,
    Nested,
    P2wsh,
    Leaf,
}

use Multisig::{Leaf, Nested, P2sh, P2wsh};

/// A coin's script, and its keys in the order of that script.
#[derive(Clone, Copy)]
struct Coins(Multisig, [u8; 3]);

const SORTED: [u8; 3] = [31, 32, 33];
const UNSORTED: [u8; 3] = [43, 41, 42];

/// Each kind in both orders; the last two have one script.
const ALL: [Coins; 9] = [
    Coins(P2sh, SORTED),
    Coins(P2sh, UNSORTED),
    Coins(Nested, SORTED),
    Coins(Nested, UNSORTED),
    Coins(Leaf, SORTED),
    Coins(Leaf, UNSORTED),
    Coins(P2wsh, UNSORTED),
    Coins(P2wsh, SORTED),
    Coins(P2wsh, SORTED),
];

impl Coins {
    fn keys(self) -> [TestKey; 3] {
        self.1.map(key)
    }

    fn script(self) -> ScriptBuf {
        let keys = self.keys();
        if self.0 != Leaf {
            return multisig(2, &keys.map(|key| key.public()));
        }
        let [first, others @ ..] = keys.map(|key| key.x_only());
        let leaf = Builder::new()
            .push_x_only_key(&first)
            .push_opcode(OP_CHECKSIG);
        let leaf = others.iter().fold(leaf, |leaf, key| {
            leaf.push_x_only_key(key).push_opcode(OP_CHECKSIGADD)
        });
        leaf.push_int(2).push_opcode(OP_NUMEQUAL).into_script()
    }

    fn tree(self) -> TaprootSpendInfo {
        let tree = TaprootBuilder::new().add_leaf(0, self.script());
        let tree = tree.expect("one leaf").finalize(&secp(), key(50).x_only());
        tree.expect("a whole tree")
    }

    fn output(self) -> ScriptBuf {
        let script = self.script();
        match self.0 {
            P2sh => script.to_p2sh(),
            Nested => script.to_p2wsh().to_p2sh(),
            P2wsh => script.to_p2wsh(),
            Leaf => ScriptBuf::new_p2tr_tweaked(self.tree().output_key()),
        }
    }

    /// Adds what a signer needs.
    fn reveal(self, input: &mut Input) {
        let script = self.script();
        match self.0 {
            P2sh => input.redeem_script = Some(script),
            Nested => {
                input.redeem_script = Some(script.to_p2wsh());
                input.witness_script = Some(script);
            }
            P2wsh => input.witness_script = Some(script),
            Leaf => {
                let leaf = (script, LeafVersion::TapScript);
                let control = self.tree().control_block(&leaf).expect("its leaf");
                input.tap_scripts = [(control, leaf)].into();
            }
        }
    }
}

fn reader(network: CoinNetwork) -> Person<'static> {
    Person::for_reader(network, "Acme Bank, loan 4711 k3v9q2", "Mira Kowal")
}

/// A proof for one reader to sign over these coins.
fn to_sign(coins: &[Coins], form: Form, line: &str) -> Psbt {
    let previous = (0..).zip(coins).map(|(number, coin)| {
        let paid = output(50_000, coin.output());
        spending(&[OutPoint::new(txid(number), 7)], vec![paid])
    });
    let previous: Vec<Transaction> = previous.collect();
    let outpoints = previous
        .iter()
        .map(|one| OutPoint::new(one.compute_txid(), 0));
    let mut wallet = unsigned(
        &outpoints.collect::<Vec<_>>(),
        vec![output(1_000, coins[0].output())],
    );
    for ((input, coin), previous) in wallet.inputs.iter_mut().zip(coins).zip(previous) {
        if coin.0 != P2sh {
            input.witness_utxo = previous.output.first().cloned();
        }
        input.non_witness_utxo = Some(previous);
        coin.reveal(input);
    }
    let made = make_proof(wallet.serialize(), &MakeOptions::new(line, form)).expect("made");
    Psbt::deserialize(&made.psbt).expect("a PSBT")
}

/// One proof, from the file to sign to what a checker gets.
struct Made {
    network: CoinNetwork,
    coins: Vec<Coins>,
    to_sign: Psbt,
    form: Form,
    nonce: [u8; 16],
    header: [u8; 80],
    line: String,
}

impl Made {
    fn new(coins: &[Coins], form: Form) -> Self {
        Self::on(CoinNetwork::Mainnet, coins, form)
    }

    fn on(network: CoinNetwork, coins: &[Coins], form: Form) -> Self {
        let block = bitcoin::constants::genesis_block(bitcoin::Network::Bitcoin);
        let nonce = [7; 16];
        let line = reader(network).statement("Mira Kowal", &nonce, block.block_hash().as_ref());
        let line = line.expect("it fits");
        Self {
            network,
            to_sign: to_sign(coins, form, &line),
            coins: coins.to_vec(),
            form,
            nonce,
            header: serialize(&block.header).try_into().expect("80 bytes"),
            line,
        }
    }

    /// The coin of an input. The first input of a message is signed with the keys of the first coin.
    fn coin(&self, input: usize) -> Coins {
        self.coins[input.saturating_sub(self.to_sign.inputs.len() - self.coins.len())]
    }

    /// The file with the signatures of these keys, by their places in the scripts.
    fn signed(&self, places: &[usize]) -> Psbt {
        let mut psbt = self.to_sign.clone();
        for index in 0..psbt.inputs.len() {
            for place in places {
                let further = self.signature(index, *place, u8::from(self.coin(index).0 != Leaf));
                let input = &mut psbt.inputs[index];
                if let Some((script, version)) = input.tap_scripts.values().next() {
                    let leaf = TapLeafHash::from_script(script, *version);
                    let signer = XOnlyPublicKey::from_slice(&further.key).expect("a key");
                    let signature = taproot::Signature::from_slice(&further.signature);
                    input
                        .tap_script_sigs
                        .insert((signer, leaf), signature.expect("a signature"));
                } else {
                    let signer = PublicKey::from_slice(&further.key).expect("a key");
                    let signature = ecdsa::Signature::from_slice(&further.signature);
                    input
                        .partial_sigs
                        .insert(signer, signature.expect("a signature"));
                }
            }
        }
        psbt
    }

    /// The signature of one key of an input.
    fn signature(&self, input: usize, place: usize, sighash: u8) -> FurtherSignature {
        let coin = self.coin(input);
        let signer = &coin.keys()[place];
        FurtherSignature {
            input,
            key: match coin.0 {
                Leaf => signer.x_only().serialize().to_vec(),
                _ => signer.public().to_bytes(),
            },
            signature: signature(&self.to_sign, input, signer, sighash),
        }
    }

    /// What a checker gets of a signed file.
    fn proof(&self, signed: &Psbt, further: Vec<FurtherSignature>) -> Published {
        let transaction = extract(&signed.serialize()).expect("signed");
        Published {
            person: reader(self.network),
            nonce: self.nonce,
            name: "Mira Kowal",
            header: self.header,
            line: self.line.clone(),
            form: self.form,
            transaction: bitcoin::consensus::deserialize(&transaction).expect("a transaction"),
            coins: spent(&self.to_sign)
                .into_iter()
                .map(|(_, coin)| coin)
                .collect(),
            further,
        }
    }

    fn check(&self, signed: &Psbt, further: Vec<FurtherSignature>) -> ProofCheck {
        let proof = self.proof(signed, further);
        proof
            .check_bytes(&serialize(&proof.transaction), "reader")
            .expect("well-formed")
    }

    fn further(&self, signed: &Psbt) -> Vec<FurtherSignature> {
        further_signatures(&self.to_sign.serialize(), &signed.serialize()).expect("signed")
    }
}

/// The places of the keys that have signed, for each input.
fn signers(check: &ProofCheck) -> Vec<Vec<usize>> {
    let of = |conditions: &Option<SpendingConditions>| {
        let conditions = conditions.as_ref().expect("multisig");
        assert_eq!((conditions.needed, conditions.of), (2, 3));
        conditions.signed.clone()
    };
    check.conditions.iter().map(of).collect()
}

#[test]
fn every_key_that_signed_is_shown_and_the_quorum_alone_is_right_too() {
    for form in Form::ALL {
        let made = Made::new(&ALL, form);
        let inputs = made.to_sign.inputs.len();
        let all = made.signed(&[0, 1, 2]);
        let further = made.further(&all);
        assert_eq!(further.len(), inputs);
        let check = made.check(&all, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; inputs]);
        for quorum in [[0, 1], [0, 2], [1, 2]] {
            let signed = made.signed(&quorum);
            assert_eq!(made.further(&signed), []);
            let check = made.check(&signed, Vec::new());
            assert!(check.is_complete());
            let places = quorum.map(|place| place + 1).to_vec();
            assert_eq!(signers(&check), vec![places; inputs]);
        }
    }
}

/// A wallet that has the quorum finalizes the file. The third cosigner signs the file that it got.
#[test]
fn what_cosigners_give_back_keeps_the_signatures_that_are_not_needed() {
    let made = Made::new(&ALL, Form::Transaction);
    let mut finalized = made.signed(&[1, 2]);
    let outputs = spent(&finalized);
    for (input, (_, coin)) in finalized.inputs.iter_mut().zip(&outputs) {
        input.witness_utxo = Some(coin.clone());
        finish(input);
    }
    let third = made.signed(&[0]);
    for files in [[&finalized, &third], [&third, &finalized]] {
        let bytes = files.map(|file| file.serialize());
        let combined = combine(&[&bytes[0], &bytes[1]]).expect("one transaction");
        let combined = Psbt::deserialize(&combined.psbt).expect("a PSBT");
        let further = made.further(&combined);
        let check = made.check(&combined, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; ALL.len()]);
    }
}

/// Each of two cosigners has signed after the first, and finalized the file.
#[test]
fn of_two_final_files_every_signature_is_kept() {
    let made = Made::new(&ALL, Form::Transaction);
    let outputs = spent(&made.to_sign);
    let finalized = |places: &[usize]| {
        let mut file = made.signed(places);
        for (input, (_, coin)) in file.inputs.iter_mut().zip(&outputs) {
            input.witness_utxo = Some(coin.clone());
            finish(input);
        }
        file.serialize()
    };
    for [one, other] in [[[0, 1], [0, 2]], [[1, 2], [0, 1]], [[0, 2], [1, 2]]] {
        let (one, other) = (finalized(&one), finalized(&other));
        let combined = combine(&[&one, &other]).expect("one transaction");
        let combined = Psbt::deserialize(&combined.psbt).expect("a PSBT");
        let further = made.further(&combined);
        let check = made.check(&combined, further);
        assert!(check.is_complete(), "{:?}", check.further);
        assert_eq!(signers(&check), vec![vec![1, 2, 3]; ALL.len()]);
    }
    // A wrong one is not kept, so that the files contradict each other.
    let mut wrong = Psbt::deserialize(&finalized(&[0, 2])).expect("a PSBT");
    let last = ALL.len() - 1;
    let witness = wrong.inputs[last]
        .final_script_witness
        .as_mut()
        .expect("final");
    let mut elements = witness.to_vec();
    elements[2][20] ^= 1;
    *witness = Witness::from_slice(&elements);
    let error = combine(&[&finalized(&[0, 1]), &wrong.serialize()]).expect_err("a conflict");
    assert_eq!((error.code(), error.input()), ("conflict", Some(last)));
}

#[test]
fn a_wrong_further_signature_makes_the_proof_wrong() {
    use FurtherFault::{NoInput, OtherKey, Sighash, Twice, WrongSignature};
    for form in Form::ALL {
        let made = Made::new(&ALL, form);
        let signed = made.signed(&[0, 1]);
        let fault = |further: Vec<FurtherSignature>| {
            let check = made.check(&signed, further);
            assert_eq!(check.is_complete(), check.further.is_none());
            check.further
        };
        for input in 0..made.to_sign.inputs.len() {
            let coin = made.coin(input);
            let whole = u8::from(coin.0 != Leaf);
            let right = made.signature(input, 2, whole);
            let with = |change: &dyn Fn(&mut FurtherSignature)| {
                let mut further = right.clone();
                change(&mut further);
                fault(vec![further])
            };
            assert_eq!(fault(vec![right.clone()]), None);
            assert_eq!(with(&|it| it.input = 100), Some(NoInput));
            // By a key outside the script, and by the negation of one in it, which is another key of the same x coordinate.
            let stranger = key(60);
            assert_eq!(
                with(&|it| {
                    it.signature = signature(&made.to_sign, input, &stranger, whole);
                    it.key = match coin.0 {
                        Leaf => stranger.x_only().serialize().to_vec(),
                        _ => stranger.public().to_bytes(),
                    };
                }),
                Some(OtherKey)
            );
            if coin.0 != Leaf {
                assert_eq!(with(&|it| it.key[0] ^= 1), Some(OtherKey));
            }
            assert_eq!(with(&|it| it.key.clear()), Some(OtherKey));
            // A copy of another key's signature.
            let copied = made.signature(input, 0, whole).signature;
            assert_eq!(
                with(&|it| it.signature.clone_from(&copied)),
                Some(WrongSignature)
            );
            assert_eq!(with(&|it| it.signature[20] ^= 1), Some(WrongSignature));
            assert_eq!(with(&|it| it.signature.clear()), Some(Sighash));
            for other in [2, 0x81, 0x82] {
                let further = made.signature(input, 2, other);
                assert_eq!(fault(vec![further]), Some(Sighash), "{:?}", coin.0);
            }
            // Twice, also when the bytes differ: a signature by a key whose own is in the transaction.
            assert_eq!(fault(vec![right.clone(), right.clone()]), Some(Twice));
            assert_eq!(fault(vec![made.signature(input, 1, whole)]), Some(Twice));
            assert_eq!(
                fault(vec![FurtherSignature {
                    signature: vec![0; 64],
                    ..made.signature(input, 0, whole)
                }]),
                Some(Twice)
            );
        }
        // Under the script of another coin, and of another coin with the same script.
        let last = made.to_sign.inputs.len() - 1;
        let moved = |from: usize, to: usize| {
            let further = made.signature(from, 2, 1);
            fault(vec![FurtherSignature {
                input: to,
                ..further
            }])
        };
        assert_eq!(moved(last - 1, last), Some(WrongSignature));
        assert_eq!(moved(last - 2, last), Some(OtherKey));
    }
}

/// A key and its negation count as one key.
#[test]
fn keys_are_counted_by_their_x_coordinate() {
    let coin = Coins(P2wsh, SORTED);
    let [one, other, _] = coin.keys();
    let negated = TestKey(Keypair::from_secret_key(
        &secp(),
        &one.0.secret_key().negate(),
    ));
    let script = multisig(2, &[one.public(), negated.public(), other.public()]);
    let made = Made::new(&[coin], Form::Transaction);
    let mut to_sign = made.to_sign.clone();
    to_sign.inputs[0].witness_script = Some(script.clone());
    let paid = output(50_000, script.to_p2wsh());
    to_sign.inputs[0].non_witness_utxo = None;
    to_sign.inputs[0].witness_utxo = Some(paid.clone());
    to_sign.unsigned_tx.output[0].script_pubkey = paid.script_pubkey;
    let made = Made { to_sign, ..made };
    let mut signed = made.to_sign.clone();
    for signer in [&one, &other] {
        sign(&mut signed, 0, signer, 1);
    }
    let again = FurtherSignature {
        input: 0,
        key: negated.public().to_bytes(),
        signature: signature(&made.to_sign, 0, &negated, 1),
    };
    let check = made.check(&signed, vec![again]);
    assert_eq!(check.further, Some(FurtherFault::Twice));
    let check = made.check(&signed, Vec::new());
    assert!(check.is_complete());
    let conditions = check.conditions[0].as_ref().expect("multisig");
    assert_eq!((conditions.of, &*conditions.signed), (2, &[1, 2][..]));
}

#[test]
fn what_other_coins_ask_for_is_shown_as_far_as_it_can_be_seen() {
    let check = published(&Kind::ALL, Form::Transaction)
        .check()
        .expect("well-formed");
    let shown = check.conditions.iter().map(|conditions| {
        let shown = conditions.as_ref()?;
        Some((shown.needed, shown.of, shown.signed.len(), shown.hidden))
    });
    let one = Some((1, 1, 1, false));
    let two = Some((2, 3, 2, false));
    let expected = [one, two, one, one, two, None, Some((1, 1, 1, true))];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
    let mut proof = published(&Kind::ALL, Form::Transaction);
    let taproot = 5;
    proof.further = vec![FurtherSignature {
        input: taproot,
        key: vec![2; 32],
        signature: vec![0; 64],
    }];
    let check = proof.check().expect("well-formed");
    assert_eq!(check.further, Some(FurtherFault::NoMultisig));
}

/// A consensus engine can be asked whether a further signature satisfies the script.
#[test]
fn a_further_signature_takes_the_place_of_another() {
    let made = Made::new(&ALL, Form::Transaction);
    for (quorum, more) in [([0, 1], 2), ([0, 2], 1), ([1, 2], 0)] {
        let signed = made.signed(&quorum);
        let mut proof = made.proof(&signed, Vec::new());
        let check = made.check(&signed, Vec::new());
        for input in 0..proof.transaction.input.len() {
            let further = made.signature(input, more, u8::from(made.coin(input).0 != Leaf));
            let spend = check.spend_with(&proof.transaction, &proof.coins, &further);
            let txin = &mut proof.transaction.input[input];
            (txin.script_sig, txin.witness) = spend.expect("right");
        }
        let check = proof
            .check_bytes(&serialize(&proof.transaction), "reader")
            .expect("well-formed");
        assert!(check.is_complete(), "{check:?}");
        assert!(
            signers(&check)
                .iter()
                .all(|places| places.contains(&(more + 1)))
        );
    }
}

/// The file that the tests in JavaScript and the guide have, and what the third cosigner of its coins gives back. On regtest, so that nobody
/// asks an explorer about its coins.
pub(super) fn with_every_key() -> (Published, Psbt) {
    let coins = [[61, 62, 63], [72, 71, 73]].map(|keys| Coins(P2wsh, keys));
    let made = Made::on(CoinNetwork::Regtest, &coins, Form::Transaction);
    let signed = made.signed(&[0, 1, 2]);
    (
        made.proof(&signed, made.further(&signed)),
        made.signed(&[2]),
    )
}
