//! Boards that lie about who stands where.

use std::collections::HashMap;

use server::store::shown_as::ShownAs;

use super::mutated::{SUMMARY, in_the_way, summary};
use super::*;
use crate::people::{prove, sign_in};

const ROWS: &str = "/api/rest/v1/profiles";

/// What the audit finds when these are the board's rows.
async fn found(app: &TestApp, node: &Node, rows: &Value) -> Report {
    let config = app.get("/api/functions/v1/app-config").await.body;
    let answers = HashMap::from([
        ("/api/functions/v1/app-config".to_owned(), config),
        (SUMMARY.to_owned(), summary(rows)),
        (ROWS.to_owned(), rows.clone()),
        (
            "/api/functions/v1/proofs".to_owned(),
            json!({"proofs": [], "next": null}),
        ),
    ]);
    audit_with(app, node, in_the_way(answers).await).await
}

/// Ranges have a place among the others, that of where their tier begins (decisions, D17), and switch nothing off.
#[tokio::test]
async fn a_rank_that_does_not_follow_is_found_also_beside_ranges() {
    let node = Node::shared().await;
    let app = board(node, TestDatabase::sqlite().await).await;
    let state = &app.state;
    for (name, sats, shown_as) in [
        ("satoshi", 900_000_000, ShownAs::Exact),
        ("hal", 700_000_000, ShownAs::Range),
        ("adam", 300_000_000, ShownAs::Range),
        ("nick", 200_000_000, ShownAs::Exact),
        ("wei", 100_000_000, ShownAs::Exact),
        ("len", 5, ShownAs::Range),
    ] {
        let profile = sign_in(state, "twitter", name, None).await;
        prove(state, &profile, sats).await;
        let shown = state
            .store
            .show_as(&profile.id, shown_as, state.clock.now());
        shown.await.unwrap();
    }
    let path = format!("{ROWS}?verified=eq.true&order=bitcoin_holdings.desc.nullslast");
    let rows = app.get(&path).await.body;
    let ranks = rows.as_array().unwrap().iter().map(|row| &row["rank"]);
    assert_eq!(Vec::from_iter(ranks), [1, 2, 3, 3, 3, 6]);
    for report in [audit(&app, node).await, found(&app, node, &rows).await] {
        assert_eq!(codes(&report), [""; 0], "{report:?}");
        assert_eq!(report.not_checked.rows_of_ranges, 3);
    }
    for (place, rank) in [(0, 2), (1, 1), (2, 2), (4, 4), (4, 5), (5, 3), (5, 5)] {
        let mut lie = rows.clone();
        lie[place]["rank"] = json!(rank);
        let report = found(&app, node, &lie).await;
        assert!(codes(&report).contains(&"rank"), "{lie}: {report:?}");
    }
    // Whoever stands above somebody with more.
    let mut lie = rows.clone();
    let (first, second) = (rows[0]["id"].clone(), rows[1]["id"].clone());
    (lie[0]["bitcoin_holdings"], lie[1]["bitcoin_holdings"]) = (json!(2.0), json!(9.0));
    let report = found(&app, node, &lie).await;
    let of_order: Vec<_> = report
        .findings
        .iter()
        .map(|it| it.profile.as_str())
        .collect();
    assert_eq!(of_order, [second.as_str().unwrap()], "and not {first}");
    assert!(report.findings[0].sentence.contains("not at that place"));
}
