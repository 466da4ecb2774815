//! Wallets for any descriptor: scripts that the node's own wallets do not offer, signed by its own signer.

use super::payment::btc;
use super::*;

/// A wallet for one descriptor with private keys, and its address.
#[derive(Clone, Debug)]
pub(crate) struct DescriptorWallet<'n> {
    pub(super) wallet: Wallet<'n>,
    pub(super) address: String,
}

/// The terms of a spend, in addition to its coins.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms {
    /// Sequence number of every input; `None` leaves it to the node.
    pub(crate) sequence: Option<u32>,
    /// The transaction's lock time.
    pub(crate) lock_time: u32,
}

impl Node {
    /// A wallet for one descriptor without a wildcard and without its checksum.
    pub(crate) async fn descriptor_wallet(&self, descriptor: &str) -> DescriptorWallet<'_> {
        self.wallet_of(descriptor, json!({"blank": true})).await
    }

    /// The same for a descriptor without private keys: a wallet whose files another one signs.
    pub(crate) async fn watching_wallet(&self, descriptor: &str) -> DescriptorWallet<'_> {
        let options = json!({"blank": true, "disable_private_keys": true});
        self.wallet_of(descriptor, options).await
    }

    async fn wallet_of(&self, descriptor: &str, options: Value) -> DescriptorWallet<'_> {
        let info = self.call("getdescriptorinfo", json!([descriptor])).await;
        let descriptor = format!("{descriptor}#{}", text(&info["checksum"]));
        let addresses = self
            .call("deriveaddresses", json!([info["descriptor"]]))
            .await;
        let wallet = self.create_wallet(options).await;
        let request = json!([{"desc": descriptor, "timestamp": "now"}]);
        let answer = wallet.call("importdescriptors", json!([request])).await;
        assert_eq!(answer[0]["success"], true, "{descriptor}: {answer}");
        DescriptorWallet {
            wallet,
            address: text(&addresses[0]).to_owned(),
        }
    }
}

impl DescriptorWallet<'_> {
    /// A confirmed coin.
    pub(crate) async fn fund(&self, amount: Amount) -> OutPoint {
        self.wallet
            .node
            .pay(&[(self.address.clone(), amount)])
            .await[0]
    }

    /// A PSBT that spends `coin`, worth `amount`, back to its address, signed, final or not.
    pub(crate) async fn proof(
        &self,
        coin: OutPoint,
        amount: Amount,
        terms: Terms,
        finalize: bool,
    ) -> SomePsbt {
        let mut input = json!({"txid": coin.txid.to_string(), "vout": coin.vout});
        if let Some(sequence) = terms.sequence {
            input["sequence"] = json!(sequence);
        }
        let back = btc(&(self.address.clone(), amount - Amount::from_sat(2_000)));
        let psbt = self
            .wallet
            .node
            .call("createpsbt", json!([[input], [back], terms.lock_time]))
            .await;
        let signed = self
            .wallet
            .sign(&SomePsbt::new(text(&psbt)), finalize)
            .await;
        if finalize {
            let answer = self.finalized(&signed).await;
            assert_eq!(answer["complete"], true, "{}: {answer}", self.address);
        }
        signed
    }

    /// Its export for another signer: an unsigned transfer of new confirmed coins to its own address.
    pub(crate) async fn export(&self, coins: &[Amount]) -> SomePsbt {
        let payments: Vec<_> = coins
            .iter()
            .map(|amount| (self.address.clone(), *amount))
            .collect();
        let coins = self.wallet.node.pay(&payments).await;
        self.wallet
            .update(&self.wallet.self_transfer(&coins).await)
            .await
    }

    /// Signs a PSBT that others may sign too.
    pub(crate) async fn sign(&self, psbt: &SomePsbt) -> SomePsbt {
        self.wallet.sign(psbt, false).await
    }

    async fn finalized(&self, psbt: &SomePsbt) -> Value {
        let node = self.wallet.node;
        node.call("finalizepsbt", json!([psbt.base64(), false]))
            .await
    }
}
