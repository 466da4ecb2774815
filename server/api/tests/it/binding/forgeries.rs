//! Transactions that somebody meant to broadcast, and files that are nearly bound (rule C2): what a stranger could bring
//! about, with the statement of the stranger's account in it. Each is one step away from a proof, and a proof nowhere.

use bitcoin::absolute::LockTime;
use bitcoin::script::{Builder, PushBytesBuf};
use bitcoin::{Amount, NetworkKind, OutPoint, PrivateKey, ScriptBuf, Sequence, Transaction, TxOut};
use psbt_wasm::statement::LOCK_TIME;

use super::files::{COIN, output, pay, saying, statement, still, transaction, unsigned};
use super::*;
use crate::forge::Key;
use crate::support::node::{AddressType, SomePsbt, Wallet, script_of};

const FEE: Amount = Amount::from_sat(500);

/// Both kinds of boards over one node: one that wants files bound, and one that takes others as well.
struct Boards<'n> {
    node: &'n Node,
    apps: [TestApp; 2],
}

/// One board, and whoever wants to be on it with other people's coins.
struct Scene<'a> {
    app: &'a TestApp,
    eve: Person<'a>,
    line: String,
}

impl<'n> Boards<'n> {
    async fn open(node: &'n Node) -> Self {
        let apps = [app(node).await, optional_app(node).await];
        Self { node, apps }
    }

    /// On both of them the file is refused for this reason, and nobody holds anything.
    async fn refuse(&self, what: &str, code: &str, file: impl AsyncFn(&Scene<'_>) -> SomePsbt) {
        for app in &self.apps {
            let eve = app.sign_in().await;
            let line = statement(&eve).await;
            let scene = Scene { app, eve, line };
            let file = file(&scene).await.binary();
            let answer = submit(self.node, &scene.eve, &file).await;
            assert_eq!(answer.body["code"], code, "{what}: {answer:?}");
            let said = refused(&answer, 422, code);
            assert!(
                said.contains("your statement") || code != "not-still",
                "{said}"
            );
            nothing_recorded(&scene.eve).await;
        }
    }
}

impl Scene<'_> {
    /// What a transaction would be if it were still and carried Eve's statement.
    async fn still(&self, coins: &[OutPoint]) -> Transaction {
        still(self.app, coins, &self.line).await
    }

    async fn script(&self, coin: OutPoint) -> ScriptBuf {
        output(self.app, coin).await.script_pubkey
    }
}

async fn signed(wallet: &Wallet<'_>, transaction: Transaction) -> SomePsbt {
    wallet.sign(&unsigned(transaction), true).await
}

/// An input, or the amount of an output: whose it is, and how much. The third is a stranger.
type Amounts<'a> = &'a [(usize, Amount)];

/// Payments that say Eve's statement too: without a lock time, and with the one of a still transaction.
#[tokio::test]
async fn payments_that_carry_a_statement() {
    let node = Node::shared().await;
    let boards = Boards::open(node).await;
    let wallets = [node.wallet().await, node.wallet().await];
    let mut coins = Vec::new();
    for wallet in &wallets {
        let amounts = [COIN, COIN];
        coins.push(wallet.fund_one_address(AddressType::Bech32, &amounts).await);
    }
    let stranger = script_of(&node.wallet().await.address(AddressType::Bech32).await);
    let (whole, sat, large) = (COIN * 2, Amount::ONE_SAT, Amount::from_sat(100_000));
    // Whose coins, and what each address gets.
    let payments: [(&str, &[usize], Amounts<'_>); 11] = [
        // A service that pays out of one address is asked to pay to that same address, and to add a note.
        (
            "a payout",
            &[0],
            &[(0, COIN / 7), (0, whole - COIN / 7 - FEE)],
        ),
        // Without a fee only its lock time is missing.
        (
            "a whole payout",
            &[0],
            &[(0, COIN / 7), (0, whole - COIN / 7)],
        ),
        // What a payer hands over for a payjoin (BIP-0078, the original PSBT), or pays an invoice with.
        (
            "an invoice",
            &[0],
            &[(2, COIN / 3), (0, whole - COIN / 3 - FEE)],
        ),
        // The receiver adds a coin of his, and everything goes to his address.
        ("a payjoin", &[0, 1], &[(1, whole * 2 - FEE)]),
        ("a payjoin without a fee", &[0, 1], &[(1, whole * 2)]),
        // Each gets an address of theirs back and pays a little for it.
        (
            "a shared fee",
            &[0, 1],
            &[(0, whole - FEE), (1, whole - FEE)],
        ),
        (
            "a large fee",
            &[0, 1],
            &[(0, whole - large), (1, whole - large)],
        ),
        ("she pays the fee", &[0, 1], &[(0, whole - FEE), (1, whole)]),
        ("he pays the fee", &[0, 1], &[(0, whole), (1, whole - FEE)]),
        (
            "a sat of hers",
            &[0, 1],
            &[(0, whole - sat), (1, whole + sat)],
        ),
        (
            "a sat of his",
            &[0, 1],
            &[(0, whole + sat), (1, whole - sat)],
        ),
    ];
    for (what, from, to) in payments {
        for lock_time in [0, LOCK_TIME] {
            if (what, lock_time) == ("a whole payout", LOCK_TIME) {
                continue;
            }
            let payment = async |scene: &Scene<'_>| {
                let inputs = from.iter().flat_map(|whose| coins[*whose].clone());
                let inputs: Vec<OutPoint> = inputs.collect();
                let mut outputs = vec![saying(&scene.line)];
                for (whose, amount) in to {
                    let script = match coins.get(*whose) {
                        Some(coins) => scene.script(coins[0]).await,
                        None => stranger.clone(),
                    };
                    outputs.push(pay(*amount, &script));
                }
                let mut payment = transaction(&inputs, outputs);
                payment.lock_time = LockTime::from_consensus(lock_time);
                // Each owner of a coin in it has signed what looked like a payment.
                let mut file = unsigned(payment);
                for whose in from {
                    file = wallets[*whose].sign(&file, true).await;
                }
                file
            };
            let what = format!("{what} at lock time {lock_time}");
            boards.refuse(&what, "not-still", payment).await;
        }
    }
}

/// One change to a file that would be a proof.
type Change = fn(&mut Transaction, &Scene<'_>);

fn from_script(script: ScriptBuf) -> TxOut {
    pay(Amount::ZERO, &script)
}

fn push(bytes: &[u8]) -> PushBytesBuf {
    PushBytesBuf::try_from(bytes.to_vec()).expect("short")
}

/// The output of the statement is the last.
fn say(transaction: &mut Transaction, script: Vec<u8>) {
    let last = transaction.output.len() - 1;
    transaction.output[last].script_pubkey = ScriptBuf::from_bytes(script);
}

const NEARLY_STILL: &[(&str, Change)] = &[
    ("no lock time", |it, _| it.lock_time = LockTime::ZERO),
    ("the replay stamp of a fork", |it, _| {
        it.lock_time = LockTime::from_consensus(499_999_999);
    }),
    ("a block too early", |it, _| {
        it.lock_time = LockTime::from_consensus(LOCK_TIME - 1);
    }),
    ("a block too late", |it, _| {
        it.lock_time = LockTime::from_consensus(LOCK_TIME + 1);
    }),
    ("a lock time that does not count", |it, _| {
        for input in &mut it.input {
            input.sequence = Sequence::MAX;
        }
    }),
    ("two statements", |it, scene| {
        it.output.push(saying(&scene.line))
    }),
    ("a statement and a note", |it, _| {
        it.output
            .push(from_script(ScriptBuf::new_op_return([7; 7])));
    }),
    ("a statement and an empty output", |it, _| {
        let own = it.output[0].script_pubkey.clone();
        it.output.push(from_script(own));
    }),
    ("a statement that is paid for", |it, _| {
        it.output[0].value -= Amount::ONE_SAT;
        it.output[2].value = Amount::ONE_SAT;
    }),
    ("two pushes", |it, scene| {
        let script = Builder::from(vec![0x6a]).push_slice(push(scene.line.as_bytes()));
        say(it, script.push_slice(push(b"more")).into_bytes());
    }),
    ("a push of the wrong opcode", |it, scene| {
        let length = u8::try_from(scene.line.len()).expect("short");
        say(it, [&[0x6a, 0x4c, length], scene.line.as_bytes()].concat());
    }),
    ("no OP_RETURN", |it, scene| {
        let script = Builder::new().push_slice(push(scene.line.as_bytes()));
        say(it, script.into_bytes());
    }),
    ("something after the statement", |it, scene| {
        let longer = format!("{}.", scene.line);
        let script = Builder::from(vec![0x6a]).push_slice(push(longer.as_bytes()));
        say(it, script.into_bytes());
    }),
    ("something before the statement", |it, scene| {
        let longer = format!("I pay. {}", scene.line);
        let script = Builder::from(vec![0x6a]).push_slice(push(longer.as_bytes()));
        say(it, script.into_bytes());
    }),
    ("a fee", |it, _| it.output[1].value -= Amount::ONE_SAT),
    ("a sat from one address to the other", |it, _| {
        it.output[0].value += Amount::ONE_SAT;
        it.output[1].value -= Amount::ONE_SAT;
    }),
    ("one address gets all", |it, _| {
        let rest = it.output.remove(1).value;
        it.output[0].value += rest;
    }),
    ("two addresses that have changed places", |it, _| {
        let (value, other) = (it.output[0].value, it.output[1].value);
        (it.output[0].value, it.output[1].value) = (other, value);
    }),
    ("a sat for somebody else", |it, _| {
        it.output[0].value -= Amount::ONE_SAT;
        let stranger = ScriptBuf::from_bytes([&[0x00, 0x14][..], &[7; 20]].concat());
        it.output.push(pay(Amount::ONE_SAT, &stranger));
    }),
    ("a sat that is burnt", |it, _| {
        it.output[0].value -= Amount::ONE_SAT;
        let burnt = ScriptBuf::new_op_return([7; 7]);
        it.output.push(pay(Amount::ONE_SAT, &burnt));
    }),
];

#[tokio::test]
async fn what_is_nearly_still_moves() {
    let node = Node::shared().await;
    let boards = Boards::open(node).await;
    let wallet = node.wallet().await;
    let kinds = [
        (AddressType::Bech32, COIN),
        (AddressType::Bech32m, COIN * 2),
    ];
    let coins = wallet.fund_all(&kinds).await;
    for (what, change) in NEARLY_STILL {
        let spoilt = async |scene: &Scene<'_>| {
            let mut still = scene.still(&coins).await;
            change(&mut still, scene);
            signed(&wallet, still).await
        };
        boards.refuse(what, "not-still", spoilt).await;
    }
    // Without any change it would have been a proof on both.
    for app in &boards.apps {
        let eve = app.sign_in().await;
        let file = super::files::bound(app, &eve, &wallet, &coins).await;
        accepted(&submit(node, &eve, &file).await, "success", "transaction");
    }
}

/// The lock time of a still transaction satisfies every height that a script may ask for, so those are compared with the chain
/// (rule B4).
#[tokio::test]
async fn a_coin_that_is_locked_until_a_block_to_come() {
    let node = Node::shared().await;
    let boards = Boards::open(node).await;
    let (tip, _) = node.tip().await;
    let key = PrivateKey::new(Key::random().0.secret_key(), NetworkKind::Test).to_wif();
    for (height, locked) in [(tip + 100_000, true), (tip, false)] {
        let descriptor = format!("wsh(and_v(v:pk({key}),after({height})))");
        let wallet = node.descriptor_wallet(&descriptor).await;
        let coin = wallet.fund(COIN).await;
        if locked {
            let early = async |scene: &Scene<'_>| {
                let still = unsigned(scene.still(&[coin]).await);
                wallet.sign(&still).await
            };
            boards.refuse("a locked coin", "absolute-lock", early).await;
            continue;
        }
        let hal = boards.apps[0].sign_in().await;
        let still = still(&boards.apps[0], &[coin], &statement(&hal).await).await;
        let file = wallet.sign(&unsigned(still)).await.binary();
        accepted(&submit(node, &hal, &file).await, "success", "transaction");
    }
}
