//! The development chain and the samples that it is made for.

use std::cmp::Reverse;

use chain::Coin;
use chain::sources::development::DevelopmentChain;
use development::{MOCK_FILE_NAME, Sample, fund_account, samples};
use verify::bip322::message_key;

use crate::support::prelude::*;

mod wallet;

const ACCOUNT: &str = "0193a6f0-0000-7000-8000-000000000001";
const STATEMENT: &str = "Proof of Reserves b.example mock:hal abcdefghijklmnopqrst";

fn sample(samples: &[Sample], id: &str) -> Psbt {
    let sample = samples.iter().find(|sample| sample.id == id).expect(id);
    let binary = STANDARD.decode(&sample.psbt);
    Psbt::deserialize(&binary.unwrap_or_else(|_| sample.psbt.clone())).unwrap()
}

/// The coins of a sample; the first input of a signed message spends no coin.
fn outpoints(psbt: &Psbt) -> Vec<OutPoint> {
    let message = psbt.unknown.contains_key(&message_key());
    let inputs = psbt.unsigned_tx.input.iter().skip(usize::from(message));
    inputs.map(|input| input.previous_output).collect()
}

#[tokio::test]
async fn the_chain_stands_still_and_has_the_coins_of_samples() {
    let chain = DevelopmentChain::new();
    let tip = chain.tip().await.unwrap();
    assert_eq!(tip.height, 1_000);
    assert_eq!(DevelopmentChain::new().tip().await, Ok(tip));
    let spends = chain.spent_in_block(tip.hash).await.unwrap();
    let below = chain.block_hash_at(tip.height - 1).await.unwrap();
    assert_eq!((Some(spends.previous), spends.outpoints), (below, vec![]));

    let psbt = sample(&samples(&chain, ACCOUNT, None), "legacy-wallet");
    let funding = psbt.inputs[0].non_witness_utxo.as_ref().unwrap();
    let asked = [0, 2].map(|vout| OutPoint::new(funding.compute_txid(), vout));
    let coins = chain.coins(&asked).await.unwrap();
    let [Coin::Unspent(first), Coin::Missing] = &coins[..] else {
        panic!("{coins:?}");
    };
    assert_eq!(first.output, funding.output[0]);
    assert!(first.confirmations(&tip) >= 100 && !first.coinbase);
}

/// The samples, and their amounts in sats.
const SAMPLES: [(&str, u64); 7] = [
    ("self-transfer", 225_000_000),
    ("cold-storage-multisig", 1_250_000_000),
    ("legacy-wallet", 100_000_000),
    ("shared-wallet", 20_000_000),
    ("unbound", 50_000_000),
    ("unsigned", 225_000_000),
    ("mock-proof", 125_000_000),
];

/// The same account gets the same files, also after a restart. What they prove is tested over HTTP (`binding/carriers.rs`).
#[tokio::test]
async fn samples_are_what_they_say_also_after_a_restart() {
    let make = || samples(&DevelopmentChain::new(), ACCOUNT, Some(STATEMENT));
    let before = make();
    assert_eq!(before, make());
    let restarted = DevelopmentChain::new();
    fund_account(&restarted, ACCOUNT);
    for (id, sats) in SAMPLES {
        let psbt = sample(&before, id);
        let coins = restarted.coins(&outpoints(&psbt)).await.unwrap();
        let value = |coin| match coin {
            Coin::Unspent(coin) => coin.output.value,
            coin => panic!("{coin:?}"),
        };
        let worth: Amount = coins.into_iter().map(value).sum();
        assert_eq!(worth.to_sat(), sats, "{id}");
    }
    assert_eq!(before.len(), SAMPLES.len());
    assert_eq!(sample(&before, "cold-storage-multisig").xpub.len(), 3);
    let file = |id: &str| before.iter().find(|sample| sample.id == id).unwrap();
    assert!(file("legacy-wallet").psbt.starts_with(b"cHNidP"));
    assert_eq!(file("mock-proof").file_name, MOCK_FILE_NAME);

    // Two accounts share the coins of one sample; within an account only the unsigned sample shares coins.
    let other = samples(&DevelopmentChain::new(), "another account", None);
    let mut seen = HashSet::new();
    for (id, _) in SAMPLES {
        let one = outpoints(&sample(&before, id));
        let other = outpoints(&sample(&other, id));
        let shared = one.iter().any(|outpoint| other.contains(outpoint));
        assert_eq!(shared, id == "shared-wallet", "{id}");
        let new = one.into_iter().all(|outpoint| seen.insert(outpoint));
        assert_eq!(new, id != "unsigned", "{id}");
    }
}

#[tokio::test]
async fn mock_data_can_be_cleared_and_used_again() {
    let app = TestApp::development().await;
    let person = app.sign_in().await;
    let name = "wallet_verification.psbt";
    let file = STANDARD.encode(person.sample(name).await);
    let submit = async || person.submit_as(name, &file, json!([])).await;
    assert_eq!(submit().await.body["amount"], 1.25);
    let proof = &person.proofs().await[0];
    assert_eq!(proof["mock"], true);
    let path = "/api/functions/v1/holdings-history";
    let history = person.get(path).await.body;
    let point = json!({"at": proof["created_at"], "sats": 125_000_000});
    assert_eq!(history["points"], json!([point]));
    assert_eq!(app.get(path).await.status, 401);
    let of = format!("user_id=eq.{}&file_name=eq.{name}", person.id);
    let cleared = person.delete(&format!("/api/rest/v1/psbts?{of}")).await;
    assert_eq!(cleared.status, 204);
    let profile = person.profile().await;
    let cleared = (&profile["verified"], &profile["last_verified"]);
    assert_eq!(cleared, (&json!(false), &Value::Null));
    assert_eq!(submit().await.body["status"], "success");
}

/// The first five minutes: a board with holders, a published proof whose coins an explorer finds, and a way back to an empty board.
#[tokio::test]
async fn sample_holders_are_real_and_leave_without_taking_anything_along() {
    let app = TestApp::development().await;
    let holders = app.state.sample_holders.clone().unwrap();
    holders.add().await.unwrap();
    let counted = async || app.get("/api/functions/v1/sample-holders").await.body["count"].clone();
    let summary = async || app.get("/api/functions/v1/board-summary").await.body;
    assert_eq!(counted().await, 30);
    let board = summary().await;
    // One has expired.
    assert_eq!(
        (&board["people"], &board["holders"]),
        (&json!(30), &json!(29))
    );
    let tiers = board["tiers"].as_array().unwrap();
    assert!(tiers.iter().all(|tier| tier["holders"].as_u64() > Some(0)));
    let rows = app
        .get("/api/rest/v1/profiles?select=shown_as,rank")
        .await
        .body;
    let rows = rows.as_array().unwrap();
    assert_eq!(
        rows.iter().filter(|row| row["shown_as"] == "range").count(),
        2
    );
    assert_eq!(rows.iter().filter(|row| row["rank"] == 13).count(), 2);

    let proofs = app.get("/api/functions/v1/proofs").await.body;
    assert_eq!(proofs["proofs"].as_array().unwrap().len(), 3);
    let id = proofs["proofs"][0]["id"].as_str().unwrap();
    let proof = app
        .get(&format!("/api/functions/v1/proofs/{id}"))
        .await
        .body;
    // The first input of a message spends no coin.
    let inputs = proof["inputs"].as_array().unwrap();
    let coin = inputs.iter().find(|it| it["counts"] == true).unwrap();
    let txid = coin["txid"].as_str().unwrap();
    let found = app
        .get(&format!("/development/esplora/tx/{txid}"))
        .await
        .body;
    let vout = usize::try_from(coin["vout"].as_u64().unwrap()).unwrap();
    assert_eq!(found["vout"][vout]["value"], coin["value_sats"]);
    assert_eq!(found["vout"][vout]["scriptpubkey"], coin["script_pubkey"]);
    let spends = app
        .get(&format!("/development/esplora/tx/{txid}/outspends"))
        .await
        .body;
    assert_eq!(spends[vout], json!({ "spent": false }));
    // Blocks have times, so that a date can be looked up.
    let height = found["status"]["block_height"].as_u64().unwrap();
    let ask = async |path: String| app.get(&format!("/development/esplora/{path}")).await;
    let blocks = ask(format!("blocks/{height}")).await.body;
    let blocks = blocks.as_array().unwrap();
    assert_eq!(blocks[0]["height"], height);
    assert!(
        blocks
            .iter()
            .is_sorted_by_key(|block| Reverse(block["mediantime"].as_i64()))
    );
    let hash = text(&blocks[0]["id"]);
    assert_eq!(ask(format!("block/{hash}")).await.body, blocks[0]);
    assert_eq!(ask("blocks/1000000".to_owned()).await.status, 404);

    // A second start adds nothing, and the developer's own account stays.
    let person = app.sign_in().await;
    holders.add().await.unwrap();
    assert_eq!(counted().await, 30);
    let removed = app.request(Method::DELETE, "/api/functions/v1/sample-holders");
    assert_eq!(answer(removed).await.status, 204);
    assert_eq!(counted().await, 0);
    assert_eq!(summary().await["people"], 1);
    assert_eq!(person.profile().await["id"], json!(person.id));
}
