//! Boards that lie in their list of rows, and answer honestly to requests that only audits send.

use super::mutated::{SUMMARY, summary};
use super::*;

pub(super) const ROWS: &str = "/api/rest/v1/profiles";

/// More rows than one page of the web app: some with holdings, and some without.
const HOLDERS: u8 = 104;
const OTHERS: i64 = 6;

/// How a lie changes the rows.
type Rows = fn(&mut Vec<Value>);

pub(super) async fn people(app: &TestApp, holders: i64, others: i64) {
    for number in 0..holders + others {
        let person = sign_in(&app.state, "twitter", &format!("name{number}"), None).await;
        if number < holders {
            // Some share a rank, and some show a range.
            prove(&app.state, &person, 1_000_000_000 - number / 2 * 1_000).await;
            if number % 40 == 7 {
                app.show_as(&person.id, ShownAs::Range).await;
            }
        }
    }
    app.state.store.notify();
    app.caught_up().await;
}

pub(super) async fn honest_rows(app: &TestApp) -> Vec<Value> {
    let path = format!("{ROWS}?order=bitcoin_holdings.desc.nullslast&limit=1000");
    app.get(&path).await.body.as_array().unwrap().clone()
}

pub(super) fn number_in(path: &str, name: &str) -> Option<usize> {
    let (_, value) = path.split_once(&format!("&{name}="))?;
    value.split('&').next()?.parse().ok()
}

/// Ranks as they follow from the shown amounts.
pub(super) fn rank(rows: &mut [Value]) {
    let mut above: Option<(f64, Value)> = None;
    for (index, row) in rows.iter_mut().enumerate() {
        let Some(btc) = row["bitcoin_holdings"].as_f64() else {
            continue;
        };
        let rank = match &above {
            Some((same, rank)) if (same - btc).abs() < 1e-9 => rank.clone(),
            _ => json!(index + 1),
        };
        row["rank"] = rank.clone();
        above = Some((btc, rank));
    }
}

/// Changes the rows in every list, and optionally the sums in the summary. Requests by id get honest answers.
fn instead(proxy: &Proxy, also_sums: bool, rows: impl Fn() -> Vec<Value> + Send + Sync + 'static) {
    proxy.change(move |path, _| {
        let lie: Value = if path == SUMMARY && also_sums {
            summary(&json!(rows()))
        } else if path.starts_with(ROWS) && !path.contains("id=eq.") {
            page(path, rows())
        } else {
            return None;
        };
        Some(lie.to_string().into_bytes())
    });
}

/// The part of the rows that the path asks for.
pub(super) fn page(path: &str, rows: Vec<Value>) -> Value {
    let offset = number_in(path, "offset").unwrap_or(0);
    let limit = number_in(path, "limit").unwrap_or(1_000);
    rows.into_iter().skip(offset).take(limit).collect()
}

pub(super) fn made_up(btc: Value) -> Value {
    json!({
        "id": Uuid::now_v7().to_string(), "username": "satoshi", "avatar_url": null, "verified": !btc.is_null(), "bitcoin_holdings": btc,
        "shown_as": "exact", "rank": null, "last_verified": null, "provider": "twitter", "named": true, "published_sats": null
    })
}

/// Changes that an operator could make to the list, each with the ranks that follow from it.
const LIES: [(&str, Rows); 11] = [
    ("a made-up row at rank 1", |rows| {
        rows.insert(0, made_up(json!(4_120.0)))
    }),
    ("a made-up row in the middle", |rows| {
        let same = rows[65]["bitcoin_holdings"].clone();
        rows.insert(65, made_up(same));
    }),
    ("amounts times 100", |rows| {
        for row in rows {
            if let Some(btc) = row["bitcoin_holdings"].as_f64() {
                row["bitcoin_holdings"] = json!(btc * 100.0);
            }
        }
    }),
    ("one amount times 100", |rows| {
        rows[0]["bitcoin_holdings"] = json!(rows[0]["bitcoin_holdings"].as_f64().unwrap() * 100.0);
    }),
    ("without the first", |rows| drop(rows.remove(0))),
    ("without one at the end of a page", |rows| {
        drop(rows.remove(99))
    }),
    ("without the first ten", |rows| drop(rows.drain(..10))),
    ("another name", |rows| {
        rows[3]["username"] = json!("satoshi")
    }),
    ("a range as an exact total", |rows| {
        let range = rows.iter_mut().find(|row| row["shown_as"] == "range");
        range.unwrap()["shown_as"] = json!("exact");
    }),
    ("an old proof as a new one", |rows| {
        rows[5]["last_verified"] = json!("2030-01-01T00:00:00Z");
    }),
    ("a user twice", |rows| {
        let again = rows[70].clone();
        rows.insert(70, again);
    }),
];

/// Changes that only the sums reveal, while the sums are honest.
const LIES_BESIDE_HONEST_SUMS: [(&str, Rows); 4] = [
    ("an empty list", |rows| rows.clear()),
    ("without the last holder", |rows| {
        drop(rows.remove(usize::from(HOLDERS) - 1))
    }),
    ("without the last of all", |rows| drop(rows.pop())),
    ("without those who have proven nothing", |rows| {
        rows.truncate(usize::from(HOLDERS))
    }),
];

#[tokio::test]
async fn no_lie_in_the_list_passes() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    let empty = audit_at(&stand_in.url, &app, node, http_client()).await;
    assert_eq!(codes(&empty), [""; 0], "{empty:?}");
    people(&app, HOLDERS.into(), OTHERS).await;
    let honest = honest_rows(&app).await;
    assert_eq!(honest.len(), 110);
    let client = lasting_client();
    let found = async || audit_at(&stand_in.url, &app, node, client.clone()).await;
    let passed = found().await;
    assert_eq!(codes(&passed), [""; 0], "{passed:?}");
    let alone = LIES.iter().map(|lie| (lie, false));
    let with_sums = LIES.iter().map(|lie| (lie, true));
    let beside = LIES_BESIDE_HONEST_SUMS.iter().map(|lie| (lie, false));
    for ((what, lie), also_sums) in alone.chain(with_sums).chain(beside) {
        let mut rows = honest.clone();
        lie(&mut rows);
        rank(&mut rows);
        instead(&stand_in, also_sums, move || rows.clone());
        let report = found().await;
        assert!(!report.findings.is_empty(), "{what}, sums: {also_sums}");
    }
    // Another row at each request, so that no user is false twice.
    for (at, btc) in [(0, json!(10.0)), (103, json!(9.871)), (110, Value::Null)] {
        let honest = honest.clone();
        instead(&stand_in, true, move || {
            let mut rows = honest.clone();
            rows.insert(at, made_up(btc.clone()));
            rank(&mut rows);
            rows
        });
        assert!(!found().await.findings.is_empty(), "another one at {at}");
    }
    stand_in.be_honest();
    let passed = found().await;
    assert_eq!(codes(&passed), [""; 0], "{passed:?}");
}

/// A user proves more, joins or leaves between the list request and the requests that follow it.
#[tokio::test]
async fn what_changes_meanwhile_is_no_lie() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    people(&app, 5, 2).await;
    let rows = honest_rows(&app).await;
    let state = &app.state;
    let of_first = rows[0]["id"].as_str().unwrap();
    let first = state.store.profile(of_first).await.unwrap().unwrap();
    for what in ["more", "comes", "goes"] {
        let asked = Arc::new(AtomicUsize::new(0));
        let (state, first) = (state.clone(), first.clone());
        let happened = Arc::clone(&asked);
        stand_in.tell(move |path, honest| {
            // The list has been read, and the first response about an id is on its way.
            let now = path.contains("id=eq.") && asked.fetch_add(1, Ordering::SeqCst) == 0;
            let (state, first) = (state.clone(), first.clone());
            let happens = async move {
                match what {
                    _ if !now => {}
                    "more" => prove(&state, &first, 2_000_000_000).await,
                    "comes" => {
                        let new = sign_in(&state, "twitter", "new", None).await;
                        prove(&state, &new, 3_000_000_000).await;
                    }
                    _ => {
                        state.store.delete_profile(&first.id).await.unwrap();
                        state.store.notify();
                        state.board.catch_up().await.unwrap();
                    }
                }
                honest
            };
            happens.boxed()
        });
        let client = http_client();
        let report = audit_at(&stand_in.url, &app, node, client).await;
        assert!(happened.load(Ordering::SeqCst) > 0);
        assert_eq!(codes(&report), [""; 0], "{what}: {report:?}");
    }
}

/// The audit requests the list with the web app's query; a test there compares the two.
#[tokio::test]
async fn the_list_is_asked_for_as_visitors_ask() {
    let node = Node::shared().await;
    let (stand_in, app) = board_behind(node).await;
    people(&app, 2, 0).await;
    let asked = Arc::new(std::sync::Mutex::new(Vec::new()));
    let all = Arc::clone(&asked);
    stand_in.change(move |path, _| {
        asked.lock().unwrap().push(path.to_owned());
        None
    });
    audit_at(&stand_in.url, &app, node, http_client()).await;
    let query = include_str!("../../../../audit/src/list-query.txt");
    let all = all.lock().unwrap();
    let lists = all
        .iter()
        .filter(|it| it.starts_with(ROWS) && !it.contains("id=eq."));
    for list in lists {
        let expected = format!("{ROWS}?{query}&offset=");
        assert!(list.starts_with(&expected), "{list}");
    }
}
