//! A client that asks for more than its share gets a Retry-After; other clients are not affected.

use std::iter::repeat;
use std::net::IpAddr;

use api::limits::queue::{Full, network_of};

use super::*;

/// Turns that are taken are not available: further requests of one network get 429, and so do all once the total is reached.
#[tokio::test]
async fn requests_beyond_the_turns_get_retry_after() {
    let app = TestApp::behind_a_proxy().await;
    let ask = async |path: &str, address: &str| {
        let answer = app.get_from(address, path).await;
        (answer.status.as_u16(), answer.header("retry-after") == "2")
    };
    let (board, downloads) = (&app.state.board, &app.state.downloads);
    let download = "/api/functions/v1/board.csv";
    for path in [download, "/api/rest/v1/profiles?limit=7"] {
        let take = |address: &str| {
            let address: Option<IpAddr> = address.parse().ok();
            match path == download {
                true => downloads.queue.turn_at_once(address.map(network_of)),
                false => board.queue.turn_at_once(address.map(network_of)),
            }
        };
        let mut taken = Vec::new();
        let mut take_all = |addresses: &mut dyn Iterator<Item = String>| {
            for address in addresses {
                match take(&address) {
                    Ok(turn) => taken.push(turn),
                    Err(full) => return full,
                }
            }
            unreachable!("more addresses than turns");
        };
        let full = take_all(&mut repeat("192.0.2.1".to_owned()));
        assert_eq!(full, Full::BySender);
        assert_eq!(ask(path, "192.0.2.1").await, (429, true));
        assert_eq!(ask(path, "203.0.113.2").await, (200, false));
        let not_cached = path.replace("limit=7", "limit=8");
        let mut others = (3..).map(|other| format!("10.{}.{}.1", other / 200, other % 200));
        // A request that has just been served may have a permit for a moment after its end.
        wait_until("as many others as there is room for", async || {
            assert_eq!(take_all(&mut others), Full::InTotal);
            ask(&not_cached, "203.0.113.2").await == (503, true)
        })
        .await;
        drop(taken);
        assert_eq!(ask(&not_cached, "192.0.2.1").await.0, 200, "{path}");
    }
}
