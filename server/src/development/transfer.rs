//! One sample as a transaction: the coins it spends, the outputs back to their own scripts, the
//! signatures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bitcoin::absolute::LockTime;
use bitcoin::hashes::Hash;
use bitcoin::transaction::Version;
use bitcoin::{
    Amount, OutPoint, Psbt, ScriptBuf, Sequence, Transaction, TxIn, TxOut, Txid, Witness,
};
use miniscript::Descriptor;
use miniscript::descriptor::DefiniteDescriptorKey;
use miniscript::psbt::PsbtExt;

use super::recipes::{Encoding, Recipe, Signing};
use super::wallet::{Kind, Wallet, derive};
use crate::chain::sources::development::TIP_HEIGHT;

/// Between 2 and 5 sat/vB for these transactions.
const FEE: Amount = Amount::from_sat(600);

/// Below this an output is dust whatever its type, and nodes would not relay it.
const DUST: Amount = Amount::from_sat(546);

/// Whose keys the shared samples have, in place of an account.
const EVERYBODY: &str = "everybody";

/// The wallet and the coins of one sample.
pub(super) struct Transfer {
    wallet: Wallet,
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
        // Where this money comes from is never looked at: any unique outpoint will do.
        let origin = derive(account, &[b"origin", recipe.wallet.as_bytes()]);
        let previous_output = OutPoint::new(Txid::from_byte_array(origin), 0);
        let funding = transaction(vec![spend(previous_output)], output, LockTime::ZERO);
        Self {
            wallet,
            descriptors,
            funding,
        }
    }

    /// The transaction that created the coins.
    pub(super) fn funding(&self) -> &Transaction {
        &self.funding
    }

    /// The sample's file.
    pub(super) fn file(&self, recipe: &Recipe, challenge: Option<Amount>) -> Vec<u8> {
        let challenge = challenge.filter(|_| recipe.bound);
        let mut psbt = self.unsigned(recipe, challenge);
        if recipe.signing != Signing::None {
            for signer in self.wallet.signers() {
                psbt.sign(signer, &self.wallet.secp)
                    .expect("the file says all that a signer needs to know");
            }
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

    /// The transfer with everything that a signer needs to know.
    fn unsigned(&self, recipe: &Recipe, challenge: Option<Amount>) -> Psbt {
        let txid = self.funding.compute_txid();
        let inputs = (0..)
            .zip(recipe.coins)
            .map(|(vout, _)| spend(OutPoint { txid, vout }))
            .collect();
        // Wallets set the lock time to the tip against fee sniping; it is final in the next block.
        let lock_time = LockTime::from_consensus(TIP_HEIGHT);
        let transfer = transaction(inputs, self.outputs(challenge), lock_time);
        let mut psbt = Psbt::from_unsigned_tx(transfer).expect("nothing is signed yet");

        for (index, (kind, _)) in recipe.coins.iter().enumerate() {
            let input = &mut psbt.inputs[index];
            // BIP-0371: a Taproot signature covers every amount, so the output alone is enough; for
            // the others signers want the previous transaction, and legacy ones have nothing else.
            if *kind != Kind::P2tr {
                input.non_witness_utxo = Some(self.funding.clone());
            }
            if *kind != Kind::P2pkh {
                input.witness_utxo = Some(self.funding.output[index].clone());
            }
            psbt.update_input_with_descriptor(index, &self.descriptors[index])
                .expect("the coin was made from this descriptor");
            if *kind == Kind::Multisig {
                psbt.xpub = self.wallet.global_xpubs();
            }
        }
        psbt
    }

    /// Everything goes back to scripts that are spent from: the challenge amount to the first, the
    /// rest to the last.
    fn outputs(&self, challenge: Option<Amount>) -> Vec<TxOut> {
        let coins = &self.funding.output;
        let total: Amount = coins.iter().map(|coin| coin.value).sum();
        let rest = total - FEE;
        let scripts = coins.first().zip(coins.last());
        let (first, last) = scripts.expect("a transfer spends coins");
        let pay = |coin: &TxOut, value| TxOut {
            value,
            script_pubkey: coin.script_pubkey.clone(),
        };
        match challenge.filter(|amount| *amount >= DUST && *amount + DUST <= rest) {
            Some(amount) => vec![pay(first, amount), pay(last, rest - amount)],
            None => vec![pay(first, rest)],
        }
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
