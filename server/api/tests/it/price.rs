//! The bitcoin price, from sources that work or fail.

use api::price::Price;

use crate::support::prelude::*;

/// A public source of prices.
#[derive(Clone, Default)]
struct Source {
    url: String,
    calls: Arc<AtomicUsize>,
    answer: Arc<Mutex<(u16, String)>>,
}

impl Source {
    async fn start(answer: &Value) -> Self {
        let mut source = Self::default();
        source.set(200, answer);
        let of = source.clone();
        let respond = async move || {
            of.calls.fetch_add(1, Ordering::SeqCst);
            let (status, answer) = of.answer.lock().unwrap().clone();
            (StatusCode::from_u16(status).unwrap(), answer)
        };
        source.url = serve(Router::new().fallback(respond)).await + "/price";
        source
    }

    fn set(&self, status: u16, answer: impl ToString) {
        *self.answer.lock().unwrap() = (status, answer.to_string());
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }
}

fn asks(sources: &[&Source]) -> (Arc<Price>, Clock) {
    let urls = sources.iter().map(|source| source.url.parse().unwrap());
    let clock = Clock::manual(NOW);
    let price = Price::new(urls.collect(), None, http_client(), clock.clone());
    (Arc::new(price), clock)
}

#[tokio::test]
async fn bitcoin_price_is_the_price_or_503() {
    let source = Source::start(&json!({"time": 1, "USD": 84_000})).await;
    let app = TestApp::with(&[&format!("--price-url={}", source.url)]).await;
    let answer = app.get("/api/functions/v1/bitcoin-price").await;
    let expected = json!({"bitcoin": {"usd": 84_000.0}, "stand_in": false});
    assert_eq!((answer.status.as_u16(), answer.body), (200, expected));
    source.set(503, "");
    app.state.clock.advance(10 * 60);
    let answer = app.get("/api/functions/v1/bitcoin-price").await;
    assert_eq!(answer.problem(), (503, "price-unknown"));
}

#[tokio::test]
async fn any_number_of_visitors_cause_one_call_a_minute() {
    let source = Source::start(&json!({"time": 1, "USD": 84_000})).await;
    let (price, clock) = asks(&[&source]);
    assert_eq!(source.calls(), 0, "nobody has asked");
    let prices = join_all((0..100).map(|_| price.usd())).await;
    assert_eq!(prices, vec![Some(84_000.0); 100]);
    clock.advance(59);
    assert_eq!(price.usd().await, Some(84_000.0));
    assert_eq!(source.calls(), 1);

    clock.advance(1);
    source.set(200, json!({"USD": 85_000}));
    // No request waits for a new price while the old one can be shown.
    assert!(price.usd().await.is_some());
    let new = async || price.usd().await == Some(85_000.0);
    wait_until("the new price", new).await;
    assert_eq!(source.calls(), 2);
}

#[tokio::test]
async fn the_next_price_source_is_asked_in_the_same_minute() {
    let first = Source::start(&json!({"USD": 1})).await;
    let second = Source::start(&json!({"USD": 2})).await;
    let coinbase = json!({"data": {"amount": "84000.12", "base": "BTC", "currency": "USD"}});
    let third = Source::start(&coinbase).await;
    for (status, answer) in [
        (500, json!({"USD": 1})),
        (429, json!({"USD": 1})),
        (302, json!({"USD": 1})),
        (200, json!({"USD": 0})),
        (200, json!({"USD": -1})),
        (200, json!({"USD": 1e12})),
        (200, json!({"price": 84_000})),
        (200, json!("x".repeat(100_000))),
    ] {
        first.set(status, &answer);
        second.set(200, "not JSON");
        let (price, _) = asks(&[&first, &second, &third]);
        assert_eq!(price.usd().await, Some(84_000.12), "{status} {answer}");
    }
    assert_eq!((first.calls(), second.calls(), third.calls()), (8, 8, 8));
}

#[tokio::test]
async fn a_failure_counts_as_a_call_and_a_stale_price_is_unknown() {
    let source = Source::start(&json!({"USD": 84_000})).await;
    let (price, clock) = asks(&[&source]);
    assert_eq!(price.usd().await, Some(84_000.0));
    source.set(503, "");
    for minute in 1..10 {
        clock.advance(60);
        assert_eq!(price.usd().await, Some(84_000.0), "minute {minute}");
        wait_until("asking again", async || source.calls() == minute + 1).await;
    }
    clock.advance(60);
    let prices = join_all((0..50).map(|_| price.usd())).await;
    assert_eq!(prices, vec![None; 50], "ten minutes old");
    assert_eq!(source.calls(), 11);
    source.set(200, json!({"USD": 90_000}));
    assert_eq!(price.usd().await, None);
    clock.advance(60);
    assert_eq!(price.usd().await, Some(90_000.0));
}
