//! The list of samples: their coins, signatures and encoding.

use bitcoin::Amount;
use psbt_wasm::Form;

/// The file name that marks the mock proof everywhere.
pub const MOCK_FILE_NAME: &str = "wallet_verification.psbt";

/// What the mock proof proves: 1.25 BTC.
pub const MOCK_AMOUNT: Amount = Amount::from_sat(125_000_000);

// Output descriptors (BIP-0380 and following) over the master keys of signers, with the derivation paths of BIP-0044, 49, 84, 86 and
// 48, coin type "testnet".
const P2PKH: &str = "pkh(@1/44h/1h/0h/0/*)";
const P2SH_P2WPKH: &str = "sh(wpkh(@1/49h/1h/0h/0/*))";
const P2WPKH: &str = "wpkh(@1/84h/1h/0h/0/*)";
const P2TR: &str = "tr(@1/86h/1h/0h/0/*)";
const MULTISIG: &str =
    "wsh(sortedmulti(2,@1/48h/1h/0h/2h/0/*,@2/48h/1h/0h/2h/0/*,@3/48h/1h/0h/2h/0/*))";

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

/// The description of a sample.
#[derive(Debug)]
pub(super) struct Recipe {
    pub(super) id: &'static str,
    pub(super) file_name: Option<&'static str>,
    pub(super) title: &'static str,
    pub(super) description: &'static str,
    /// The wallet's name. Samples with the same wallet spend the same coins.
    pub(super) wallet: &'static str,
    /// The descriptors and values of the coins.
    pub(super) coins: &'static [(&'static str, Amount)],
    pub(super) signing: Signing,
    /// Whether the file is text.
    pub(super) base64: bool,
    /// How it carries the account's statement (D4); none for an ordinary transfer.
    pub(super) form: Option<Form>,
    /// Whether every account has the keys of these coins, so that a conflict can be seen.
    pub(super) shared: bool,
}

/// A signed and final still transaction. Its wallet has the name of the sample, like its file.
const fn signed(
    id: &'static str,
    coins: &'static [(&'static str, Amount)],
    title: &'static str,
    description: &'static str,
) -> Recipe {
    Recipe {
        id,
        file_name: None,
        title,
        description,
        wallet: id,
        coins,
        signing: Signing::Final,
        base64: false,
        form: Some(Form::Transaction),
        shared: false,
    }
}

const SELF_TRANSFER: Recipe = signed(
    "self-transfer",
    &[
        (P2WPKH, Amount::from_sat(75_000_000)),
        (P2TR, Amount::from_sat(150_000_000)),
    ],
    "A signed self-transfer",
    "2.25 BTC in a native SegWit coin and a Taproot coin, signed and final. Everything goes back \
     to where it was, and an output carries your statement, which binds it to your account.",
);

/// Every sample, in the order in which they are offered.
pub(super) const RECIPES: &[Recipe] = &[
    SELF_TRANSFER,
    Recipe {
        signing: Signing::Partial,
        ..signed(
            "cold-storage-multisig",
            &[
                (MULTISIG, Amount::from_sat(1_000_000_000)),
                (MULTISIG, Amount::from_sat(250_000_000)),
            ],
            "Cold storage, 2 of 3",
            "12.5 BTC under a 2-of-3 multisig, as hardware wallets return it: two have signed your \
             statement, nothing is finalized, and the file carries extended public keys.",
        )
    },
    Recipe {
        base64: true,
        form: Some(Form::Message),
        ..signed(
            "legacy-wallet",
            &[
                (P2PKH, Amount::from_sat(40_000_000)),
                (P2SH_P2WPKH, Amount::from_sat(60_000_000)),
            ],
            "A legacy wallet",
            "1 BTC in a legacy coin and a nested SegWit coin, as base64 text. Your statement is signed as a \
             message (BIP-322).",
        )
    },
    Recipe {
        shared: true,
        ..signed(
            "shared-wallet",
            &[(P2TR, Amount::from_sat(20_000_000))],
            "A wallet that others hold too",
            "0.2 BTC whose keys every account has. The coins belong to the first account that sends it; later ones \
             get an error. Sign in as another user to see it.",
        )
    },
    Recipe {
        form: None,
        ..signed(
            "unbound",
            &[(P2WPKH, Amount::from_sat(50_000_000))],
            "A self-transfer bound to no account",
            "0.5 BTC, signed and final, but without your statement: anyone could have sent it, so it is \
             refused.",
        )
    },
    Recipe {
        wallet: SELF_TRANSFER.wallet,
        signing: Signing::None,
        form: None,
        ..signed(
            "unsigned",
            SELF_TRANSFER.coins,
            "The self-transfer, not signed",
            "The coins of the self-transfer in an ordinary transfer, as a wallet exports it before \
             signing. The page makes a proof of it, and the development wallet signs it in place of yours.",
        )
    },
    Recipe {
        file_name: Some(MOCK_FILE_NAME),
        ..signed(
            "mock-proof",
            &[(P2WPKH, MOCK_AMOUNT)],
            "The mock proof",
            "Exactly 1.25 BTC. It counts like any proof, is marked as mock, and can be \
             cleared from the profile.",
        )
    },
];
