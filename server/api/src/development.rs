//! Samples for development mode: signed proofs for an account over coins of the development chain, and a wallet that signs
//! other files over these coins (D11).
//!
//! Everything is derived from the account's id and a public label, so the same account always gets the same coins and files.
//! The keys are worthless.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitcoin::Psbt;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use chain::sources::development::DevelopmentChain;

mod recipes;
mod signing;
mod transfer;
mod wallet;

use recipes::RECIPES;
pub use recipes::{MOCK_AMOUNT, MOCK_FILE_NAME};
pub use signing::SignError;
use transfer::Transfer;

/// A sample file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SampleFile)]
pub struct Sample {
    /// Stable name of the sample.
    pub id: &'static str,
    /// Name of the file.
    pub file_name: &'static str,
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
#[must_use]
pub fn samples(chain: &DevelopmentChain, account: &str, statement: Option<&str>) -> Vec<Sample> {
    RECIPES
        .iter()
        .map(|recipe| {
            let transfer = Transfer::new(recipe, account);
            chain.fund(transfer.funding());
            Sample {
                id: recipe.id,
                file_name: recipe.file_name,
                title: recipe.title,
                description: recipe.description,
                psbt: transfer.file(recipe, statement),
            }
        })
        .collect()
}

/// Registers the coins of an account's samples again after a restart: the development chain is in memory.
pub fn fund_account(chain: &DevelopmentChain, account: &str) {
    for recipe in RECIPES {
        chain.fund(Transfer::new(recipe, account).funding());
    }
}

/// Signs a file over coins of the account's samples: a proof in either form, or any transfer.
///
/// # Errors
/// When it is not a PSBT in base64, or an input spends no such coin.
pub fn sign(account: &str, psbt_base64: &str) -> Result<Psbt, SignError> {
    let transfers: Vec<_> = RECIPES
        .iter()
        .map(|recipe| Transfer::new(recipe, account))
        .collect();
    signing::sign(&transfers, psbt_base64)
}
