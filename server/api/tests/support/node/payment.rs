//! Payments: they fund wallets, and wallets sign them.

use bitcoin::Denomination;

use super::*;

impl Node {
    /// Value and address of a spendable coin, confirmed or not.
    async fn coin(&self, coin: OutPoint) -> (Amount, String) {
        let answer = self
            .call("gettxout", json!([coin.txid.to_string(), coin.vout, true]))
            .await;
        let value = Amount::from_str_in(&answer["value"].to_string(), Denomination::Bitcoin);
        (
            value.unwrap_or_else(|_| panic!("{coin} is not there to be spent")),
            text(&answer["scriptPubKey"]["address"]).to_owned(),
        )
    }

    /// An unsigned PSBT that spends `coins` and pays all but the fee to the address of the first.
    pub(super) async fn self_transfer(&self, coins: &[OutPoint]) -> SomePsbt {
        self.transfer(coins, &[]).await
    }

    /// An unsigned PSBT that spends `coins`, pays `payments`, and pays the rest after the fee
    /// to the address of the first coin.
    pub(super) async fn transfer(
        &self,
        coins: &[OutPoint],
        payments: &[(String, Amount)],
    ) -> SomePsbt {
        let mut left = Amount::ZERO;
        let mut back = None;
        for coin in coins {
            let (value, address) = self.coin(*coin).await;
            left += value;
            back.get_or_insert(address);
        }
        let count = u64::try_from(coins.len()).expect("few coins");
        left -= Amount::from_sat(1_000 + 400 * count);
        left -= payments.iter().map(|(_, amount)| *amount).sum();
        let back = (back.expect("at least one coin"), left);

        let inputs: Vec<Value> = coins
            .iter()
            .map(|coin| json!({"txid": coin.txid.to_string(), "vout": coin.vout}))
            .collect();
        let outputs: Vec<Value> = payments.iter().chain([&back]).map(btc).collect();
        let psbt = self.call("createpsbt", json!([inputs, outputs])).await;
        SomePsbt::new(text(&psbt))
    }

    /// Pays from the miner's coins and mines the payment: one confirmed coin for each, all in one
    /// transaction, in the order in which they are given.
    pub(crate) async fn pay(&self, payments: &[(String, Amount)]) -> Vec<OutPoint> {
        let outputs: Vec<TxOut> = payments
            .iter()
            .map(|(address, value)| TxOut {
                value: *value,
                script_pubkey: script_of(address),
            })
            .collect();
        // Encoded by hand: a transaction without inputs has no unambiguous encoding, and the node's calls
        // reject repeated addresses.
        let outputs = serialize_hex(&outputs);
        let unfunded = format!("0200000000{outputs}00000000");
        let options = json!({"changePosition": payments.len()});
        let _mining = self.mining().await;
        let funded = self
            .call_wallet(
                "miner",
                "fundrawtransaction",
                json!([unfunded, options, false]),
            )
            .await;
        let signed = self
            .call_wallet(
                "miner",
                "signrawtransactionwithwallet",
                json!([funded["hex"]]),
            )
            .await;
        let txid = self
            .call("sendrawtransaction", json!([signed["hex"]]))
            .await;
        let txid: Txid = text(&txid).parse().unwrap();
        self.block_of(&[txid]).await;
        (0..)
            .zip(payments)
            .map(|(vout, _)| OutPoint { txid, vout })
            .collect()
    }
}

/// The scriptPubKey of an address.
pub(crate) fn script_of(address: &str) -> ScriptBuf {
    let address: Address<_> = address.parse().unwrap();
    address.assume_checked().script_pubkey()
}

/// A payment in the format of the node's calls.
pub(super) fn btc((address, amount): &(String, Amount)) -> Value {
    json!({address: in_btc(*amount)})
}

/// Amounts are text: a float is not exact.
fn in_btc(amount: Amount) -> String {
    amount.to_string_in(Denomination::Bitcoin)
}
