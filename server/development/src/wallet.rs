//! The list of samples, and the wallet of each, whose coins are derived from the account's id: its coins, its file and its
//! signatures.

use std::collections::HashMap;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::bip32::Xpriv;
use bitcoin::hashes::{Hash, HashEngine, Hmac, HmacEngine, sha256};
use bitcoin::secp256k1::{All, Secp256k1};
use bitcoin::transaction::Version;
use bitcoin::{Amount, Network, OutPoint, Psbt, Sequence, Transaction, TxIn, TxOut, Txid};
use miniscript::Descriptor;
use miniscript::descriptor::{DefiniteDescriptorKey, DescriptorPublicKey};
use miniscript::psbt::PsbtExt;
use psbt_wasm::{Form, MakeOptions, make_proof};
use serde::Deserialize;

use chain::sources::development::TIP_HEIGHT;
use verify::bip322::to_spend;

/// The file name that marks the mock proof everywhere.
pub const MOCK_FILE_NAME: &str = "wallet_verification.psbt";

/// Public on purpose: the coins exist only in development.
const LABEL: &[u8] = b"Proof of Reserves development samples";

/// Between 2 and 5 sat/vB for these transactions.
const FEE: Amount = Amount::from_sat(600);

/// The account of shared samples.
const EVERYBODY: &str = "everybody";

/// The master keys of the multisig's signers. The first one also signs for every other coin. All accounts share them and differ in the index
/// of their coins: deriving master keys for thousands of accounts would take minutes at each start.
static SIGNERS: LazyLock<[Xpriv; 3]> = LazyLock::new(|| {
    [1, 2, 3].map(|signer| {
        Xpriv::new_master(Network::Regtest, &derive(EVERYBODY, &[b"seed", &[signer]]))
            .expect("one seed in 2^127 is no key, and no user chooses seeds")
    })
});

static SECP: LazyLock<Secp256k1<All>> = LazyLock::new(Secp256k1::new);

/// The descriptors of the list with these keys.
static DESCRIPTORS: LazyLock<HashMap<&str, Descriptor<DescriptorPublicKey>>> =
    LazyLock::new(|| {
        let coins = RECIPES.iter().flat_map(|recipe| &recipe.coins);
        let descriptors = coins.map(|(template, _)| {
            let keys = ["@1", "@2", "@3"].into_iter().zip(&*SIGNERS);
            let text = keys.fold(template.clone(), |text, (name, key)| {
                text.replace(name, &key.to_string())
            });
            let parsed = Descriptor::parse_descriptor(&*SECP, &text);
            let (descriptor, _) = parsed.expect("descriptors of the list are well-formed");
            (template.as_str(), descriptor)
        });
        descriptors.collect()
    });

/// Whether a file is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Signing {
    /// Not at all.
    None,
    /// Signed by enough signers, and not finalized.
    Partial,
    /// Signed and finalized.
    Final,
}

/// The description of a sample: an entry of `samples.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recipe {
    pub(super) id: String,
    pub(super) file_name: Option<String>,
    pub(super) title: String,
    pub(super) description: String,
    /// The wallet's name, if that is not the sample's. Samples with the same wallet spend the same coins.
    wallet: Option<String>,
    /// The output descriptors (BIP-0380 and following) of its coins over the master keys of the signers, with the derivation paths of
    /// BIP-0044, 49, 84, 86 and 48, coin type "testnet", and the values in sats.
    pub(super) coins: Vec<(String, u64)>,
    signing: Signing,
    /// Whether the file is text.
    #[serde(default)]
    base64: bool,
    /// How it carries the account's statement (D4); none for an ordinary transfer.
    form: Option<String>,
    /// Whether every account has the keys of these coins, so that a conflict can be seen.
    #[serde(default)]
    shared: bool,
}

impl Recipe {
    /// A signed proof over coins of these descriptors, which the list has, and values.
    pub(super) fn signed(id: &str, form: &str, coins: Vec<(String, u64)>) -> Self {
        Self {
            id: id.to_owned(),
            file_name: None,
            title: String::new(),
            description: String::new(),
            wallet: None,
            coins,
            signing: Signing::Final,
            base64: false,
            form: Some(form.to_owned()),
            shared: false,
        }
    }

    fn wallet(&self) -> &str {
        self.wallet.as_deref().unwrap_or(&self.id)
    }

    fn form(&self) -> Option<Form> {
        let name = self.form.as_deref()?;
        let form = Form::ALL.into_iter().find(|form| form.name() == name);
        Some(form.expect("the list names forms of proofs"))
    }
}

/// Every sample, in the order in which they are offered.
pub(super) static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("samples.json")).expect("the list is well-formed")
});

pub(super) struct Wallet {
    /// One for each coin.
    descriptors: Vec<Descriptor<DefiniteDescriptorKey>>,
    /// The transaction that created the coins.
    pub(super) funding: Transaction,
}

/// An output that a wallet can sign for.
pub(super) struct Spendable {
    pub(super) outpoint: OutPoint,
    /// The transaction with the output.
    previous: Transaction,
    /// The coin with the same script.
    index: usize,
}

/// Derives bytes from the account and `parts` with HMAC-SHA256 (RFC 2104).
fn derive(account: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut engine = HmacEngine::<sha256::Hash>::new(LABEL);
    engine.input(account.as_bytes());
    for part in parts {
        // The separator distinguishes ("ab", "c") from ("a", "bc"). No part contains it.
        engine.input(&[0]);
        engine.input(part);
    }
    Hmac::<sha256::Hash>::from_engine(engine).to_byte_array()
}

impl Wallet {
    /// The wallet with the coins that `recipe` spends for `account`.
    pub(super) fn new(recipe: &Recipe, account: &str) -> Self {
        let account = if recipe.shared { EVERYBODY } else { account };
        let name = recipe.wallet().as_bytes();
        let [a, b, c, d, ..] = derive(account, &[b"index", name]);
        // So small that no index is hardened.
        let first = u32::from_be_bytes([a, b, c, d]) >> 2;
        let coins = (first..).zip(&recipe.coins);
        let descriptors = coins.map(|(index, (template, _))| {
            let descriptor = DESCRIPTORS[template.as_str()].at_derivation_index(index);
            descriptor.expect("descriptors of the list have no hardened index")
        });
        let descriptors: Vec<_> = descriptors.collect();
        let coins = descriptors.iter().zip(&recipe.coins);
        let output = coins.map(|(descriptor, (_, sats))| TxOut {
            value: Amount::from_sat(*sats),
            script_pubkey: descriptor.script_pubkey(),
        });
        // Never looked up, so any unique outpoint is fine.
        let origin = Txid::from_byte_array(derive(account, &[b"origin", name]));
        let funding = Transaction {
            version: Version::TWO,
            lock_time: LockTime::ZERO,
            input: vec![spend(OutPoint::new(origin, 0))],
            output: output.collect(),
        };
        Self {
            descriptors,
            funding,
        }
    }

    /// The sample's file.
    pub(super) fn file(&self, recipe: &Recipe, statement: Option<&str>) -> Vec<u8> {
        let mut psbt = self.ordinary();
        if let Some((form, statement)) = recipe.form().zip(statement) {
            let options = MakeOptions::new(statement, form);
            let proof = make_proof(psbt.serialize(), &options).expect("the wallet has coins");
            psbt = Psbt::deserialize(&proof.psbt).expect("a proof is a PSBT");
        }
        if recipe.signing != Signing::None {
            sign(&mut psbt);
        }
        if recipe.signing == Signing::Final {
            psbt.finalize_mut(&*SECP)
                .expect("two signers are enough for every coin");
        }
        match recipe.base64 {
            true => STANDARD.encode(psbt.serialize()).into_bytes(),
            false => psbt.serialize(),
        }
    }

    /// An ordinary transfer to the first script.
    fn ordinary(&self) -> Psbt {
        let total: Amount = self.funding.output.iter().map(|coin| coin.value).sum();
        let coins: Vec<_> = self.spendable(None).collect();
        let transaction = Transaction {
            version: Version::TWO,
            // Wallets set the lock time to the tip height against fee sniping.
            lock_time: LockTime::from_consensus(TIP_HEIGHT),
            input: coins.iter().map(|coin| spend(coin.outpoint)).collect(),
            output: vec![TxOut {
                value: total - FEE,
                script_pubkey: self.descriptors[0].script_pubkey(),
            }],
        };
        let mut psbt = Psbt::from_unsigned_tx(transaction).expect("nothing is signed yet");
        for (input, coin) in coins.iter().enumerate() {
            self.describe(&mut psbt, input, coin);
        }
        psbt
    }

    /// The outputs that this wallet can sign for: its coins and, with a message, those that the first input of a proof of funds may spend
    /// (BIP-0322).
    pub(super) fn spendable(&self, message: Option<&[u8]>) -> impl Iterator<Item = Spendable> {
        (0..)
            .zip(&self.funding.output)
            .flat_map(move |(index, coin)| {
                let signed = message.map(|message| (to_spend(message, &coin.script_pubkey), 0));
                let outputs = [(self.funding.clone(), index)].into_iter().chain(signed);
                outputs.map(move |(previous, vout)| Spendable {
                    outpoint: OutPoint::new(previous.compute_txid(), vout),
                    previous,
                    index: index as usize,
                })
            })
    }

    /// Adds the fields that a signer needs to the input, which spends this output.
    pub(super) fn describe(&self, psbt: &mut Psbt, input: usize, spent: &Spendable) {
        let descriptor = &self.descriptors[spent.index];
        let script = descriptor.script_pubkey();
        let fields = &mut psbt.inputs[input];
        // BIP-0371: a Taproot signature covers every amount, so the output is enough. Other signers need the previous
        // transaction.
        if !script.is_p2tr() {
            fields.non_witness_utxo = Some(spent.previous.clone());
        }
        if !script.is_p2pkh() {
            let vout = spent.outpoint.vout as usize;
            fields.witness_utxo = Some(spent.previous.output[vout].clone());
        }
        psbt.update_input_with_descriptor(input, descriptor)
            .expect("the coin was made from this descriptor");
        if script.is_p2wsh() {
            // A coordinator writes these into a multisig's file (BIP-0174, `PSBT_GLOBAL_XPUB`).
            let keys = descriptor.iter_pk();
            psbt.xpub.extend(keys.filter_map(|key| match key.into() {
                DescriptorPublicKey::XPub(key) => Some((key.xkey, key.origin?)),
                _ => None,
            }));
        }
    }
}

/// Signs the described inputs, with as many signers as they need.
pub(super) fn sign(psbt: &mut Psbt) {
    let [first, _, last] = &*SIGNERS;
    for signer in [first, last] {
        psbt.sign(signer, &*SECP)
            .expect("the file says all that a signer needs to know");
    }
}

fn spend(previous_output: OutPoint) -> TxIn {
    TxIn {
        previous_output,
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        ..TxIn::default()
    }
}
