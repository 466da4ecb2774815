//! What an auditor accepts (proofs, section 7), on a real node: coins at a date by `psbt-wasm verify` and `reserves-audit proof`, which must say
//! the same.

use std::process::Command;

use psbt_wasm::statement::{CoinNetwork, Person, block_hash};
use psbt_wasm::{Form, MakeOptions, extract, make_proof};

use crate::support::prelude::*;
use crate::support::process::{Ended, audit_program, ended};

const WORDS: &str = "Acme Bank, loan 4711 k3v9q2";
const NAME: &str = "Mira Kowal";

/// Blocks come every ten minutes.
const BLOCK: i64 = 600;

/// What happens to a coin, by block numbers: the block that funds it, and the block that spends it. The date is the time of block 30, so
/// that blocks 30 and 35 bound it. Proofs are signed after blocks 20 and 45.
struct Fate {
    funded: usize,
    spent: Option<usize>,
    /// Its state in the proof of block 20, and in that of block 45.
    states: [&'static str; 2],
}

const fn fate(
    funded: usize,
    spent: Option<usize>,
    early: &'static str,
    late: &'static str,
) -> Fate {
    Fate {
        funded,
        spent,
        states: [early, late],
    }
}

const DATE: usize = 30;
const LAST: usize = 60;

const FATES: [Fate; 15] = [
    fate(12, None, "stood", "stood"),
    fate(29, None, "stood", "stood"),
    fate(30, None, "stood", "stood"),
    fate(31, None, "funded-between", "funded-between"),
    fate(35, None, "funded-between", "funded-between"),
    fate(36, None, "funded-later", "funded-later"),
    fate(13, Some(13), "spent-before", "spent-before"),
    fate(12, Some(29), "spent-before", "spent-before"),
    fate(12, Some(30), "spent-before", "spent-before"),
    fate(12, Some(31), "spent-between", "spent-between"),
    fate(12, Some(35), "spent-between", "spent-between"),
    fate(12, Some(36), "spent-since", "spent-before-signing"),
    fate(12, Some(44), "spent-since", "spent-before-signing"),
    fate(12, Some(45), "spent-since", "spent-before-signing"),
    fate(12, Some(46), "spent-since", "spent-since"),
];

/// Lets all of that happen. Returns the coins, with the reward of the block at the date as the last one, and height and time of block 0.
async fn tell(node: &Node, wallet: &Wallet<'_>) -> (Vec<OutPoint>, u32, i64) {
    let (tip, _) = node.tip().await;
    let info = node.call("getblockchaininfo", json!([])).await;
    let start = info["time"].as_i64().unwrap() + 2 * 60 * 60;
    let mut coins = vec![OutPoint::null(); FATES.len()];
    for number in 0..=LAST {
        let time = start + BLOCK * i64::try_from(number).unwrap();
        node.call("setmocktime", json!([time])).await;
        let mut transactions = Vec::new();
        for (fate, coin) in FATES.iter().zip(&mut coins) {
            if fate.funded == number {
                *coin = pay(node, wallet).await;
                transactions.push(coin.txid);
            }
            if fate.spent == Some(number) {
                node.call("syncwithvalidationinterfacequeue", json!([]))
                    .await;
                transactions.push(wallet.spend(&[*coin]).await.compute_txid());
            }
        }
        if number == DATE {
            let address = wallet.address(AddressType::Bech32).await;
            coins.push(node.reward(&address, &transactions).await);
        } else {
            node.confirm(&transactions).await;
        }
    }
    (coins, tip + 1, start)
}

/// An unconfirmed coin of the wallet.
async fn pay(node: &Node, wallet: &Wallet<'_>) -> OutPoint {
    let address = wallet.address(AddressType::Bech32).await;
    let sent = node
        .call_wallet("miner", "sendtoaddress", json!([address, "0.5"]))
        .await;
    let txid: Txid = text(&sent).parse().unwrap();
    let sent = node.call("getrawtransaction", json!([txid, true])).await;
    let is_own = |output: &Value| output["scriptPubKey"]["address"] == address;
    let vout = sent["vout"]
        .as_array()
        .unwrap()
        .iter()
        .position(is_own)
        .unwrap();
    OutPoint::new(txid, vout.try_into().unwrap())
}

/// A proof of these coins for one reader, signed after the block at this height.
async fn proof(node: &Node, wallet: &Wallet<'_>, coins: &[OutPoint], height: u32) -> Value {
    let hash = node.call("getblockhash", json!([height])).await;
    let header = text(&node.call("getblockheader", json!([hash, false])).await);
    let bytes: [u8; 80] = hex::decode(&header).unwrap().try_into().unwrap();
    let person = Person::for_reader(CoinNetwork::Regtest, WORDS, NAME);
    let line = person
        .statement(NAME, &[7; 16], &block_hash(&bytes))
        .unwrap();
    let inputs: Vec<Value> = coins
        .iter()
        .map(|coin| json!({"txid": coin.txid, "vout": coin.vout}))
        .collect();
    let address = wallet.address(AddressType::Bech32).await;
    let psbt = node
        .call("createpsbt", json!([inputs, [{address: "0.1"}]]))
        .await;
    let psbt = wallet.update(&SomePsbt::new(&text(&psbt))).await;
    let made = make_proof(psbt.binary(), &MakeOptions::new(&line, Form::Transaction)).unwrap();
    let made = SomePsbt::new(&STANDARD.encode(made.psbt));
    let spent = made.decode();
    let signed = wallet.sign(&made, true).await;
    let transaction = extract(&signed.binary()).unwrap();
    let outputs = spent
        .inputs
        .iter()
        .zip(&spent.unsigned_tx.input)
        .map(|(input, txin)| {
            let coin = input.witness_utxo.clone().unwrap();
            json!({
                "txid": txin.previous_output.txid,
                "vout": txin.previous_output.vout,
                "value_sats": coin.value.to_sat(),
                "script_pubkey": coin.script_pubkey.to_hex_string(),
            })
        });
    json!({
        "network": "regtest",
        "binding": "transaction",
        "statement": {
            "text": line,
            "origin": "reader",
            "provider": "reader",
            "subject": WORDS,
            "account_id": NAME,
            "name": NAME,
            "nonce": hex::encode([7; 16]),
            "block": {"height": height, "header": header},
        },
        "transaction": hex::encode(transaction),
        "inputs": outputs.collect::<Vec<_>>(),
    })
}

/// The status of a program, and its JSON.
fn said(ended: Ended) -> (i32, Value) {
    let json = serde_json::from_str(&ended.out);
    (
        ended.status.code().unwrap(),
        json.unwrap_or_else(|_| panic!("{ended:?}")),
    )
}

/// What `psbt-wasm verify` says.
fn package(files: &[&str], esplora: &str, at: Option<&str>) -> (i32, Value) {
    let cli = concat!(env!("CARGO_MANIFEST_DIR"), "/../../psbt-wasm/pkg/cli.js");
    let mut node = Command::new("node");
    node.args([
        cli,
        "verify",
        "--json",
        "--request",
        WORDS,
        "--esplora",
        esplora,
    ]);
    node.args(at.iter().flat_map(|at| ["--at", at])).args(files);
    said(ended(&mut node))
}

/// What `reserves-audit proof` says with this source.
fn audited(files: &[&str], source: &str, at: Option<&str>) -> (i32, Value) {
    let mut audit = audit_program();
    audit.args([
        "proof",
        "--json",
        "--request",
        WORDS,
        "--network",
        "regtest",
        "--chain",
        source,
    ]);
    audit
        .args(at.iter().flat_map(|at| ["--at", at]))
        .args(files);
    said(ended(&mut audit))
}

/// The states of a proof's coins at a date, as both programs name them.
fn states(coins: &Value) -> Vec<String> {
    let coins = coins
        .as_array()
        .unwrap_or_else(|| panic!("no coins: {coins}"));
    coins.iter().map(|coin| text(&coin["state"])).collect()
}

/// An instant as text in UTC.
fn instant(time: i64) -> String {
    board_log::units::iso(time)
}

/// The bounds of an instant by their definitions, over all headers.
async fn defined(node: &Node, at: i64) -> (Value, Value) {
    let (tip, _) = node.tip().await;
    let (mut lower, mut upper, mut is_late) = (Value::Null, Value::Null, false);
    for height in 0..=tip {
        let hash = node.call("getblockhash", json!([height])).await;
        let header = node.call("getblockheader", json!([hash])).await;
        is_late |= header["time"].as_i64().unwrap() > at;
        if !is_late {
            lower = header["hash"].clone();
        }
        if header["mediantime"].as_i64().unwrap() <= at {
            upper = header["hash"].clone();
        }
    }
    (lower, upper)
}

struct Files {
    folder: TempDir,
}

impl Files {
    fn write(&self, name: &str, proof: &Value) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, proof.to_string()).unwrap();
        path.display().to_string()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_programs_say_which_coins_stood_at_a_date() {
    let node: &'static Node = Box::leak(Box::new(Node::start().await));
    let wallet = node.wallet().await;
    let (mut coins, first, start) = tell(node, &wallet).await;
    let reward = coins.last().unwrap();
    let reward = node
        .call("gettxout", json!([reward.txid, reward.vout]))
        .await;
    assert_eq!(reward["coinbase"], true);
    let stood = 150_000_000
        + Amount::from_btc(reward["value"].as_f64().unwrap())
            .unwrap()
            .to_sat();
    let height = |number: usize| first + u32::try_from(number).unwrap();
    let time = |number: usize| start + BLOCK * i64::try_from(number).unwrap();
    // In no block.
    coins.push(pay(node, &wallet).await);
    let files = Files {
        folder: tempfile::tempdir().unwrap(),
    };
    node.call("syncwithvalidationinterfacequeue", json!([]))
        .await;
    let [early, late] = [20, 45].map(|number| proof(node, &wallet, &coins, height(number)));
    let (early, late) = (early.await, late.await);
    let esplora = EsploraServer::start(node).await;
    let core = format!("bitcoind:{}", node.url());
    let at = instant(time(DATE));
    let bounds = defined(node, time(DATE)).await;
    for (name, file, place) in [("early.json", early, 0), ("late.json", late, 1)] {
        let path = files.write(name, &file);
        let mut expected: Vec<&str> = FATES.iter().map(|fate| fate.states[place]).collect();
        expected.extend(["stood", "unconfirmed"]);
        let (status, json) = package(&[&path], &esplora, Some(&at));
        assert_eq!(status, 0, "{json}");
        assert_eq!(states(&json["date"]["coins"]), expected, "{json}");
        let date = &json["date"];
        assert_eq!(
            (&date["lower"]["hash"], &date["upper"]["hash"]),
            (&bounds.0, &bounds.1)
        );
        assert_eq!(date["lower"]["height"], height(DATE));
        assert_eq!(date["upper"]["height"], height(DATE + 5));
        assert_eq!(date["control"], ["by-the-date", "later"][place]);
        assert_eq!(date["stoodSats"], stood.to_string());
        let (status, audit) = audited(&[&path], &format!("esplora:{esplora}"), Some(&at));
        assert_eq!(status, 0, "{audit}");
        let file = &audit["files"][0];
        assert_eq!(states(&file["coins"]), expected, "{audit}");
        assert_eq!(file["date"]["stoodSats"], stood.to_string());
        assert_eq!(file["date"]["lower"]["hash"], bounds.0);
        assert_eq!(file["date"]["upper"]["hash"], bounds.1);
        // A node without an index of spenders does not know when a coin was spent.
        let (status, audit) = audited(&[&path], &core, Some(&at));
        assert_eq!(status, 2, "{audit}");
        let known = states(&audit["files"][0]["coins"]);
        let fates = FATES.iter().map(|fate| fate.spent.is_some());
        for ((said, state), is_spent) in known.iter().zip(&expected).zip(fates) {
            assert_eq!(said, if is_spent { "unknown" } else { *state });
        }
        assert!(
            text(&audit["reason"]).contains("when a coin was spent"),
            "{audit}"
        );
    }
    // Only coins that are still there: one's own node says it all.
    let there = proof(node, &wallet, &coins[..6], height(20)).await;
    let there = files.write("there.json", &there);
    for at in [Some(&*at), None] {
        let (status, audit) = audited(&[&there], &core, at);
        assert_eq!((status, &audit["result"]), (0, &json!("right")), "{audit}");
        let (status, json) = package(&[&there], &esplora, at);
        assert_eq!(status, 0, "{json}");
    }
    // The same instant in another time zone, and the end of a day.
    let zoned = |time: i64| {
        format!(
            "{}+02:00",
            instant(time + 2 * 60 * 60).trim_end_matches('Z')
        )
    };
    let (status, json) = package(&[&there], &esplora, Some(&zoned(time(DATE))));
    assert_eq!((status, &json["date"]["time"]), (0, &json!(time(DATE))));
    for (at, expected, reason) in [
        (instant(time(LAST)), 2, "fewer than six blocks"),
        (instant(time(LAST) + 1_000_000), 2, "in the future"),
        (instant(time(DATE)).replace('Z', ""), 2, "time zone"),
        (instant(time(0) - 1_000_000), 1, "coin of it was there"),
        (instant(1_000_000_000), 1, "coin of it was there"),
    ] {
        let (status, json) = package(&[&there], &esplora, Some(&at));
        assert_eq!(status, expected, "{json}");
        has(&text(&json["reason"]), &[reason]);
        let (status, audit) = audited(&[&there], &core, Some(&at));
        assert_eq!(status, expected, "{audit}");
        has(&text(&audit["reason"]), &[reason]);
    }
    let other = proof(node, &wallet, &coins[..1], height(21)).await;
    let other = files.write("other.json", &other);
    let together = [&*there, &*other];
    for (status, json) in [
        package(&together, &esplora, Some(&at)),
        audited(&together, &core, Some(&at)),
    ] {
        assert_eq!(status, 2, "{json}");
        has(&text(&json["reason"]), &["counts once"]);
        assert_eq!(json["names"][0]["amountSats"], "150000000");
    }
    reorganize(node, height(DATE + 5)).await;
    let bounds = defined(node, time(DATE)).await;
    let (_, json) = package(&[&there], &esplora, Some(&at));
    let date = &json["date"];
    assert_eq!(
        (&date["lower"]["hash"], &date["upper"]["hash"]),
        (&bounds.0, &bounds.1),
        "{json}"
    );
}

/// Replaces the blocks from this height on by others with the same times.
async fn reorganize(node: &Node, height: u32) {
    let block = node.call("getblockhash", json!([height])).await;
    let (tip, _) = node.tip().await;
    let mut times = Vec::new();
    for height in height..=tip {
        let hash = node.call("getblockhash", json!([height])).await;
        times.push(node.call("getblockheader", json!([hash])).await["time"].clone());
    }
    node.disconnect(text(&block).parse().unwrap()).await;
    for time in times {
        node.call("setmocktime", json!([time])).await;
        node.mine(1).await;
    }
}
