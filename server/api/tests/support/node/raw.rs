//! Outputs and blocks that wallets do not make: any script, and transactions that nodes do not relay.

use super::*;

impl Node {
    /// Mines one block with exactly these transactions, whether or not the node would relay them.
    pub(crate) async fn confirm_raw(&self, transactions: &[Transaction]) -> BlockHash {
        let _mining = self.mining().await;
        let transactions: Vec<Value> = transactions
            .iter()
            .map(|transaction| json!(serialize_hex(transaction)))
            .collect();
        let block = self
            .call("generateblock", json!([self.miner, transactions]))
            .await;
        text(&block["hash"]).parse().unwrap()
    }

    /// Mines one empty block whose reward goes to `script`, which must have an address.
    pub(crate) async fn mine_to(&self, script: &ScriptBuf) -> OutPoint {
        let _mining = self.mining().await;
        let address = Address::from_script(script, Network::Regtest).unwrap();
        let mined = self
            .call("generateblock", json!([address.to_string(), []]))
            .await;
        let block = self.call("getblock", json!([mined["hash"]])).await;
        let txid: Txid = text(&block["tx"][0]).parse().unwrap();
        OutPoint::new(txid, 0)
    }
}
