//! A real Bitcoin node on regtest.

use bitcoin::Address;
use process::Process;
use tokio::sync::{OnceCell, RwLock, RwLockReadGuard};

use crate::support::prelude::*;

mod descriptors;
mod payment;
mod process;
mod wallet;

pub(crate) use descriptors::Terms;
pub(crate) use payment::script_of;
pub(crate) use process::free_port;
pub(crate) use wallet::{AddressType, SomePsbt, Wallet};

/// The blocks of a new node: ten coinbases of 50 BTC are mature.
const FIRST_BLOCKS: u32 = 110;

/// How long mining waits for tests that keep the tip.
const STILL_DEADLINE: Duration = Duration::from_secs(120);

/// A separate node, which ends when it is dropped or when the test process ends.
pub(crate) struct Node {
    process: Process,
    miner: String,
    /// Write-locked to mine a block, read-locked while the tip must stay.
    chain: RwLock<()>,
}

/// No block is mined on the node while this lives.
pub(crate) type Still<'n> = RwLockReadGuard<'n, ()>;

impl Node {
    /// The node that all tests of this binary share: every test has its own wallets, and no test
    /// mines another's transactions.
    pub(crate) async fn shared() -> &'static Self {
        static NODE: OnceCell<Node> = OnceCell::const_new();
        NODE.get_or_init(Self::start).await
    }

    /// A separate node, with an index of all transactions.
    pub(crate) async fn start() -> Self {
        Self::start_with(&["-txindex=1"]).await
    }

    /// A separate node with more options of `bitcoind`.
    pub(crate) async fn start_with(options: &[&str]) -> Self {
        let mut node = Self {
            process: Process::start(options).await,
            miner: String::new(),
            chain: RwLock::default(),
        };
        node.call("createwallet", json!(["miner"])).await;
        node.miner = text(&node.call_wallet("miner", "getnewaddress", json!([])).await);
        let first = json!([FIRST_BLOCKS, node.miner]);
        node.call("generatetoaddress", first).await;
        node
    }

    /// The address of the RPC, with user and password, for the server's configuration.
    pub(crate) fn url(&self) -> &str {
        &self.process.url
    }

    /// Keeps the tip as it is. Mining in the same test would wait for ever, so it
    /// panics after a while.
    pub(crate) async fn still(&self) -> Still<'_> {
        self.chain.read().await
    }

    /// A call that must succeed.
    pub(crate) async fn call(&self, method: &str, params: Value) -> Value {
        self.call_wallet("", method, params).await
    }

    /// A call to a wallet that must succeed.
    pub(crate) async fn call_wallet(&self, wallet: &str, method: &str, params: Value) -> Value {
        let answer = self.try_call(wallet, method, params).await;
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// A call that may return the node's error. An empty `wallet` means the node itself.
    pub(crate) async fn try_call(
        &self,
        wallet: &str,
        method: &str,
        params: Value,
    ) -> Result<Value, Value> {
        let request = json!({"jsonrpc": "1.0", "id": 0, "method": method, "params": params});
        let path = match wallet {
            "" => String::new(),
            wallet => format!("/wallet/{wallet}"),
        };
        let mut answer = self.process.post(&path, &request).await.expect(method);
        match answer["error"].take() {
            Value::Null => Ok(answer["result"].take()),
            error => Err(error),
        }
    }

    /// A PSBT that a call makes.
    async fn psbt(&self, method: &str, params: Value) -> SomePsbt {
        SomePsbt::new(&text(&self.call(method, params).await))
    }

    /// Mines empty blocks: the mempool stays as it is.
    pub(crate) async fn mine(&self, blocks: usize) -> Vec<BlockHash> {
        let _mining = self.mining().await;
        let mut hashes = Vec::with_capacity(blocks);
        for _ in 0..blocks {
            hashes.push(self.block_of(&[]).await);
        }
        hashes
    }

    /// Mines one block with exactly these transactions, parents before children.
    pub(crate) async fn confirm(&self, transactions: &[Txid]) -> BlockHash {
        let _mining = self.mining().await;
        self.block_of(transactions).await
    }

    /// Mines one block with exactly these transactions, whose reward goes to this address. Returns the reward.
    pub(crate) async fn reward(&self, address: &str, transactions: &[Txid]) -> OutPoint {
        let _mining = self.mining().await;
        let block = self.block_with(address, json!(transactions)).await;
        let block = self.call("getblock", json!([block])).await;
        OutPoint::new(text(&block["tx"][0]).parse().unwrap(), 0)
    }

    /// Removes a block, and those after it, from the chain; their transactions return to the mempool
    /// if it accepts them.
    pub(crate) async fn disconnect(&self, block: BlockHash) {
        let _mining = self.mining().await;
        self.call("invalidateblock", json!([block])).await;
    }

    /// Allows a removed block again.
    pub(crate) async fn reconnect(&self, block: BlockHash) {
        let _mining = self.mining().await;
        self.call("reconsiderblock", json!([block])).await;
    }

    /// Puts a transaction into the mempool.
    pub(crate) async fn broadcast(&self, transaction: &Transaction) -> Txid {
        let hex = serialize_hex(transaction);
        let txid = self.call("sendrawtransaction", json!([hex])).await;
        text(&txid).parse().unwrap()
    }

    /// Height and hash of the newest block.
    pub(crate) async fn tip(&self) -> (u32, BlockHash) {
        let info = self.call("getblockchaininfo", json!([])).await;
        let height = info["blocks"].as_u64().unwrap();
        let hash = text(&info["bestblockhash"]).parse().unwrap();
        (u32::try_from(height).unwrap(), hash)
    }

    async fn mining(&self) -> impl Drop {
        let mining = tokio::time::timeout(STILL_DEADLINE, self.chain.write());
        let mining = mining.await;
        mining.expect("a test mines while it, or another, holds the chain still")
    }

    async fn block_of(&self, transactions: &[Txid]) -> BlockHash {
        self.block_with(&self.miner, json!(transactions)).await
    }

    async fn block_with(&self, address: &str, transactions: Value) -> BlockHash {
        let params = json!([address, transactions]);
        let block = self.call("generateblock", params).await;
        text(&block["hash"]).parse().unwrap()
    }
}
