//! The list of samples: their coins, signatures and encoding.

use bitcoin::Amount;

use super::wallet::Kind;

/// The file name that marks the mock proof everywhere.
pub const MOCK_FILE_NAME: &str = "wallet_verification.psbt";

/// What the mock proof proves: 1.25 BTC.
pub const MOCK_AMOUNT: Amount = Amount::from_sat(125_000_000);

/// Whether a file is signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signing {
    /// Not at all.
    None,
    /// Signed by enough signers, and not finalized.
    Partial,
    /// Signed and finalized.
    Final,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Binary,
    Base64,
}

/// The part of a file that contains the account's statement (D4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Carrier {
    /// None: an ordinary self-transfer.
    None,
    /// A message (BIP-0322).
    Message,
    /// A still transaction.
    Transaction,
}

/// The description of a sample.
#[derive(Debug)]
pub(super) struct Recipe {
    pub(super) id: &'static str,
    pub(super) file_name: &'static str,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The wallet's name. Samples with the same wallet spend the same coins.
    pub(super) wallet: &'static str,
    /// The kinds and values of the coins.
    pub(super) coins: &'static [(Kind, Amount)],
    pub(super) signing: Signing,
    pub(super) encoding: Encoding,
    pub(super) carrier: Carrier,
    /// Whether every account has the keys of these coins, so that a conflict can be seen.
    pub(super) shared: bool,
}

const SELF_TRANSFER: &[(Kind, Amount)] = &[
    (Kind::P2wpkh, Amount::from_sat(75_000_000)),
    (Kind::P2tr, Amount::from_sat(150_000_000)),
];

/// Every sample, in the order in which they are offered.
pub(super) const RECIPES: &[Recipe] = &[
    Recipe {
        id: "self-transfer",
        file_name: "self-transfer.psbt",
        title: "A signed self-transfer",
        description: "2.25 BTC in a native SegWit coin and a Taproot coin, signed and final. Everything goes back \
                      to where it was, and an output carries your statement, which binds it to your account.",
        wallet: "self-transfer",
        coins: SELF_TRANSFER,
        signing: Signing::Final,
        encoding: Encoding::Binary,
        carrier: Carrier::Transaction,
        shared: false,
    },
    Recipe {
        id: "cold-storage-multisig",
        file_name: "cold-storage-multisig.psbt",
        title: "Cold storage, 2 of 3",
        description: "12.5 BTC under a 2-of-3 multisig, as hardware wallets return it: two have signed your \
                      statement, nothing is finalized, and the file carries extended public keys.",
        wallet: "cold-storage-multisig",
        coins: &[
            (Kind::Multisig, Amount::from_sat(1_000_000_000)),
            (Kind::Multisig, Amount::from_sat(250_000_000)),
        ],
        signing: Signing::Partial,
        encoding: Encoding::Binary,
        carrier: Carrier::Transaction,
        shared: false,
    },
    Recipe {
        id: "legacy-wallet",
        file_name: "legacy-wallet.psbt",
        title: "A legacy wallet",
        description: "1 BTC in a legacy coin and a nested SegWit coin, as base64 text. Your statement is signed as a \
                      message (BIP-322).",
        wallet: "legacy-wallet",
        coins: &[
            (Kind::P2pkh, Amount::from_sat(40_000_000)),
            (Kind::P2shP2wpkh, Amount::from_sat(60_000_000)),
        ],
        signing: Signing::Final,
        encoding: Encoding::Base64,
        carrier: Carrier::Message,
        shared: false,
    },
    Recipe {
        id: "shared-wallet",
        file_name: "shared-wallet.psbt",
        title: "A wallet that others hold too",
        description: "0.2 BTC whose keys every account has. The coins belong to the first account that sends it; later ones \
                      get an error. Sign in as another user to see it.",
        wallet: "shared-wallet",
        coins: &[(Kind::P2tr, Amount::from_sat(20_000_000))],
        signing: Signing::Final,
        encoding: Encoding::Binary,
        carrier: Carrier::Transaction,
        shared: true,
    },
    Recipe {
        id: "unbound",
        file_name: "unbound.psbt",
        title: "A self-transfer bound to no account",
        description: "0.5 BTC, signed and final, but without your statement: anyone could have sent it, so it is \
                      refused.",
        wallet: "unbound",
        coins: &[(Kind::P2wpkh, Amount::from_sat(50_000_000))],
        signing: Signing::Final,
        encoding: Encoding::Binary,
        carrier: Carrier::None,
        shared: false,
    },
    Recipe {
        id: "unsigned",
        file_name: "unsigned.psbt",
        title: "The self-transfer, not signed",
        description: "The coins of the self-transfer in an ordinary transfer, as a wallet exports it before \
                      signing. The page makes a proof of it, and the development wallet signs it in place of yours.",
        wallet: "self-transfer",
        coins: SELF_TRANSFER,
        signing: Signing::None,
        encoding: Encoding::Binary,
        carrier: Carrier::None,
        shared: false,
    },
    Recipe {
        id: "mock-proof",
        file_name: MOCK_FILE_NAME,
        title: "The mock proof",
        description: "Exactly 1.25 BTC. It counts like any proof, is marked as mock, and can be \
                      cleared from the profile.",
        wallet: "mock-proof",
        coins: &[(Kind::P2wpkh, MOCK_AMOUNT)],
        signing: Signing::Final,
        encoding: Encoding::Binary,
        carrier: Carrier::Transaction,
        shared: false,
    },
];
