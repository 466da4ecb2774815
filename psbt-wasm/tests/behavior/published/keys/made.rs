//! Proofs over multisig coins, from the file to sign to what a checker gets.

use super::*;

/// The 2-of-3 scripts of these tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Multisig {
    P2sh,
    Nested,
    P2wsh,
    Leaf,
}

use Multisig::{Leaf, Nested, P2sh, P2wsh};

/// A coin's script, and its keys in the order of that script.
#[derive(Clone, Copy)]
pub(super) struct Coins(pub(super) Multisig, pub(super) [u8; 3]);

pub(super) const SORTED: [u8; 3] = [31, 32, 33];
const UNSORTED: [u8; 3] = [43, 41, 42];

/// Each kind in both orders; the last two have one script.
pub(super) const ALL: [Coins; 9] = [
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
    pub(super) fn keys(self) -> [TestKey; 3] {
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
pub(super) struct Made {
    network: CoinNetwork,
    coins: Vec<Coins>,
    pub(super) to_sign: Psbt,
    form: Form,
    nonce: [u8; 16],
    header: [u8; 80],
    line: String,
}

impl Made {
    pub(super) fn new(coins: &[Coins], form: Form) -> Self {
        Self::on(CoinNetwork::Mainnet, coins, form)
    }

    pub(super) fn on(network: CoinNetwork, coins: &[Coins], form: Form) -> Self {
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
    pub(super) fn coin(&self, input: usize) -> Coins {
        self.coins[input.saturating_sub(self.to_sign.inputs.len() - self.coins.len())]
    }

    /// The file with the signatures of these keys, by their places in the scripts.
    pub(super) fn signed(&self, places: &[usize]) -> Psbt {
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
    pub(super) fn signature(&self, input: usize, place: usize, sighash: u8) -> FurtherSignature {
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
    pub(super) fn proof(&self, signed: &Psbt, further: Vec<FurtherSignature>) -> Published {
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

    pub(super) fn check(&self, signed: &Psbt, further: Vec<FurtherSignature>) -> ProofCheck {
        let proof = self.proof(signed, further);
        proof
            .check_bytes(&serialize(&proof.transaction), "reader")
            .expect("well-formed")
    }

    pub(super) fn further(&self, signed: &Psbt) -> Vec<FurtherSignature> {
        further_signatures(&self.to_sign.serialize(), &signed.serialize()).expect("signed")
    }
}
