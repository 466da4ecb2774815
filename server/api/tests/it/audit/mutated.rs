//! Proofs that differ slightly from what was signed: the audit rejects all of them.

use axum::http::Uri;
use board_log::tiers::{TIER_NAMES, holder_tier};
use board_log::units::btc_text;

use super::*;

const PROOFS: &str = "/api/functions/v1/proofs";

pub(super) const SUMMARY: &str = "/api/functions/v1/board-summary";

/// An amount in BTC, in sats.
#[expect(
    clippy::cast_possible_truncation,
    reason = "sats of a test fit a double"
)]
pub(super) fn sats_of(btc: f64) -> i64 {
    (btc * 1e8).round() as i64
}

/// The summary that fits these rows.
pub(super) fn summary(rows: &Value) -> Value {
    let rows = rows.as_array().unwrap();
    let holdings = rows
        .iter()
        .filter_map(|row| row["bitcoin_holdings"].as_f64());
    let sats = holdings.map(sats_of);
    let sats: Vec<i64> = sats.collect();
    let bitcoin = btc_text(sats.iter().sum());
    let bitcoin: Value = serde_json::from_str(&bitcoin).unwrap();
    let tiers = TIER_NAMES.map(|name| {
        let holders = sats.iter().filter(|sats| holder_tier(Some(**sats)) == name);
        json!({"name": name, "holders": holders.count()})
    });
    json!({"people": rows.len(), "holders": sats.len(), "bitcoin": bitcoin, "tiers": tiers, "block": null})
}

/// A stand-in that answers at a path in place of the board.
pub(super) async fn in_the_way(answers: HashMap<String, Value>) -> Client {
    let answers = Arc::new(answers);
    let router = Router::new().fallback(move |uri: Uri| async move {
        match answers.get(uri.path()) {
            Some(answer) => axum::Json(answer.clone()).into_response(),
            None => StatusCode::NOT_FOUND.into_response(),
        }
    });
    let proxy = reqwest::Proxy::all(serve(router).await).unwrap();
    Client::builder().proxy(proxy).build().unwrap()
}

/// What counts of a proof according to its inputs, in sats.
fn counting(proof: &Value) -> i64 {
    let inputs = proof["inputs"].as_array().unwrap().iter();
    let sats = inputs.filter(|it| it["counts"] == true);
    let sats = sats.filter_map(|it| it["value_sats"].as_u64());
    i64::try_from(sats.fold(0, u64::saturating_add)).unwrap_or(i64::MAX)
}

/// The audit's findings when these proofs are published.
async fn found(app: &TestApp, node: &Node, person: &Person<'_>, proofs: &[Value]) -> Report {
    let rows = format!("/api/rest/v1/profiles?id=eq.{}", person.id);
    let rows = app.get(&rows).await.body;
    let config = app.get("/api/functions/v1/app-config").await.body;
    let list = proofs.iter();
    let list = list.map(|proof| json!({"id": proof["id"], "amount_sats": counting(proof)}));
    let list: Value = list.collect();
    let mut answers = HashMap::from([
        ("/api/functions/v1/app-config".to_owned(), config),
        (SUMMARY.to_owned(), summary(&rows)),
        ("/api/rest/v1/profiles".to_owned(), rows),
        (PROOFS.to_owned(), json!({"proofs": list, "next": null})),
    ]);
    for proof in proofs {
        let path = format!("{PROOFS}/{}", proof["id"].as_str().unwrap());
        answers.insert(path, proof.clone());
    }
    audit_with(app, node, in_the_way(answers).await).await
}

/// Every way to change a proof.
fn mutations(proof: &Value) -> Vec<(String, Value)> {
    let mut others: Vec<(String, Value)> = Vec::new();
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut change = |at: &str, others: &[&str]| {
        texts.extend(others.iter().map(|it| (at.to_owned(), (*it).to_owned())));
    };
    let hex = proof["transaction"].as_str().unwrap();
    // Every part of the transaction, witnesses included.
    for at in (0..50).map(|part| part * hex.len() / 50 + 1) {
        let digit = u8::from_str_radix(&hex[at..=at], 16).unwrap();
        let other = format!("{}{:x}{}", &hex[..at], digit ^ 1, &hex[at + 1..]);
        change("/transaction", &[&other]);
    }
    let cut = &hex[..hex.len() - 2];
    change("/transaction", &[cut, &format!("{hex}00"), "", "zz"]);
    let line = proof["statement"]["text"].as_str().unwrap();
    for (part, other) in [(" ~", " -"), ("Proof", "proof")] {
        change("/statement/text", &[&line.replacen(part, other, 1)]);
    }
    let cut = &line[..line.len() - 1];
    change("/statement/text", &[&format!("{line} "), cut, ""]);
    for field in ["origin", "provider", "subject", "account_id", "nonce"] {
        let said = proof["statement"][field].as_str().unwrap();
        let last = if said.ends_with('1') { "2" } else { "1" };
        let other = format!("{}{last}", &said[..said.len() - 1]);
        change(&format!("/statement/{field}"), &[&other, ""]);
    }
    change("/profile/provider", &["twitter"]);
    change("/profile/id", &["0190d0c2-0000-7000-8000-000000000001"]);
    for other in ["unbound", "", "message", "transaction"] {
        if proof["binding"] != other {
            change("/binding", &[other]);
        }
    }
    change("/network", &["mainnet"]);
    // The last one is later than any proof counts.
    let ends = ["2026-01-01T00:00:00Z", "never", "2036-01-01T00:00:00Z"];
    change("/expires_at", &ends);
    let header = text(&proof["statement"]["block"]["header"]);
    let headers = [&header.replacen('0', "1", 1), &header[2..]];
    change("/statement/block/header", &headers);
    let height = proof["statement"]["block"]["height"].as_u64().unwrap();
    others.push(("/statement/block/height".to_owned(), json!(height + 1)));
    others.push(("/statement/block".to_owned(), Value::Null));
    let inputs = proof["inputs"].as_array().unwrap();
    for (index, input) in inputs.iter().enumerate() {
        let at = |field: &str| format!("/inputs/{index}/{field}");
        let script = input["script_pubkey"].as_str().unwrap();
        let longer = format!("{script}00");
        change(&at("script_pubkey"), &[&longer, &script[2..], "", "x"]);
        change(&at("txid"), &[&"ab".repeat(32)]);
        others.push((at("vout"), json!(7)));
        let sats = input["value_sats"].as_u64().unwrap();
        let less = sats.saturating_sub(1).max(2);
        for other in [sats + 1, less, 2_100_000_000_000_000, u64::MAX] {
            others.push((at("value_sats"), json!(other)));
        }
        let mut counts = input.clone();
        counts["counts"] = input["counts"].is_null().then_some(true).into();
        others.push((format!("/inputs/{index}"), counts));
        let (mut fewer, mut more) = (inputs.clone(), inputs.clone());
        fewer.remove(index);
        more.push(input.clone());
        others.extend([fewer, more].map(|other| ("/inputs".to_owned(), json!(other))));
    }
    let mut swapped = inputs.clone();
    swapped.swap(0, 1);
    others.push(("/inputs".to_owned(), json!(swapped)));
    others.extend(texts.into_iter().map(|(at, other)| (at, json!(other))));
    let changed = others.into_iter().map(|(at, other)| {
        let mut changed = proof.clone();
        *changed.pointer_mut(&at).unwrap() = other;
        assert_ne!(changed, *proof, "{at}");
        (at, changed)
    });
    changed.collect()
}

#[tokio::test]
async fn no_mutated_proof_passes() {
    let node = Node::shared().await;
    let app = board(node).await;
    let wallet = node.wallet().await;
    let mut tried = 0;
    for carrier in ["transaction", "message"] {
        let (person, id, _) = publisher(&app, node, &wallet, carrier).await;
        let proof = app.get(&format!("{PROOFS}/{id}")).await.body;
        let whole = found(&app, node, &person, std::slice::from_ref(&proof)).await;
        assert_eq!(codes(&whole), [""; 0], "{whole:?}");
        let mutations = mutations(&proof);
        let proofs = mutations.iter().enumerate().map(|(number, (_, proof))| {
            let mut proof = proof.clone();
            proof["id"] = json!(format!("{number:08x}-0000-7000-8000-000000000000"));
            proof
        });
        let proofs: Vec<Value> = proofs.collect();
        let report = found(&app, node, &person, &proofs).await;
        // Coins that two proofs count and wrong sums are tested elsewhere.
        let others = ["twice", "sum", "row", "holdings"];
        for (proof, (name, _)) in proofs.iter().zip(&mutations) {
            let id = proof["id"].as_str();
            let mut findings = report.findings.iter();
            let refused =
                findings.any(|it| it.proof.as_deref() == id && !others.contains(&it.code));
            assert!(refused, "{carrier} with another {name} passes: {proof}");
        }
        tried += proofs.len();
    }
    assert!(tried >= 200, "{tried}");
}
