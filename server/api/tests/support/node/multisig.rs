//! A 2-of-3 multisig: three wallets; each holds one key and knows all three.

use bitcoin::bip32::{DerivationPath, Xpriv, Xpub};
use bitcoin::secp256k1::Secp256k1;
use bitcoin::{Amount, Network, OutPoint};
use serde_json::{Value, json};

use super::{AddressType, Node, SomePsbt, Wallet, text};

/// P2WSH multisig by BIP-0048, keys sorted by BIP-0067.
const PATH: &str = "48h/1h/0h/2h";

/// Three signers; any two suffice.
#[derive(Clone, Debug)]
pub(crate) struct Multisig<'n> {
    node: &'n Node,
    signers: Vec<Wallet<'n>>,
}

impl Node {
    /// A new 2-of-3 P2WSH multisig without coins.
    pub(crate) async fn multisig(&self) -> Multisig<'_> {
        let keys: Vec<Key> = (0..3).map(|_| Key::random()).collect();
        let mut signers = Vec::with_capacity(keys.len());
        for own in 0..keys.len() {
            let keys: Vec<String> = keys
                .iter()
                .enumerate()
                .map(|(index, key)| {
                    if index == own {
                        &key.private
                    } else {
                        &key.public
                    }
                })
                .map(|key| format!("{key}/0/*"))
                .collect();
            let descriptor = format!("wsh(sortedmulti(2,{}))", keys.join(","));
            let wallet = self.create_wallet(json!({"blank": true})).await;
            wallet.import(&descriptor).await;
            signers.push(wallet);
        }
        Multisig {
            node: self,
            signers,
        }
    }
}

impl Wallet<'_> {
    /// Makes `descriptor` the source of this wallet's bech32 addresses.
    async fn import(&self, descriptor: &str) {
        let info = self.call("getdescriptorinfo", json!([descriptor])).await;
        let checksum = text(&info["checksum"]);
        let request = json!([{
            "desc": format!("{descriptor}#{checksum}"),
            "active": true, "range": [0, 9], "timestamp": "now",
        }]);
        let answer = self.call("importdescriptors", json!([request])).await;
        assert_eq!(answer[0]["success"], true, "{answer}");
    }
}

impl Multisig<'_> {
    /// A new address.
    pub(crate) async fn address(&self) -> String {
        self.signers[0].address(AddressType::Bech32).await
    }

    /// A confirmed coin of the multisig.
    pub(crate) async fn fund(&self, amount: Amount) -> OutPoint {
        self.signers[0].fund(AddressType::Bech32, amount).await
    }

    /// An unsigned PSBT that spends `coins` back to the address of the first.
    pub(crate) async fn self_transfer(&self, coins: &[OutPoint]) -> SomePsbt {
        self.node.self_transfer(coins).await
    }

    /// Each of `signers` (0, 1, 2) signs a copy, and the copies are combined (BIP-0174). With
    /// `finalize` the result is final, which takes two signers.
    pub(crate) async fn sign(
        &self,
        psbt: &SomePsbt,
        signers: &[usize],
        finalize: bool,
    ) -> SomePsbt {
        let mut signed = Vec::with_capacity(signers.len());
        for signer in signers {
            let copy = self.signers[*signer].sign(psbt, false).await;
            signed.push(json!(copy.base64()));
        }
        let combined = self.node.call("combinepsbt", json!([signed])).await;
        if !finalize {
            return SomePsbt::new(text(&combined));
        }
        let answer = self
            .node
            .call("finalizepsbt", json!([combined, false]))
            .await;
        assert_eq!(
            answer["complete"],
            Value::Bool(true),
            "two signers must have signed"
        );
        SomePsbt::new(text(&answer["psbt"]))
    }
}

/// One signer's account key in the notation of descriptors (BIP-0380): with its origin.
struct Key {
    private: String,
    public: String,
}

impl Key {
    fn random() -> Self {
        let secp = Secp256k1::new();
        let seed = [
            *uuid::Uuid::new_v4().as_bytes(),
            *uuid::Uuid::new_v4().as_bytes(),
        ]
        .concat();
        let path: DerivationPath = PATH.parse().expect("a path");
        let master = Xpriv::new_master(Network::Regtest, &seed).expect("a key");
        let account = master.derive_priv(&secp, &path).expect("a key");
        let origin = format!("[{}/{path}]", master.fingerprint(&secp));
        Self {
            private: format!("{origin}{account}"),
            public: format!("{origin}{}", Xpub::from_priv(&secp, &account)),
        }
    }
}
