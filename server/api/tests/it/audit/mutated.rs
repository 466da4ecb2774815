//! Proofs that differ slightly from what was signed: the audit rejects all of them.

use axum::http::Uri;
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
pub(super) fn sats_of(btc: f64) -> i64 {
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
    let tiers = TIERS.map(|(name, ..)| {
        let holders = sats.iter().filter(|sats| holder_tier(Some(**sats)) == name);
        json!({"name": name, "holders": holders.count()})
    });
    json!({"people": rows.len(), "holders": sats.len(), "bitcoin": bitcoin, "tiers": tiers, "block": null})
}

/// A client of a stand-in that answers at a path in place of the board.
async fn in_the_way(answers: HashMap<String, Value>) -> Client {
    let answers = Arc::new(answers);
    let router = Router::new().fallback(move |uri: Uri| async move {
        let answer = answers.get(uri.path()).cloned().map(axum::Json);
        answer.ok_or(StatusCode::NOT_FOUND)
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
async fn found(stage: &Stage<'_>, person: &Person<'_>, proofs: &[Value]) -> Report {
    let rows = stage.app.get(&person.row()).await.body;
    let config = stage.app.get("/api/functions/v1/app-config").await.body;
    let list = proofs.iter();
    let list = list.map(|proof| json!({"id": proof["id"], "amount_sats": counting(proof)}));
    let list: Value = list.collect();
    let by_id = proofs.iter().map(|proof| {
        let path = format!("{PROOFS}/{}", proof["id"].as_str().unwrap());
        (path, proof.clone())
    });
    let mut answers = HashMap::from([
        ("/api/functions/v1/app-config".to_owned(), config),
        (SUMMARY.to_owned(), summary(&rows)),
        ("/api/rest/v1/profiles".to_owned(), rows),
        (PROOFS.to_owned(), json!({"proofs": list, "next": null})),
    ]);
    answers.extend(by_id);
    stage.report_with(in_the_way(answers).await).await
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
    let height = proof["statement"]["block"]["height"].as_u64().unwrap();
    change("/statement/block/height", json!([height + 1]));
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
    let stage = Stage::new().await;
    let wallet = stage.node.wallet().await;
    let mut tried = 0;
    for carrier in ["transaction", "message"] {
        let (person, id, _) = stage.publisher(&wallet, carrier).await;
        let proof = stage.app.get(&format!("{PROOFS}/{id}")).await.body;
        let whole = found(&stage, &person, std::slice::from_ref(&proof)).await;
        nothing(&whole);
        let (names, mut proofs): (Vec<_>, Vec<_>) = mutations(&proof).into_iter().unzip();
        for (number, proof) in proofs.iter_mut().enumerate() {
            proof["id"] = json!(format!("{number:08x}-0000-7000-8000-000000000000"));
        }
        let report = found(&stage, &person, &proofs).await;
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
