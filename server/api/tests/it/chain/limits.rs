//! Rule C8: the cost of a look-up is bounded, whatever the file contains.

use axum::Json;
use axum::http::Uri;
use axum::response::Response;
use tokio::sync::Semaphore;

use super::*;
use crate::forge::{pay, transaction};

/// The most concurrent requests to one source.
const UNDER_WAY: usize = 8;

/// A transaction as large as nodes relay, with one small output that the test looks up.
fn fat(number: u32, bytes: usize) -> Transaction {
    let output = pay(number.into(), ScriptBuf::from_bytes(vec![0x51]));
    let source = OutPoint::new(Txid::hash(&number.to_le_bytes()), 0);
    let mut fat = transaction([source].into_iter(), vec![output]);
    fat.input[0].witness = Witness::from_slice(&[vec![0; bytes]]);
    fat
}

/// An explorer with large transactions that counts the running requests, and delays some of them.
struct Explorer {
    transactions: HashMap<String, u32>,
    bytes: usize,
    open: Semaphore,
    under_way: AtomicUsize,
    most: AtomicUsize,
    asked: AtomicUsize,
    /// This process's memory when all transactions have been sent.
    resident: AtomicUsize,
}

impl Explorer {
    /// Starts it; the result is also a source at it, its address, and the coins.
    async fn start(count: u32, bytes: usize) -> (Arc<Self>, Source, String, Vec<OutPoint>) {
        let txids = (0..count).map(|number| fat(number, bytes).compute_txid());
        let txids: Vec<Txid> = txids.collect();
        let explorer = Arc::new(Self {
            transactions: txids.iter().map(Txid::to_string).zip(0..).collect(),
            bytes,
            open: Semaphore::new(0),
            under_way: AtomicUsize::default(),
            most: AtomicUsize::default(),
            asked: AtomicUsize::default(),
            resident: AtomicUsize::default(),
        });
        let shared = Arc::clone(&explorer);
        let answer = async move |uri: Uri| shared.answer(uri.path()).await;
        let url = serve(Router::new().fallback(answer)).await;
        let source = Arc::new(Esplora::new(&url, http_client()).unwrap());
        let outpoints = txids.into_iter().map(|txid| OutPoint::new(txid, 0));
        (explorer, source, url, outpoints.collect())
    }

    async fn answer(&self, path: &str) -> Response {
        let block = BlockHash::hash(b"a block").to_string();
        match path.split('/').skip(1).collect::<Vec<_>>()[..] {
            ["tx", txid, "raw"] => {
                let under_way = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
                self.most.fetch_max(under_way, Ordering::SeqCst);
                self.asked.fetch_add(1, Ordering::SeqCst);
                self.open.acquire().await.expect("open").forget();
                self.under_way.fetch_sub(1, Ordering::SeqCst);
                serialize(&fat(self.transactions[txid], self.bytes)).into_response()
            }
            ["tx", _, "status"] => {
                let place = json!({"confirmed": true, "block_height": 5, "block_hash": block});
                Json(place).into_response()
            }
            ["tx", _, "outspend", _] => {
                let (now, order) = (resident(), Ordering::SeqCst);
                let _first = self.resident.compare_exchange(0, now, order, order);
                Json(json!({"spent": false})).into_response()
            }
            _ => block.into_response(),
        }
    }

    /// Waits until the maximum number of requests is running.
    async fn is_busy(&self) {
        let full = async || self.under_way.load(Ordering::SeqCst) >= UNDER_WAY;
        wait_until("a full load", full).await;
    }

    /// Stops delaying requests.
    fn open(&self) {
        self.open.add_permits(Semaphore::MAX_PERMITS / 2);
    }
}

#[tokio::test]
async fn concurrent_look_ups_share_the_limit_of_requests() {
    let (explorer, source, url, outpoints) = Explorer::start(64, 10).await;
    let all = join_all(outpoints.chunks(2).map(|coins| source.coins(coins)));
    let opening = async {
        explorer.is_busy().await;
        // A quick request is answered meanwhile, which also shows that the earlier ones have arrived.
        for _ in 0..50 {
            let status = http_client().get(format!("{url}/tx/{}/status", outpoints[0].txid));
            status.send().await.unwrap();
        }
        explorer.open();
    };
    let (answers, ()) = tokio::join!(all, opening);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(explorer.most.load(Ordering::SeqCst), UNDER_WAY);
}

/// The request that has waited longest is next: one coin does not wait for thousands.
#[tokio::test]
async fn a_small_look_up_is_done_before_a_large_one_that_came_first() {
    let (explorer, source, _, outpoints) = Explorer::start(400, 10).await;
    let (one, many) = outpoints.split_last().expect("coins");
    let look_up = |coins: &[OutPoint]| {
        let (source, coins) = (source.clone(), coins.to_vec());
        tokio::spawn(async move { source.coins(&coins).await.unwrap() })
    };
    let large = look_up(many);
    explorer.is_busy().await;
    let small = look_up(&[*one]);
    explorer.open();
    assert_matches!(small.await.unwrap()[..], [Coin::Unspent(_)]);
    let asked = explorer.asked.load(Ordering::SeqCst);
    assert!(asked < 200, "{asked} questions came first");
    assert_eq!(large.await.unwrap().len(), 399);
}

/// 400 inputs that name 400 transactions of a megabyte: 400 MB, if all were kept until the last arrives.
#[tokio::test]
async fn nothing_of_a_fat_transaction_is_kept_but_its_wanted_output() {
    let (explorer, source, _, outpoints) = Explorer::start(400, 1_000_000).await;
    explorer.open();
    let before = resident();
    let coins = source.coins(&outpoints).await.unwrap();
    assert_eq!(coins.len(), 400);
    assert!(coins.iter().all(|coin| matches!(coin, Coin::Unspent(_))));
    let kept = explorer.resident.load(Ordering::SeqCst) - before;
    assert!(kept < 150_000_000, "{kept} bytes were kept");
}

/// This process's memory in bytes; none where the system does not tell.
fn resident() -> usize {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = pages.split(' ').nth(1).and_then(|it| it.parse().ok());
    pages.unwrap_or(0) * 4096
}

const LOOK_UPS: usize = 32;
const COINS: usize = 1_400;

/// Core answers 503 when its work queue is full.
#[tokio::test]
async fn look_ups_succeed_when_the_nodes_work_queue_is_full() {
    let node = Node::start_with(&["-rpcthreads=1", "-rpcworkqueue=1"]).await;
    let wallet = node.wallet().await;
    let amounts = vec![Amount::from_sat(10_000); COINS];
    let coins = wallet.fund_one_address(AddressType::Bech32, &amounts).await;
    let source = core_rpc(&node);
    source.tip().await.unwrap();
    let answers = join_all((0..LOOK_UPS).map(|_| source.coins(&coins))).await;
    for answer in answers {
        let answer = answer.unwrap();
        assert!(answer.iter().all(|coin| matches!(coin, Coin::Unspent(_))));
    }
}

/// Finding out why a coin is gone takes a request each, and the node reads its transaction from disk.
#[tokio::test]
async fn missing_coins_cost_a_bounded_number_of_requests() {
    let (proxy, source) = proxied().await;
    let asked = Arc::new(AtomicUsize::new(0));
    let counting = Arc::clone(&asked);
    proxy.lie(move |call, _| {
        if call["method"] == "getrawtransaction" {
            counting.fetch_add(1, Ordering::SeqCst);
        }
    });
    let nowhere = |number: u32| OutPoint::new(Txid::hash(&number.to_le_bytes()), 0);
    let nowhere: Vec<OutPoint> = (0..2_000).map(nowhere).collect();
    let coins = source.coins(&nowhere).await.unwrap();
    assert_eq!(coins[0], Coin::Missing, "the first one's state is exact");
    let gone = |coin: &Coin| matches!(coin, Coin::Missing | Coin::SpentOrMissing);
    assert!(coins.iter().all(gone));
    let asked = asked.load(Ordering::SeqCst);
    assert!(asked <= 50, "{asked} questions");
}
