//! Proofs that differ slightly from what was signed: the audit rejects all of them.

use std::collections::HashMap;

use axum::Router;
use axum::http::{StatusCode, Uri};
use axum::response::IntoResponse;
use board_log::tiers::{TIER_NAMES, holder_tier};
use board_log::units::btc_text;

use super::*;
use crate::support::faults::serve;

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
    let proxy = format!("http://{}", serve(router).await);
    let proxy = reqwest::Proxy::all(proxy).unwrap();
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
    let rows = app
        .get(&format!("/api/rest/v1/profiles?id=eq.{}", person.id))
        .await
        .body;
    let config = app.get("/api/functions/v1/app-config").await.body;
    let list: Vec<Value> = proofs
        .iter()
        .map(|proof| json!({"id": proof["id"], "amount_sats": counting(proof)}))
        .collect();
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
    let mut all = Vec::new();
    let mut with = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut other = proof.clone();
        change(&mut other);
        assert_ne!(other, *proof, "{name}");
        all.push((name.to_owned(), other));
    };
    let hex = proof["transaction"].as_str().unwrap();
    // Every part of the transaction, witnesses included.
    for at in (0..50).map(|part| part * hex.len() / 50 + 1) {
        let digit = u8::from_str_radix(&hex[at..=at], 16).unwrap();
        let other = format!("{}{:x}{}", &hex[..at], digit ^ 1, &hex[at + 1..]);
        with(&format!("digit {at}"), &|proof| {
            proof["transaction"] = json!(other)
        });
    }
    let cut = &hex[..hex.len() - 2];
    for other in [
        cut.to_owned(),
        format!("{hex}00"),
        String::new(),
        "zz".to_owned(),
    ] {
        with("length", &|proof| proof["transaction"] = json!(other));
    }
    let text = proof["statement"]["text"].as_str().unwrap();
    for other in [
        text.replacen(" ~", " -", 1),
        text.replacen("Proof", "proof", 1),
        format!("{text} "),
        text[..text.len() - 1].to_owned(),
        String::new(),
    ] {
        with("text", &|proof| proof["statement"]["text"] = json!(other));
    }
    for field in ["origin", "provider", "subject", "account_id", "nonce"] {
        let said = proof["statement"][field].as_str().unwrap();
        let other = [
            &said[..said.len() - 1],
            if said.ends_with('1') { "2" } else { "1" },
        ]
        .concat();
        for other in [other, String::new()] {
            with(field, &|proof| proof["statement"][field] = json!(other));
        }
    }
    for (field, other) in [
        ("provider", "twitter"),
        ("id", "0190d0c2-0000-7000-8000-000000000001"),
    ] {
        with(field, &|proof| proof["profile"][field] = json!(other));
    }
    for other in ["unbound", "", "message", "transaction"] {
        if proof["binding"] != other {
            with("binding", &|proof| proof["binding"] = json!(other));
        }
    }
    for (field, other) in [
        ("network", "mainnet"),
        ("expires_at", "2026-01-01T00:00:00Z"),
        ("expires_at", "never"),
        // Later than any proof counts.
        ("expires_at", "2036-01-01T00:00:00Z"),
    ] {
        with(field, &|proof| proof[field] = json!(other));
    }
    let block = &proof["statement"]["block"];
    let height = block["height"].as_u64().unwrap();
    with("date", &|proof| {
        proof["statement"]["block"]["height"] = json!(height + 1)
    });
    let header = block["header"].as_str().unwrap();
    for other in [header.replacen('0', "1", 1), header[2..].to_owned()] {
        with("header", &|proof| {
            proof["statement"]["block"]["header"] = json!(other)
        });
    }
    with("undated", &|proof| {
        proof["statement"]["block"] = Value::Null
    });
    let inputs = proof["inputs"].as_array().unwrap();
    for (index, input) in inputs.iter().enumerate() {
        let sats = input["value_sats"].as_u64().unwrap();
        for other in [
            sats + 1,
            sats.saturating_sub(1).max(2),
            2_100_000_000_000_000,
            u64::MAX,
        ] {
            with("value", &|proof| {
                proof["inputs"][index]["value_sats"] = json!(other)
            });
        }
        let script = input["script_pubkey"].as_str().unwrap();
        for other in [
            format!("{script}00"),
            script[2..].to_owned(),
            String::new(),
            "x".to_owned(),
        ] {
            with("script", &|proof| {
                proof["inputs"][index]["script_pubkey"] = json!(other)
            });
        }
        let counts = if input["counts"].is_null() {
            json!(true)
        } else {
            Value::Null
        };
        with("counts", &|proof| {
            proof["inputs"][index]["counts"] = counts.clone()
        });
        with("vout", &|proof| proof["inputs"][index]["vout"] = json!(7));
        with("txid", &|proof| {
            proof["inputs"][index]["txid"] = json!("ab".repeat(32))
        });
        with("fewer", &|proof| {
            drop(proof["inputs"].as_array_mut().unwrap().remove(index))
        });
        with("more", &|proof| {
            proof["inputs"]
                .as_array_mut()
                .unwrap()
                .push(inputs[index].clone())
        });
    }
    with("order", &|proof| {
        proof["inputs"].as_array_mut().unwrap().swap(0, 1)
    });
    all
}

#[tokio::test]
async fn no_mutated_proof_passes() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
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
