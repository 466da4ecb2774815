//! Boards that lie in their list of rows, and answer honestly to requests that only audits send.

use super::mutated::{SUMMARY, summary};
use super::*;

const ROWS: &str = "/api/rest/v1/profiles";

/// More rows than one page of the web app: some with holdings, and some without.
const HOLDERS: u8 = 104;
const OTHERS: i64 = 6;

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

async fn honest_rows(app: &TestApp) -> Vec<Value> {
    let path = format!("{ROWS}?order=bitcoin_holdings.desc.nullslast&limit=1000");
    app.get(&path).await.body.as_array().unwrap().clone()
}

/// Ranks as they follow from the shown amounts.
fn rank(rows: &mut [Value]) {
    let mut above: Option<(f64, usize)> = None;
    for (index, row) in rows.iter_mut().enumerate() {
        let Some(btc) = row["bitcoin_holdings"].as_f64() else {
            continue;
        };
        let same = above.filter(|(other, _)| (other - btc).abs() < 1e-9);
        let rank = same.map_or(index + 1, |(_, rank)| rank);
        row["rank"] = json!(rank);
        above = Some((btc, rank));
    }
}

/// Changes the rows in every list, and optionally the sums in the summary. Requests by id get honest answers.
fn instead(proxy: &Proxy, also_sums: bool, rows: impl Fn() -> Vec<Value> + Send + Sync + 'static) {
    proxy.change(move |path, _| {
        let is_list = path.starts_with(ROWS) && !path.contains("id=eq.");
        let lie = match path == SUMMARY {
            true => also_sums.then(|| summary(&json!(rows()))),
            false => is_list.then(|| page(path, rows())),
        };
        Some(lie?.to_string().into_bytes())
    });
}

/// The part of the rows that the path asks for.
fn page(path: &str, rows: Vec<Value>) -> Value {
    let number = |name: &str| {
        let (_, value) = path.split_once(&format!("&{name}="))?;
        value.split('&').next()?.parse().ok()
    };
    let rows = rows.into_iter().skip(number("offset").unwrap_or(0));
    rows.take(number("limit").unwrap_or(1_000)).collect()
}

fn made_up(btc: Value) -> Value {
    json!({
        "id": Uuid::now_v7().to_string(), "username": "satoshi", "avatar_url": null, "verified": !btc.is_null(), "bitcoin_holdings": btc,
        "shown_as": "exact", "rank": null, "last_verified": null, "provider": "twitter", "named": true, "published_sats": null
    })
}

fn hundredfold(row: &mut Value) {
    if let Some(btc) = row["bitcoin_holdings"].as_f64() {
        row["bitcoin_holdings"] = json!(btc * 100.0);
    }
}

/// Changes that an operator could make to the list, each with the ranks that follow from it.
const LIES: &str = "one at rank 1, one in the middle, all times 100, one times 100, without the first, \
    without the last of a page, without the first ten, another name, a range as an exact total, \
    an old proof as a new one, a user twice";

/// Changes that only the sums reveal, while the sums are honest.
const LIES_BESIDE_HONEST_SUMS: &str =
    "an empty list, without the last holder, without the last of all, holders alone";

fn lie(what: &str, rows: &mut Vec<Value>) {
    match what {
        "one at rank 1" => rows.insert(0, made_up(json!(4_120.0))),
        "one in the middle" => rows.insert(65, made_up(rows[65]["bitcoin_holdings"].clone())),
        "all times 100" => rows.iter_mut().for_each(hundredfold),
        "one times 100" => hundredfold(&mut rows[0]),
        "without the first" => drop(rows.remove(0)),
        "without the last of a page" => drop(rows.remove(99)),
        "without the first ten" => drop(rows.drain(..10)),
        "another name" => rows[3]["username"] = json!("satoshi"),
        "a range as an exact total" => {
            let range = rows.iter_mut().find(|row| row["shown_as"] == "range");
            range.unwrap()["shown_as"] = json!("exact");
        }
        "an old proof as a new one" => rows[5]["last_verified"] = json!("2030-01-01T00:00:00Z"),
        "a user twice" => rows.insert(70, rows[70].clone()),
        "an empty list" => rows.clear(),
        "without the last holder" => drop(rows.remove(usize::from(HOLDERS) - 1)),
        "without the last of all" => drop(rows.pop()),
        "holders alone" => rows.truncate(usize::from(HOLDERS)),
        _ => panic!("{what}"),
    }
}

#[tokio::test]
async fn no_lie_in_the_list_passes() {
    let fixture = Fixture::new().await;
    nothing(&fixture.report().await);
    people(&fixture.app, HOLDERS.into(), OTHERS).await;
    let honest = honest_rows(&fixture.app).await;
    assert_eq!(honest.len(), 110);
    let client = lasting_client();
    let found = async || fixture.report_with(client.clone()).await;
    nothing(&found().await);
    let lies = LIES.split(", ");
    let lies = lies.flat_map(|what| [(what, false), (what, true)]);
    let beside = LIES_BESIDE_HONEST_SUMS.split(", ");
    for (what, also_sums) in lies.chain(beside.map(|what| (what, false))) {
        let mut rows = honest.clone();
        lie(what, &mut rows);
        rank(&mut rows);
        instead(&fixture.proxy, also_sums, move || rows.clone());
        let report = found().await;
        assert!(!report.findings.is_empty(), "{what}, sums: {also_sums}");
    }
    // A different row each time, so that the second look at a user is honest.
    for (at, btc) in [(0, json!(10.0)), (103, json!(9.871)), (110, Value::Null)] {
        let honest = honest.clone();
        instead(&fixture.proxy, true, move || {
            let mut rows = honest.clone();
            rows.insert(at, made_up(btc.clone()));
            rank(&mut rows);
            rows
        });
        assert!(!found().await.findings.is_empty(), "another one at {at}");
    }
    fixture.proxy.be_honest();
    nothing(&found().await);
}

/// A user proves more, joins or leaves between the list request and the requests that follow it.
#[tokio::test]
async fn changes_during_an_audit_are_not_false() {
    let fixture = Fixture::new().await;
    people(&fixture.app, 5, 2).await;
    let rows = honest_rows(&fixture.app).await;
    let state = &fixture.app.state;
    let first = state.store.profile(rows[0]["id"].as_str().unwrap()).await;
    let first = first.unwrap().unwrap();
    for what in ["more", "comes", "goes"] {
        let happened = Arc::new(AtomicUsize::new(0));
        let (state, first, asked) = (state.clone(), first.clone(), Arc::clone(&happened));
        fixture.proxy.tell(move |path, honest| {
            // Runs between the list request and the first request by id.
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
                        state.store.delete_profile(&first.id, NOW).await.unwrap();
                        state.store.notify();
                        state.board.catch_up().await.unwrap();
                    }
                }
                honest
            };
            happens.boxed()
        });
        let report = fixture.report().await;
        assert!(happened.load(Ordering::SeqCst) > 0, "{what}");
        nothing(&report);
    }
}

/// The audit requests the list with the web app's query; a test there compares the two.
#[tokio::test]
async fn the_list_is_asked_for_as_visitors_ask() {
    let fixture = Fixture::new().await;
    people(&fixture.app, 2, 0).await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let all = Arc::clone(&asked);
    fixture.proxy.change(move |path, _| {
        all.lock().unwrap().push(path.to_owned());
        None
    });
    fixture.report().await;
    let query = include_str!("../../../../audit/src/list-query.txt");
    let expected = format!("{ROWS}?{query}&offset=");
    let mut lists = asked.lock().unwrap();
    lists.retain(|it| it.starts_with(ROWS) && !it.contains("id=eq."));
    let as_visitors = lists.iter().all(|list| list.starts_with(&expected));
    assert!(as_visitors && !lists.is_empty(), "{lists:?}");
}
