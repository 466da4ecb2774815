//! Proofs that differ slightly from what was signed: the audit rejects all of them.

use board_log::tiers::{TIERS, holder_tier};
use board_log::units::btc_text;

use super::*;

const PROOFS: &str = "/api/functions/v1/proofs";

pub(super) const SUMMARY: &str = "/api/functions/v1/board-summary";

/// An amount in BTC, in sats.
#[expect(
    clippy::cast_possible_truncation,
    reason = "sats of a test fit a double"
)]
fn sats_of(btc: f64) -> i64 {
    (btc * 1e8).round() as i64
}

/// The summary that fits these rows.
pub(super) fn summary(rows: &Value) -> Value {
    let rows = rows.as_array().unwrap();
    let sats = rows
        .iter()
        .filter_map(|row| row["bitcoin_holdings"].as_f64());
    let sats: Vec<i64> = sats.map(sats_of).collect();
    let bitcoin: Value = serde_json::from_str(&btc_text(sats.iter().sum())).unwrap();
    let tiers = TIERS.iter().map(|tier| {
        let holders = sats
            .iter()
            .filter(|sats| holder_tier(Some(**sats)) == tier.name);
        json!({"name": tier.name, "holders": holders.count()})
    });
    let tiers: Vec<Value> = tiers.collect();
    json!({"people": rows.len(), "holders": sats.len(), "bitcoin": bitcoin, "tiers": tiers, "block": null})
}

/// What counts of a proof according to its inputs, in sats.
fn counting(proof: &Value) -> i64 {
    let inputs = proof["inputs"].as_array().unwrap().iter();
    let sats = inputs.filter(|it| it["counts"] == true);
    let sats = sats.filter_map(|it| it["value_sats"].as_u64());
    i64::try_from(sats.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}

/// The entry of a proof in the list.
fn listed(proof: &Value) -> Value {
    let owner = &proof["profile"];
    json!({
        "id": proof["id"], "profile_id": owner["id"], "username": owner["username"], "provider": owner["provider"],
        "named": owner["named"], "amount_sats": counting(proof), "published_at": proof["published_at"]
    })
}

/// The audit's findings when these proofs are published, and listed like this.
async fn found(fixture: &Fixture<'_>, list: Vec<Value>, proofs: &[Value]) -> Report {
    let by_id = proofs.iter().map(|proof| {
        let path = format!("{PROOFS}/{}", proof["id"].as_str().unwrap());
        (path, proof.clone())
    });
    let mut answers: HashMap<String, Value> = by_id.collect();
    answers.insert(PROOFS.to_owned(), json!({"proofs": list, "next": null}));
    fixture.proxy.change(move |path, _| {
        let answer = answers.get(path.split('?').next()?)?;
        Some(answer.to_string().into_bytes())
    });
    fixture.report().await
}

/// Every way to change a proof.
fn mutations(proof: &Value) -> Vec<(String, Value)> {
    let mut all: Vec<(String, Value)> = Vec::new();
    let mut change = |at: &str, others: Value| {
        for other in others.as_array().unwrap() {
            let mut changed = proof.clone();
            *changed.pointer_mut(at).unwrap() = other.clone();
            assert_ne!(changed, *proof, "{at}");
            all.push((at.to_owned(), changed));
        }
    };
    let hex = proof["transaction"].as_str().unwrap();
    // Every part of the transaction, witnesses included.
    for at in (0..50).map(|part| part * hex.len() / 50 + 1) {
        let digit = u8::from_str_radix(&hex[at..=at], 16).unwrap();
        let other = format!("{}{:x}{}", &hex[..at], digit ^ 1, &hex[at + 1..]);
        change("/transaction", json!([other]));
    }
    let (cut, longer) = (&hex[..hex.len() - 2], format!("{hex}00"));
    change("/transaction", json!([cut, longer, "", "zz"]));
    let line = text(&proof["statement"]["text"]);
    let (dash, small) = (
        line.replacen(" ~", " -", 1),
        line.replacen("Proof", "proof", 1),
    );
    let (cut, longer) = (&line[..line.len() - 1], format!("{line} "));
    change("/statement/text", json!([dash, small, longer, cut, ""]));
    for field in ["origin", "provider", "subject", "account_id", "nonce"] {
        let said = proof["statement"][field].as_str().unwrap();
        let last = if said.ends_with('1') { "2" } else { "1" };
        let other = format!("{}{last}", &said[..said.len() - 1]);
        change(&format!("/statement/{field}"), json!([other, ""]));
    }
    change("/profile/provider", json!(["twitter"]));
    change(
        "/profile/id",
        json!(["0190d0c2-0000-7000-8000-000000000001"]),
    );
    for other in ["unbound", "", "message", "transaction"] {
        if proof["binding"] != other {
            change("/binding", json!([other]));
        }
    }
    change("/network", json!(["mainnet"]));
    // The last one is later than any proof counts.
    let ends = ["2026-01-01T00:00:00Z", "never", "2036-01-01T00:00:00Z"];
    change("/expires_at", json!(ends));
    let header = text(&proof["statement"]["block"]["header"]);
    let headers = [&header.replacen('0', "1", 1), &header[2..]];
    change("/statement/block/header", json!(headers));
    let inputs = proof["inputs"].as_array().unwrap();
    for (index, input) in inputs.iter().enumerate() {
        let at = |field: &str| format!("/inputs/{index}/{field}");
        let script = input["script_pubkey"].as_str().unwrap();
        let longer = format!("{script}00");
        change(&at("script_pubkey"), json!([longer, &script[2..], "", "x"]));
        change(&at("txid"), json!(["ab".repeat(32)]));
        change(&at("vout"), json!([7]));
        let sats = input["value_sats"].as_u64().unwrap();
        let less = sats.saturating_sub(1).max(2);
        let others = [sats + 1, less, 2_100_000_000_000_000, u64::MAX];
        change(&at("value_sats"), json!(others));
        let mut counts = input.clone();
        counts["counts"] = input["counts"].is_null().then_some(true).into();
        change(&format!("/inputs/{index}"), json!([counts]));
        let (mut fewer, mut more) = (inputs.clone(), inputs.clone());
        fewer.remove(index);
        more.push(input.clone());
        change("/inputs", json!([fewer, more]));
    }
    let mut swapped = inputs.clone();
    swapped.swap(0, 1);
    change("/inputs", json!([swapped]));
    all
}

#[tokio::test]
async fn no_mutated_proof_passes() {
    let wallet = Node::shared().await.wallet().await;
    let mut tried = 0;
    for carrier in ["transaction", "message"] {
        let fixture = Fixture::new().await;
        let (_, id, _) = fixture.publisher(&wallet, carrier).await;
        let proof = fixture.app.get(&format!("{PROOFS}/{id}")).await.body;
        let honest = listed(&proof);
        assert_eq!(
            fixture.app.get(PROOFS).await.body["proofs"],
            json!([honest])
        );
        let whole = found(&fixture, vec![honest], std::slice::from_ref(&proof)).await;
        nothing(&whole);
        let (names, mut proofs): (Vec<_>, Vec<_>) = mutations(&proof).into_iter().unzip();
        for (number, proof) in proofs.iter_mut().enumerate() {
            proof["id"] = json!(format!("{number:08x}-0000-7000-8000-000000000000"));
        }
        let list = proofs.iter().map(listed).collect();
        let report = found(&fixture, list, &proofs).await;
        // Coins that two proofs count and wrong sums are tested elsewhere.
        let others = ["twice", "sum", "row", "holdings"];
        for (proof, name) in proofs.iter().zip(&names) {
            let mut findings = report.findings.iter();
            let refused = findings.any(|it| {
                it.proof.as_deref() == proof["id"].as_str() && !others.contains(&it.code)
            });
            assert!(refused, "{carrier} with another {name} passes: {proof}");
        }
        tried += proofs.len();
    }
    assert!(tried >= 200, "{tried}");
}

/// The list of published proofs says something else than a proof, or has one that the board does not show.
#[tokio::test]
async fn a_list_of_proofs_that_does_not_fit_is_found() {
    let fixture = Fixture::new().await;
    let wallet = fixture.node.wallet().await;
    let (_, id, _) = fixture.publisher(&wallet, "message").await;
    let proof = fixture.app.get(&format!("{PROOFS}/{id}")).await.body;
    for (member, lie) in [
        ("username", json!("satoshi")),
        ("named", json!(true)),
        ("provider", json!("twitter")),
        ("profile_id", json!("0190d0c2-0000-7000-8000-000000000001")),
        ("published_at", json!("2026-01-01T00:00:00Z")),
        ("amount_sats", json!(1)),
    ] {
        let mut list = listed(&proof);
        list[member] = lie;
        let report = found(&fixture, vec![list], std::slice::from_ref(&proof)).await;
        assert!(codes(&report).contains(&"listed"), "{member}: {report:?}");
    }
    let mut other = listed(&proof);
    other["id"] = json!("ffffffff-0000-7000-8000-000000000001");
    let report = found(
        &fixture,
        vec![listed(&proof), other],
        std::slice::from_ref(&proof),
    )
    .await;
    assert_eq!(codes(&report), ["missing"], "{report:?}");
}

/// A reorganization took the block that dates a proof: nothing about the proof is false.
#[tokio::test]
async fn a_proof_whose_block_is_gone_is_not_dated() {
    let node = Node::start().await;
    let address = node.wallet().await.address(AddressType::Bech32).await;
    let blocks = json!([2_022 - node.tip().await.0, address]);
    node.call("generatetoaddress", blocks).await;
    let fixture = Fixture::on(&node, &[]).await;
    fixture.log_newest().await;
    let wallet = node.wallet().await;
    let (_, id, _) = fixture.publisher(&wallet, "transaction").await;
    fixture.log_newest().await;
    let said = fixture.expect_pass(&[]).await;
    assert!(!said.contains("not dated"), "{said}");
    let source = Proxy::to(node.url()).await;
    source.lie(|call, result| {
        if call["method"] == "getblockhash" && call["params"] == json!([2_016]) {
            *result = json!("ab".repeat(32));
        }
    });
    let chain = format!("--chain=bitcoind:{}", source.url);
    let said = fixture.expect_pass(&[&chain]).await;
    let part = format!("proof {id} of ");
    let line = said.lines().find(|line| line.contains(&part)).unwrap();
    has(line, &["not dated", "at height 2016"]);
}
