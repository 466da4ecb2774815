//! Wallets for any descriptor, among them a 2-of-3 multisig: scripts that the node's own wallets do not offer, signed by its own signer.

use super::wallet::{btc, fund, input};
use super::*;
use crate::support::signers::Account;

/// A wallet for one descriptor with private keys, and its address.
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
        let params = json!([info["descriptor"]]);
        let addresses = self.call("deriveaddresses", params).await;
        let wallet = self.create_wallet(options).await;
        let request = json!([{"desc": descriptor, "timestamp": "now"}]);
        let answer = wallet.call("importdescriptors", json!([request])).await;
        assert_eq!(answer[0]["success"], true, "{descriptor}: {answer}");
        let address = text(&addresses[0]);
        DescriptorWallet { wallet, address }
    }
}

impl DescriptorWallet<'_> {
    /// A confirmed coin.
    pub(crate) async fn fund(&self, amount: Amount) -> OutPoint {
        fund(self.wallet.node, &self.address, &[amount]).await[0]
    }

    /// A PSBT that spends `coin`, worth `amount`, back to its address, signed, final or not.
    pub(crate) async fn proof(
        &self,
        coin: OutPoint,
        amount: Amount,
        terms: Terms,
        finalize: bool,
    ) -> SomePsbt {
        let mut input = input(&coin);
        if let Some(sequence) = terms.sequence {
            input["sequence"] = json!(sequence);
        }
        let back = btc(&(self.address.clone(), amount - Amount::from_sat(2_000)));
        let params = json!([[input], [back], terms.lock_time]);
        let psbt = self.wallet.node.psbt("createpsbt", params).await;
        let signed = self.wallet.sign(&psbt, finalize).await;
        if finalize {
            self.wallet.node.finalized(json!(signed.base64())).await;
        }
        signed
    }

    /// Its export for another signer: an unsigned transfer of new confirmed coins to its own address.
    pub(crate) async fn export(&self, coins: &[Amount]) -> SomePsbt {
        let coins = fund(self.wallet.node, &self.address, coins).await;
        let transfer = self.wallet.self_transfer(&coins).await;
        self.wallet.update(&transfer).await
    }

    /// Signs a PSBT that others may sign too.
    pub(crate) async fn sign(&self, psbt: &SomePsbt) -> SomePsbt {
        self.wallet.sign(psbt, false).await
    }
}

impl Node {
    /// Finalizes a PSBT, which must be complete.
    pub(super) async fn finalized(&self, psbt: Value) -> SomePsbt {
        let answer = self.call("finalizepsbt", json!([psbt, false])).await;
        assert_eq!(answer["complete"], true, "{answer}");
        SomePsbt::new(&text(&answer["psbt"]))
    }
}

/// Three signers; any two suffice.
pub(crate) struct Multisig<'n> {
    signers: Vec<DescriptorWallet<'n>>,
}

impl Node {
    /// A new 2-of-3 P2WSH multisig without coins: accounts by BIP-0048, keys sorted by BIP-0067.
    pub(crate) async fn multisig(&self) -> Multisig<'_> {
        let accounts = [(); 3].map(|()| Account::random("48h/1h/0h/2h"));
        let mut signers = Vec::with_capacity(accounts.len());
        for own in 0..accounts.len() {
            let mut keys = accounts.each_ref().map(Account::watched);
            keys[own] = accounts[own].signing();
            let descriptor = format!("wsh(sortedmulti(2,{}))", keys.join(","));
            signers.push(self.descriptor_wallet(&descriptor).await);
        }
        Multisig { signers }
    }
}

impl Multisig<'_> {
    /// Its address.
    pub(crate) fn address(&self) -> String {
        self.signers[0].address.clone()
    }

    /// A confirmed coin of the multisig.
    pub(crate) async fn fund(&self, amount: Amount) -> OutPoint {
        self.signers[0].fund(amount).await
    }

    /// An unsigned PSBT that spends `coins` back to its address.
    pub(crate) async fn self_transfer(&self, coins: &[OutPoint]) -> SomePsbt {
        self.signers[0].wallet.self_transfer(coins).await
    }

    /// Each of these signers (0, 1, 2) signs a copy, and the copies are combined (BIP-0174). With
    /// `finalize` the result is final, which takes two signers.
    pub(crate) async fn sign(&self, psbt: &SomePsbt, by: &[usize], finalize: bool) -> SomePsbt {
        let node = self.signers[0].wallet.node;
        let mut signed = Vec::with_capacity(by.len());
        for signer in by {
            signed.push(json!(self.signers[*signer].sign(psbt).await.base64()));
        }
        let combined = node.call("combinepsbt", json!([signed])).await;
        match finalize {
            true => node.finalized(combined).await,
            false => SomePsbt::new(&text(&combined)),
        }
    }
}
