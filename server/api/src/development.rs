//! Samples for development mode: signed proofs for an account over coins of the development chain, and a wallet that signs
//! other files over these coins (D11).
//!
//! Everything is derived from the account's id and a public label, so the same account always gets the same coins and files.
//! The keys are worthless.

use bitcoin::Psbt;

use chain::sources::development::DevelopmentChain;

mod recipes;
mod signing;
mod transfer;
mod wallet;

use recipes::RECIPES;
pub use recipes::{MOCK_AMOUNT, MOCK_FILE_NAME};
pub use signing::SignError;
use transfer::Transfer;

/// A file for the upload page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// Stable kebab-case name.
    pub id: &'static str,
    /// Name of the file for the browser.
    pub file_name: &'static str,
    /// A few words for a button.
    pub title: &'static str,
    /// A sentence about the content, and what happens when it is submitted.
    pub description: &'static str,
    /// Content of the file: a PSBT, binary or as base64 text.
    pub psbt: Vec<u8>,
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
