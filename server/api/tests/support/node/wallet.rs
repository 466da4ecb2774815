//! A wallet on the node: it receives coins, and makes and signs PSBTs.

use std::sync::atomic::AtomicU32;

use bitcoin::Denomination;
use serde::Serialize;

use super::*;

/// An address type, with the names of `getnewaddress`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AddressType {
    /// P2PKH.
    Legacy,
    /// P2WPKH nested in P2SH.
    P2shSegwit,
    /// P2WPKH.
    Bech32,
    /// P2TR, spent by its key.
    Bech32m,
}

impl AddressType {
    /// Every type that a single key can spend.
    pub(crate) const ALL: [Self; 4] = [Self::Legacy, Self::P2shSegwit, Self::Bech32, Self::Bech32m];
}

/// A wallet of one test.
pub(crate) struct Wallet<'n> {
    pub(super) node: &'n Node,
    pub(super) name: String,
}

impl Node {
    /// A new wallet with its own keys and without coins.
    pub(crate) async fn wallet(&self) -> Wallet<'_> {
        self.create_wallet(json!({})).await
    }

    pub(super) async fn create_wallet(&self, mut options: Value) -> Wallet<'_> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("wallet-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        options["wallet_name"] = json!(name);
        self.call("createwallet", options).await;
        Wallet { node: self, name }
    }
}

impl Wallet<'_> {
    /// A call to this wallet that must succeed.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        self.node.call_wallet(&self.name, method, params).await
    }

    /// A new address.
    pub(crate) async fn address(&self, kind: AddressType) -> String {
        text(&self.call("getnewaddress", json!(["", kind])).await)
    }

    /// A confirmed coin of this wallet.
    pub(crate) async fn fund(&self, kind: AddressType, amount: Amount) -> OutPoint {
        self.fund_all(&[(kind, amount)]).await[0]
    }

    /// A confirmed coin of 1 BTC.
    pub(crate) async fn coin(&self) -> OutPoint {
        self.fund(AddressType::Bech32, Amount::ONE_BTC).await
    }

    /// Confirmed coins of 1 BTC, all of one transaction.
    pub(crate) async fn coins<const COUNT: usize>(&self) -> [OutPoint; COUNT] {
        let coins = [(AddressType::Bech32, Amount::ONE_BTC); COUNT];
        let coins = self.fund_all(&coins).await;
        coins.try_into().expect("as many as were asked for")
    }

    /// Confirmed coins of this wallet, all of one transaction, in the order given.
    pub(crate) async fn fund_all(&self, coins: &[(AddressType, Amount)]) -> Vec<OutPoint> {
        let mut payments = Vec::with_capacity(coins.len());
        for (kind, amount) in coins {
            payments.push((self.address(*kind).await, *amount));
        }
        self.node.pay(&payments).await
    }

    /// Confirmed coins of one and the same address, all of one transaction, in the order given.
    pub(crate) async fn fund_one_address(
        &self,
        kind: AddressType,
        amounts: &[Amount],
    ) -> Vec<OutPoint> {
        fund(self.node, &self.address(kind).await, amounts).await
    }

    /// An unsigned PSBT that spends `coins` and pays all but the fee to the address of the first.
    pub(crate) async fn self_transfer(&self, coins: &[OutPoint]) -> SomePsbt {
        self.transfer(coins, &[]).await
    }

    /// A self-transfer of `coins` that also pays other addresses, in its first outputs.
    pub(crate) async fn transfer(&self, coins: &[OutPoint], paid: &[(String, Amount)]) -> SomePsbt {
        let mut left = Amount::ZERO;
        let mut back = None;
        for coin in coins {
            // Confirmed or not.
            let params = json!([coin.txid, coin.vout, true]);
            let output = self.node.call("gettxout", params).await;
            let value = Amount::from_str_in(&output["value"].to_string(), Denomination::Bitcoin);
            left += value.unwrap_or_else(|_| panic!("{coin} is not there to be spent"));
            back.get_or_insert(text(&output["scriptPubKey"]["address"]));
        }
        left -= Amount::from_sat(1_000 + 400 * u64::try_from(coins.len()).expect("few coins"));
        left -= paid.iter().map(|(_, amount)| *amount).sum();
        let back = (back.expect("at least one coin"), left);
        let inputs: Vec<Value> = coins.iter().map(input).collect();
        let outputs: Vec<Value> = paid.iter().chain([&back]).map(btc).collect();
        self.node.psbt("createpsbt", json!([inputs, outputs])).await
    }

    /// Completes the fields and signs. With `finalize` the signatures are put into their final
    /// places, without it they stay partial.
    pub(crate) async fn sign(&self, psbt: &SomePsbt, finalize: bool) -> SomePsbt {
        self.process(psbt, true, finalize).await
    }

    /// Completes the fields (previous outputs, scripts, derivation paths) without signing.
    pub(crate) async fn update(&self, psbt: &SomePsbt) -> SomePsbt {
        self.process(psbt, false, false).await
    }

    /// A signed self-transfer of `coins`, finalized or with partial signatures.
    pub(crate) async fn proof(&self, coins: &[OutPoint], finalize: bool) -> SomePsbt {
        self.sign(&self.self_transfer(coins).await, finalize).await
    }

    /// Spends `coins` in the mempool; output 0 of the result is an unconfirmed coin of this wallet.
    pub(crate) async fn spend(&self, coins: &[OutPoint]) -> Transaction {
        let transaction = self.proof(coins, true).await.transaction();
        self.node.broadcast(&transaction).await;
        transaction
    }

    /// Spends `coins` in a block of their own; returns the block's hash.
    pub(crate) async fn spend_in_block(&self, coins: &[OutPoint]) -> BlockHash {
        let spender = self.spend(coins).await.compute_txid();
        self.node.confirm(&[spender]).await
    }

    /// The same, final only in blocks after `height`, and not in the mempool yet.
    pub(crate) async fn spend_after(&self, coin: OutPoint, height: u32) -> Transaction {
        let address = self.address(AddressType::Bech32).await;
        let params = json!([[input(&coin)], [{address: "0.1"}], height]);
        let psbt = self.node.psbt("createpsbt", params).await;
        self.sign(&psbt, true).await.transaction()
    }

    async fn process(&self, psbt: &SomePsbt, sign: bool, finalize: bool) -> SomePsbt {
        let params = json!({"psbt": psbt.base64(), "sign": sign, "finalize": finalize});
        SomePsbt::new(&text(&self.call("walletprocesspsbt", params).await["psbt"]))
    }
}

/// Confirmed coins of one address, all of one transaction, in the order given.
pub(super) async fn fund(node: &Node, address: &str, amounts: &[Amount]) -> Vec<OutPoint> {
    let payments = amounts.iter().map(|amount| (address.to_owned(), *amount));
    node.pay(&payments.collect::<Vec<_>>()).await
}

/// An input in the format of the node's calls.
pub(super) fn input(coin: &OutPoint) -> Value {
    json!({"txid": coin.txid, "vout": coin.vout})
}

/// A payment in the format of the node's calls. Amounts are text: a float is not exact.
pub(super) fn btc((address, amount): &(String, Amount)) -> Value {
    json!({address: amount.to_string_in(Denomination::Bitcoin)})
}

/// A PSBT from a node, in the encodings that users upload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SomePsbt(String);

impl SomePsbt {
    pub(crate) fn new(base64: &str) -> Self {
        Self(base64.to_owned())
    }

    /// Base64 text.
    pub(crate) fn base64(&self) -> &str {
        &self.0
    }

    /// The bytes of a `.psbt` file.
    pub(crate) fn binary(&self) -> Vec<u8> {
        STANDARD.decode(&self.0).expect("base64 from the node")
    }

    /// Its fields.
    pub(crate) fn decode(&self) -> Psbt {
        Psbt::deserialize(&self.binary()).expect("a PSBT from the node")
    }

    /// The final transaction; the PSBT must be final.
    pub(crate) fn transaction(&self) -> Transaction {
        self.decode().extract_tx_unchecked_fee_rate()
    }
}

impl From<Psbt> for SomePsbt {
    /// Replaces the PSBT, for tests that change fields.
    fn from(psbt: Psbt) -> Self {
        Self(STANDARD.encode(psbt.serialize()))
    }
}
