//! The sample holders of a new development board, and their files: signed like the samples, over coins of the development chain.

use std::sync::LazyLock;

use bitcoin::Transaction;
use serde::Deserialize;

use crate::wallet::{RECIPES, Recipe, Wallet};
use chain::sources::development::DevelopmentChain;

/// An invented holder: an entry of `holders.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Holder {
    /// With a character that no name on X can have, so that it is nobody's there.
    pub name: String,
    /// The values of the coins in sats.
    coins: Vec<u64>,
    /// How the file carries the statement.
    form: String,
    /// Whether the proof is published.
    pub published: bool,
    /// Whether others see only a range of the total.
    pub range: bool,
    /// The age of the proof in days.
    pub days: i64,
}

/// All of them, in the order in which they are added.
pub static HOLDERS: LazyLock<Vec<Holder>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("holders.json")).expect("the list is well-formed")
});

impl Holder {
    fn recipe(&self) -> Recipe {
        // The kinds of coins take turns.
        let templates = RECIPES[0]
            .coins
            .iter()
            .map(|(template, _)| template.clone());
        let coins = templates.cycle().zip(self.coins.iter().copied());
        Recipe::signed("sample-holder", &self.form, coins.collect())
    }

    /// The transaction that creates the coins of this holder, who has this account.
    fn funding(&self, account: &str) -> Transaction {
        Wallet::new(&self.recipe(), account).funding
    }

    /// Registers the coins: at first, and again after a restart.
    pub fn fund(&self, chain: &DevelopmentChain, account: &str) {
        chain.fund(&self.funding(account));
    }

    /// The signed proof with the account's statement.
    pub fn file(&self, account: &str, statement: &str) -> Vec<u8> {
        let recipe = self.recipe();
        Wallet::new(&recipe, account).file(&recipe, Some(statement))
    }
}
