//! Limits by client address, as layers on the routes that need one: how many requests a client may send, and how many read the database.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::limits::queue::{Queue, Size, customer_of, network_of};
use crate::limits::{EXCHANGE, Limit, REFRESH, RateLimits};

/// How many requests of visitors may wait for the database, in total and of one network: a page of the board asks for up to a hundred pictures
/// at once. And how long.
const PLACES: usize = 2_048;
const PLACES_PER_NETWORK: usize = 128;
const MAX_WAIT: Duration = Duration::from_secs(30);

/// The queue of visitors who read a database with this many connections. They use at most half of these, so that sign-ins and submissions always
/// find one.
pub fn database_queue(connections: u32) -> Queue {
    let turns = (connections as usize / 2).max(1);
    Queue::new(Size::waiting(turns, PLACES, PLACES_PER_NETWORK, MAX_WAIT))
}

/// Lets a request that reads the database have its turn.
pub async fn wait(
    State(queue): State<Queue>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let _turn = queue.turn(address.map(network_of)).await?;
    Ok(next.run(request).await)
}

/// Refuses requests from addresses that have sent too many of this kind. A client whose address is unknown is let in: it is on this
/// machine, or behind a proxy that is not trusted.
pub async fn limit(
    State((limit, rate_limits)): State<(Limit, Arc<RateLimits>)>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    if let Some(address) = address {
        rate_limits.admit(limit, &customer_of(address)).await?;
    }
    Ok(next.run(request).await)
}

/// The same for tokens: refreshing a session has a limit of its own.
pub async fn limit_tokens(
    State(rate_limits): State<Arc<RateLimits>>,
    address: ClientAddress,
    request: Request,
    next: Next,
) -> Result<Response, Error> {
    let of_grant = limit_of_grant(request.uri().query());
    limit(State((of_grant, rate_limits)), address, request, next).await
}

fn limit_of_grant(query: Option<&str>) -> Limit {
    let mut pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    if pairs.any(|(name, value)| name == "grant_type" && value == "refresh_token") {
        REFRESH
    } else {
        EXCHANGE
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use axum::Router;
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use futures_util::future::join_all;
    use futures_util::poll;
    use tower::ServiceExt;

    use super::*;

    #[test]
    fn refreshing_has_a_limit_of_its_own() {
        for (query, limit) in [
            (Some("grant_type=pkce"), EXCHANGE),
            (Some("grant_type=refresh_token"), REFRESH),
            (Some("grant_type=refresh%5Ftoken"), REFRESH),
            (None, EXCHANGE),
        ] {
            assert_eq!(limit_of_grant(query), limit, "{query:?}");
        }
    }

    async fn ask(router: Router, address: &str) -> (StatusCode, bool) {
        let address: IpAddr = address.parse().expect("an address");
        let request = Request::builder().extension(ClientAddress(Some(address)));
        let request = request.body(Body::empty()).expect("a request");
        let response = router.oneshot(request).await.expect("a response");
        let retry = response.headers().contains_key("retry-after");
        (response.status(), retry)
    }

    #[tokio::test]
    async fn a_network_has_a_share_of_the_queue_and_the_rest_is_for_others() {
        let queue = database_queue(2);
        let router = Router::new().route("/", get(async || ()));
        let router = router.layer(from_fn_with_state(queue.clone(), wait));
        for neighbors in [["192.0.2.1", "192.0.2.200"], ["2001:db8::1", "2001:db8::2"]] {
            let [address, neighbor] = neighbors;
            let turn = queue.turn(None).await.expect("a turn");
            let crowd = (0..PLACES_PER_NETWORK).map(|_| ask(router.clone(), address));
            let mut crowd = Box::pin(join_all(crowd));
            assert!(poll!(&mut crowd).is_pending());
            let refused = ask(router.clone(), neighbor).await;
            assert_eq!(refused, (StatusCode::TOO_MANY_REQUESTS, true));
            let mut other = Box::pin(ask(router.clone(), "198.51.100.1"));
            assert!(poll!(&mut other).is_pending(), "another network waits");
            drop(turn);
            assert!(crowd.await.iter().all(|(status, _)| status.is_success()));
            assert!(other.await.0.is_success());
        }
    }
}
