//! A client that asks for more than its share gets a Retry-After; other clients are not affected.

use std::net::IpAddr;

use api::limits::permits::TooMany;

use super::*;

async fn behind_a_proxy() -> TestApp {
    let arguments = ["--trusted-proxies=127.0.0.1"];
    TestApp::with(&arguments).await
}

/// Permits that are taken are not available: further requests of one network get 429, and so do all once the total is reached.
#[tokio::test]
async fn questions_and_downloads_beyond_the_permits_get_a_retry_after() {
    let app = behind_a_proxy().await;
    let ask = async |path: &str, address: &str| {
        let answer = app.get_with(path, &[("x-forwarded-for", address)]).await;
        (
            answer.status.as_u16(),
            answer.header("retry-after").to_owned(),
        )
    };
    let board = &app.state.board;
    let download = "/api/functions/v1/board.csv";
    let question = "/api/rest/v1/profiles?limit=7";
    for (path, wait) in [(download, "10"), (question, "2")] {
        let take = |address: &str| {
            let address: Option<IpAddr> = address.parse().ok();
            match path == download {
                true => board.downloads.acquire(address),
                false => board.queue.acquire(address),
            }
        };
        let mut taken = Vec::new();
        let full = loop {
            match take("192.0.2.1") {
                Ok(permit) => taken.push(permit),
                Err(full) => break full,
            }
        };
        assert_eq!(full, TooMany::BySender);
        assert_eq!(ask(path, "192.0.2.1").await, (429, wait.to_owned()));
        assert_eq!(ask(path, "203.0.113.2").await, (200, String::new()));
        let not_cached = path.replace("limit=7", "limit=8");
        let mut others = (3..).map(|other| format!("10.{}.{}.1", other / 200, other % 200));
        // A request that has just been served may have a permit for a moment after its end.
        until("as many others as there is room for", async || {
            let full = loop {
                match take(&others.next().unwrap()) {
                    Ok(permit) => taken.push(permit),
                    Err(full) => break full,
                }
            };
            assert_eq!(full, TooMany::InTotal);
            (ask(&not_cached, "203.0.113.2").await == (503, wait.to_owned())).then_some(())
        })
        .await;
        drop(taken);
        assert_eq!(ask(&not_cached, "192.0.2.1").await.0, 200, "{path}");
    }
}
