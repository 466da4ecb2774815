//! Payments and blocks: they fund wallets, with any script, and mine transactions that nodes do not relay.

use super::*;

impl Node {
    /// Pays from the miner's coins and mines the payment: one confirmed coin for each, all in one
    /// transaction, in the order in which they are given.
    pub(crate) async fn pay(&self, payments: &[(String, Amount)]) -> Vec<OutPoint> {
        let outputs = payments.iter().map(|(address, value)| TxOut {
            value: *value,
            script_pubkey: script_of(address),
        });
        // Encoded by hand: a transaction without inputs has no unambiguous encoding, and the node's calls
        // reject repeated addresses.
        let outputs = serialize_hex(&outputs.collect::<Vec<_>>());
        let unfunded = format!("0200000000{outputs}00000000");
        let params = json!([unfunded, {"changePosition": payments.len()}, false]);
        let _mining = self.mining().await;
        let miner = async |method, params| self.call_wallet("miner", method, params).await;
        let params = json!([miner("fundrawtransaction", params).await["hex"]]);
        let params = json!([miner("signrawtransactionwithwallet", params).await["hex"]]);
        let txid = text(&self.call("sendrawtransaction", params).await);
        let txid: Txid = txid.parse().unwrap();
        self.block_of(&[txid]).await;
        let coins = (0..).zip(payments);
        coins.map(|(vout, _)| OutPoint { txid, vout }).collect()
    }

    /// Mines one block with exactly these transactions, whether or not the node would relay them.
    pub(crate) async fn confirm_raw(&self, transactions: &[Transaction]) -> BlockHash {
        let _mining = self.mining().await;
        let transactions: Vec<_> = transactions.iter().map(serialize_hex).collect();
        self.block_with(&self.miner, json!(transactions)).await
    }

    /// Mines one empty block whose reward goes to `script`, which must have an address.
    pub(crate) async fn mine_to(&self, script: &ScriptBuf) -> OutPoint {
        let _mining = self.mining().await;
        let address = Address::from_script(script, Network::Regtest).unwrap();
        let mined = self.block_with(&address.to_string(), json!([])).await;
        let block = self.call("getblock", json!([mined])).await;
        OutPoint::new(text(&block["tx"][0]).parse().unwrap(), 0)
    }
}

/// The scriptPubKey of an address.
pub(crate) fn script_of(address: &str) -> ScriptBuf {
    let address: Address<_> = address.parse().unwrap();
    address.assume_checked().script_pubkey()
}
