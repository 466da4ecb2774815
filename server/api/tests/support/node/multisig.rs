//! A 2-of-3 multisig: three wallets; each holds one key and knows all three.

use super::descriptors::DescriptorWallet;
use super::*;
use crate::support::signers::Account;

/// Three signers; any two suffice.
#[derive(Clone, Debug)]
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

    /// Each of `signers` (0, 1, 2) signs a copy, and the copies are combined (BIP-0174). With
    /// `finalize` the result is final, which takes two signers.
    pub(crate) async fn sign(
        &self,
        psbt: &SomePsbt,
        signers: &[usize],
        finalize: bool,
    ) -> SomePsbt {
        let node = self.signers[0].wallet.node;
        let mut signed = Vec::with_capacity(signers.len());
        for signer in signers {
            let copy = self.signers[*signer].sign(psbt).await;
            signed.push(json!(copy.base64()));
        }
        let combined = node.call("combinepsbt", json!([signed])).await;
        match finalize {
            true => node.finalized(combined).await,
            false => SomePsbt::new(&text(&combined)),
        }
    }
}
