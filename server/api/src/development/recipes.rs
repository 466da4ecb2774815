//! The list of samples: their coins, signatures and encoding.

use std::sync::LazyLock;

use psbt_wasm::Form;
use serde::Deserialize;

/// The file name that marks the mock proof everywhere.
pub const MOCK_FILE_NAME: &str = "wallet_verification.psbt";

/// Whether a file is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Signing {
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
    pub(super) signing: Signing,
    /// Whether the file is text.
    #[serde(default)]
    pub(super) base64: bool,
    /// How it carries the account's statement (D4); none for an ordinary transfer.
    form: Option<String>,
    /// Whether every account has the keys of these coins, so that a conflict can be seen.
    #[serde(default)]
    pub(super) shared: bool,
}

impl Recipe {
    pub(super) fn wallet(&self) -> &str {
        self.wallet.as_deref().unwrap_or(&self.id)
    }

    pub(super) fn form(&self) -> Option<Form> {
        let name = self.form.as_deref()?;
        let form = Form::ALL.into_iter().find(|form| form.name() == name);
        Some(form.expect("the list names forms of proofs"))
    }
}

/// Every sample, in the order in which they are offered.
pub(super) static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("samples.json")).expect("the list is well-formed")
});
