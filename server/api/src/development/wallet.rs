//! A wallet whose keys and descriptors are derived from the account's id.

use std::collections::BTreeMap;

use bitcoin::bip32::{DerivationPath, KeySource, Xpriv, Xpub};
use bitcoin::hashes::{Hash, HashEngine, Hmac, HmacEngine, sha256};
use bitcoin::secp256k1::{All, Secp256k1};
use bitcoin::{Network, NetworkKind};
use miniscript::Descriptor;
use miniscript::descriptor::{DefiniteDescriptorKey, DescriptorPublicKey};

/// Public on purpose: the coins exist only in development.
const LABEL: &[u8] = b"Proof of Reserves development samples";

/// The number of signers of the multisig. Two of them sign.
const SIGNERS: u8 = 3;

/// The script type of a coin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    P2pkh,
    P2shP2wpkh,
    P2wpkh,
    P2tr,
    /// P2WSH, 2 of 3, keys sorted (BIP-0067).
    Multisig,
}

impl Kind {
    /// The account's derivation path by purpose: BIP-0044, 49, 84, 86 and 48, coin type "testnet".
    fn account_path(self) -> &'static str {
        match self {
            Self::P2pkh => "44h/1h/0h",
            Self::P2shP2wpkh => "49h/1h/0h",
            Self::P2wpkh => "84h/1h/0h",
            Self::P2tr => "86h/1h/0h",
            Self::Multisig => "48h/1h/0h/2h",
        }
    }

    /// The output descriptor (BIP-0380 and following) over the signers' keys.
    fn descriptor(self, keys: &[String]) -> String {
        match (self, keys) {
            (Self::P2pkh, [key, ..]) => format!("pkh({key})"),
            (Self::P2shP2wpkh, [key, ..]) => format!("sh(wpkh({key}))"),
            (Self::P2wpkh, [key, ..]) => format!("wpkh({key})"),
            (Self::P2tr, [key, ..]) => format!("tr({key})"),
            (Self::Multisig, keys) => format!("wsh(sortedmulti(2,{}))", keys.join(",")),
            (_, []) => unreachable!("a wallet has signers"),
        }
    }
}

/// Derives bytes from the account and `parts` with HMAC-SHA256 (RFC 2104).
pub(super) fn derive(account: &str, parts: &[&[u8]]) -> [u8; 32] {
    let mut engine = HmacEngine::<sha256::Hash>::new(LABEL);
    engine.input(account.as_bytes());
    for part in parts {
        // The separator distinguishes ("ab", "c") from ("a", "bc"). No part contains it.
        engine.input(&[0]);
        engine.input(part);
    }
    Hmac::<sha256::Hash>::from_engine(engine).to_byte_array()
}

pub(super) struct Wallet {
    pub(super) secp: Secp256k1<All>,
    masters: Vec<Xpriv>,
}

impl Wallet {
    /// The wallet called `name` of an account.
    pub(super) fn new(account: &str, name: &str) -> Self {
        let masters = (1..=SIGNERS)
            .map(|signer| {
                let seed = derive(account, &[b"seed", name.as_bytes(), &[signer]]);
                Xpriv::new_master(Network::Regtest, &seed)
                    .expect("one seed in 2^127 is no key, and no user chooses seeds")
            })
            .collect();
        Self {
            secp: Secp256k1::new(),
            masters,
        }
    }

    /// The first and the last signer, enough for every kind of coin.
    pub(super) fn signers(&self) -> impl Iterator<Item = &Xpriv> {
        [self.masters.first(), self.masters.last()]
            .into_iter()
            .flatten()
    }

    /// The descriptor of the coin at `index`.
    pub(super) fn descriptor(&self, kind: Kind, index: u32) -> Descriptor<DefiniteDescriptorKey> {
        let keys: Vec<String> = self
            .account_keys(kind)
            .into_iter()
            .map(|(xpub, (fingerprint, path))| format!("[{fingerprint}/{path}]{xpub}/0/*"))
            .collect();
        kind.descriptor(&keys)
            .parse::<Descriptor<DescriptorPublicKey>>()
            .ok()
            .and_then(|descriptor| descriptor.at_derivation_index(index).ok())
            .expect("descriptors of this list are well-formed")
    }

    /// The extended public keys that a coordinator writes into a multisig's file (BIP-0174,
    /// `PSBT_GLOBAL_XPUB`).
    pub(super) fn global_xpubs(&self) -> BTreeMap<Xpub, KeySource> {
        self.account_keys(Kind::Multisig).into_iter().collect()
    }

    fn account_keys(&self, kind: Kind) -> Vec<(Xpub, KeySource)> {
        let path: DerivationPath = kind
            .account_path()
            .parse()
            .expect("the paths of this list are well-formed");
        self.masters
            .iter()
            .map(|master| {
                let account = master
                    .derive_priv(&self.secp, &path)
                    .expect("one path in 2^127 leads to no key");
                debug_assert_eq!(account.network, NetworkKind::Test);
                let source = (master.fingerprint(&self.secp), path.clone());
                (Xpub::from_priv(&self.secp, &account), source)
            })
            .collect()
    }
}
