//! Samples for development mode: signed proofs for an account over coins of the development chain, and a wallet that signs
//! other files over these coins (D11).
//!
//! Everything is derived from the account's id and a public label, so the same account always gets the same coins and files.
//! The keys are worthless.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Psbt;
use bitcoin::psbt::Input;
use bitcoin::secp256k1::Secp256k1;
use miniscript::psbt::PsbtExt;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use chain::sources::development::DevelopmentChain;
use verify::bip322::message_key;

mod holders;
mod wallet;

pub use holders::{HOLDERS, Holder};
pub use wallet::MOCK_FILE_NAME;
use wallet::{RECIPES, Wallet};

/// A sample file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SampleFile)]
pub struct Sample {
    /// Stable name of the sample.
    pub id: &'static str,
    /// Name of the file.
    pub file_name: String,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What to expect of it.
    pub description: &'static str,
    /// The file itself, in base64.
    #[serde(rename = "psbt_base64", serialize_with = "as_base64")]
    #[schema(value_type = String)]
    pub psbt: Vec<u8>,
}

fn as_base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}

/// The samples of an account, whose coins are registered on `chain`.
///
/// `account` is the account's id. Bound samples contain its `statement` (D4); without one, they are ordinary transfers.
pub fn samples(chain: &DevelopmentChain, account: &str, statement: Option<&str>) -> Vec<Sample> {
    RECIPES
        .iter()
        .map(|recipe| {
            let wallet = Wallet::new(recipe, account);
            chain.fund(&wallet.funding);
            let name = || format!("{}.psbt", recipe.id);
            Sample {
                id: &recipe.id,
                file_name: recipe.file_name.clone().unwrap_or_else(name),
                title: &recipe.title,
                description: &recipe.description,
                psbt: wallet.file(recipe, statement),
            }
        })
        .collect()
}

/// Registers the coins of an account's samples again after a restart: the development chain is in memory.
pub fn fund_account(chain: &DevelopmentChain, account: &str) {
    for recipe in &*RECIPES {
        chain.fund(&Wallet::new(recipe, account).funding);
    }
}

/// Why nothing was signed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SignError {
    /// It is not a PSBT that can be signed.
    #[error(
        "The development wallet cannot sign this file: {0}. Send it the file to sign that the upload page makes, in base64."
    )]
    Unusable(String),
    /// An input spends a coin that is not in the wallet, or one that an earlier input spends.
    #[error(
        "Input {} spends no coin of your development wallet, or the same one again. Choose the unsigned sample on the upload page, and have \
         the file that is made of it signed.",
        .input + 1
    )]
    NotOurs {
        /// The input, counted from 0.
        input: usize,
    },
}

/// Signs and finalizes every input of a file over coins of the account's samples: a proof in either form, or any transfer.
///
/// Only the transaction and the message are read from the file. The wallet knows its coins itself, so that files without
/// input fields can be signed too.
///
/// # Errors
/// When it is not a PSBT in base64, or an input spends no such coin.
pub fn sign(account: &str, psbt_base64: &str) -> Result<Psbt, SignError> {
    let bytes = STANDARD
        .decode(psbt_base64)
        .map_err(|_| SignError::Unusable("it is not base64".to_owned()))?;
    let mut psbt = Psbt::deserialize(&bytes).map_err(unusable)?;
    let message = psbt.unknown.get(&message_key()).cloned();
    let wallets: Vec<Wallet> = (RECIPES.iter())
        .map(|recipe| Wallet::new(recipe, account))
        .collect();
    let mut spendable = HashMap::new();
    for wallet in &wallets {
        let coins = wallet.spendable(message.as_deref());
        spendable.extend(coins.map(|coin| (coin.outpoint, (wallet, coin))));
    }
    for input in 0..psbt.inputs.len() {
        let outpoint = psbt.unsigned_tx.input[input].previous_output;
        let owned = spendable.remove(&outpoint);
        let (wallet, coin) = owned.ok_or(SignError::NotOurs { input })?;
        psbt.inputs[input] = Input::default();
        wallet.describe(&mut psbt, input, &coin);
    }
    wallet::sign(&mut psbt);
    psbt.finalize_mut(&Secp256k1::verification_only())
        .map_err(|errors| {
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            unusable(errors.join("; "))
        })?;
    Ok(psbt)
}

fn unusable(reason: impl ToString) -> SignError {
    SignError::Unusable(reason.to_string())
}
