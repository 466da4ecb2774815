//! A sample as a file: its coins, its statement and its signatures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::opcodes::all::OP_RETURN;
use bitcoin::script::Builder;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness,
};
use miniscript::Descriptor;
use miniscript::descriptor::DefiniteDescriptorKey;
use miniscript::psbt::PsbtExt;
use psbt_wasm::statement::{LOCK_TIME, script};

use super::recipes::{Carrier, Encoding, Recipe, Signing};
use super::wallet::{Kind, Wallet, derive};
use chain::sources::development::TIP_HEIGHT;
use verify::bip322::{message_key, to_spend};

/// Between 2 and 5 sat/vB for these transactions.
const FEE: Amount = Amount::from_sat(600);

/// The account of shared samples.
const EVERYBODY: &str = "everybody";

/// The wallet and the coins of one sample.
pub(super) struct Transfer {
    wallet: Wallet,
    coins: &'static [(Kind, Amount)],
    descriptors: Vec<Descriptor<DefiniteDescriptorKey>>,
    funding: Transaction,
}

impl Transfer {
    /// The coins that `recipe` spends for `account`.
    pub(super) fn new(recipe: &Recipe, account: &str) -> Self {
        let account = if recipe.shared { EVERYBODY } else { account };
        let wallet = Wallet::new(account, recipe.wallet);
        let descriptors: Vec<_> = (0..)
            .zip(recipe.coins)
            .map(|(index, (kind, _))| wallet.descriptor(*kind, index))
            .collect();
        let output = descriptors
            .iter()
            .zip(recipe.coins)
            .map(|(descriptor, (_, value))| TxOut {
                value: *value,
                script_pubkey: descriptor.script_pubkey(),
            })
            .collect();
        // Never looked up, so any unique outpoint is fine.
        let origin = derive(account, &[b"origin", recipe.wallet.as_bytes()]);
        let previous_output = OutPoint::new(Txid::from_byte_array(origin), 0);
        let funding = transaction(vec![spend(previous_output)], output, LockTime::ZERO);
        Self {
            wallet,
            coins: recipe.coins,
            descriptors,
            funding,
        }
    }

    /// The transaction that created the coins.
    pub(super) fn funding(&self) -> &Transaction {
        &self.funding
    }

    /// The sample's file.
    pub(super) fn file(&self, recipe: &Recipe, statement: Option<&str>) -> Vec<u8> {
        let mut psbt = match (recipe.carrier, statement) {
            (Carrier::Message, Some(statement)) => self.message(statement),
            (Carrier::Transaction, Some(statement)) => self.still(statement),
            _ => self.ordinary(),
        };
        if recipe.signing != Signing::None {
            self.sign(&mut psbt);
        }
        if recipe.signing == Signing::Final {
            psbt.finalize_mut(&self.wallet.secp)
                .expect("two signers are enough for every coin");
        }
        match recipe.encoding {
            Encoding::Binary => psbt.serialize(),
            Encoding::Base64 => STANDARD.encode(psbt.serialize()).into_bytes(),
        }
    }

    /// The outputs that this wallet can sign for: outpoint, transaction, and the index of the coin with the same script. These are
    /// its coins and, with a message, the first input of a proof of funds (BIP-0322).
    pub(super) fn spendable(&self, message: Option<&[u8]>) -> Vec<(OutPoint, Transaction, usize)> {
        let txid = self.funding.compute_txid();
        let coins = &self.funding.output;
        let real = (0..)
            .zip(coins)
            .map(|(vout, _)| (OutPoint { txid, vout }, self.funding.clone()));
        let spent = |coin: &TxOut| Some(to_spend(message?, &coin.script_pubkey));
        let signed = coins
            .iter()
            .filter_map(spent)
            .map(|spent| (OutPoint::new(spent.compute_txid(), 0), spent));
        let indices = (0..coins.len()).chain(0..coins.len());
        real.chain(signed)
            .zip(indices)
            .map(|((outpoint, previous), index)| (outpoint, previous, index))
            .collect()
    }

    /// Signs the described inputs of this wallet, with as many signers as they need.
    pub(super) fn sign(&self, psbt: &mut Psbt) {
        for signer in self.wallet.signers() {
            psbt.sign(signer, &self.wallet.secp)
                .expect("the file says all that a signer needs to know");
        }
    }

    /// An ordinary transfer to the first script.
    fn ordinary(&self) -> Psbt {
        let coins = &self.funding.output;
        let total: Amount = coins.iter().map(|coin| coin.value).sum();
        let back = TxOut {
            value: total - FEE,
            script_pubkey: coins[0].script_pubkey.clone(),
        };
        // Wallets set the lock time to the tip height against fee sniping.
        let lock_time = LockTime::from_consensus(TIP_HEIGHT);
        self.with_fields(transaction(self.inputs(), vec![back], lock_time), 0)
    }

    /// A still transaction: each coin returns to its own script (proofs, section 2).
    fn still(&self, statement: &str) -> Psbt {
        let script = script(statement).expect("a statement fits into one push");
        let mut outputs = self.funding.output.clone();
        outputs.push(empty_output(ScriptBuf::from_bytes(script)));
        let lock_time = LockTime::from_consensus(LOCK_TIME);
        self.with_fields(transaction(self.inputs(), outputs, lock_time), 0)
    }

    /// A proof of funds with the statement as its message, signed by the first coin's script (BIP-0322).
    fn message(&self, statement: &str) -> Psbt {
        let message = statement.as_bytes();
        let spent = to_spend(message, &self.funding.output[0].script_pubkey);
        let mut inputs = vec![spend(OutPoint::new(spent.compute_txid(), 0))];
        inputs.extend(self.inputs());
        let op_return = Builder::new().push_opcode(OP_RETURN).into_script();
        let to_sign = transaction(inputs, vec![empty_output(op_return)], LockTime::ZERO);
        let mut psbt = self.with_fields(to_sign, 1);
        self.describe(&mut psbt, 0, &spent, 0);
        psbt.unknown.insert(message_key(), message.to_vec());
        psbt
    }

    fn inputs(&self) -> Vec<TxIn> {
        let txid = self.funding.compute_txid();
        let coins = (0..).zip(&self.funding.output);
        coins
            .map(|(vout, _)| spend(OutPoint { txid, vout }))
            .collect()
    }

    /// Makes the file, and describes the coins, which begin at the input `first`.
    fn with_fields(&self, transaction: Transaction, first: usize) -> Psbt {
        let mut psbt = Psbt::from_unsigned_tx(transaction).expect("nothing is signed yet");
        for index in 0..self.coins.len() {
            self.describe(&mut psbt, first + index, &self.funding, index);
        }
        psbt
    }

    /// Adds the fields that a signer needs to an input, which spends an output of `previous` with the script of the coin `index`.
    pub(super) fn describe(
        &self,
        psbt: &mut Psbt,
        input: usize,
        previous: &Transaction,
        index: usize,
    ) {
        let (kind, _) = self.coins[index];
        let spent = psbt.unsigned_tx.input[input].previous_output.vout as usize;
        let fields = &mut psbt.inputs[input];
        // BIP-0371: a Taproot signature covers every amount, so the output is enough. Other signers need the previous
        // transaction.
        if kind != Kind::P2tr {
            fields.non_witness_utxo = Some(previous.clone());
        }
        if kind != Kind::P2pkh {
            fields.witness_utxo = Some(previous.output[spent].clone());
        }
        psbt.update_input_with_descriptor(input, &self.descriptors[index])
            .expect("the coin was made from this descriptor");
        if kind == Kind::Multisig {
            psbt.xpub = self.wallet.global_xpubs();
        }
    }
}

/// An output with zero value.
fn empty_output(script_pubkey: ScriptBuf) -> TxOut {
    TxOut {
        value: Amount::ZERO,
        script_pubkey,
    }
}

fn spend(previous_output: OutPoint) -> TxIn {
    TxIn {
        previous_output,
        script_sig: ScriptBuf::new(),
        sequence: Sequence::ENABLE_RBF_NO_LOCKTIME,
        witness: Witness::new(),
    }
}

fn transaction(input: Vec<TxIn>, output: Vec<TxOut>, lock_time: LockTime) -> Transaction {
    Transaction {
        version: Version::TWO,
        lock_time,
        input,
        output,
    }
}
