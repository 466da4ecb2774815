//! Limits of requests by client address, as a layer that routes declare.

use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::{Extension, RequestExt};
use utoipa_axum::router::OpenApiRouter;

use crate::config::ProxyConfig;
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::limits::network::customer_of;
use crate::limits::{EXCHANGE, Limit, REFRESH, RateLimits};

/// What counting by address takes, as an extension of every request.
#[derive(Clone, Debug)]
pub struct ByAddress {
    pub rate_limits: Arc<RateLimits>,
    pub proxies: Arc<ProxyConfig>,
}

/// Refuses requests for these routes from addresses that have sent too many of this kind.
pub fn limited<S: Clone + Send + Sync + 'static>(
    limit: Limit,
    routes: OpenApiRouter<S>,
) -> OpenApiRouter<S> {
    limited_by(move |_| limit, routes)
}

/// Limits how often tokens are asked for: refreshing has a limit of its own.
pub fn limited_by_grant<S: Clone + Send + Sync + 'static>(
    routes: OpenApiRouter<S>,
) -> OpenApiRouter<S> {
    limited_by(grant_limit, routes)
}

fn limited_by<S: Clone + Send + Sync + 'static>(
    limit: impl Fn(Option<&str>) -> Limit + Copy + Send + Sync + 'static,
    routes: OpenApiRouter<S>,
) -> OpenApiRouter<S> {
    routes.layer(middleware::from_fn(
        move |by_address, request: Request, next| {
            let limit = limit(request.uri().query());
            admit(limit, by_address, request, next)
        },
    ))
}

/// A client whose address is unknown is let in: it is on this machine, or behind a proxy that is not trusted.
async fn admit(
    limit: Limit,
    Extension(ByAddress {
        rate_limits,
        proxies,
    }): Extension<ByAddress>,
    mut request: Request,
    next: Next,
) -> Response {
    let Ok(ClientAddress(address)) = request.extract_parts_with_state(&proxies).await;
    if let Some(address) = address
        && let Err(error) = rate_limits.admit(limit, &customer_of(address)).await
    {
        return Error::from(error).into_response();
    }
    next.run(request).await
}

fn grant_limit(query: Option<&str>) -> Limit {
    let mut pairs = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    if pairs.any(|(name, value)| name == "grant_type" && value == "refresh_token") {
        REFRESH
    } else {
        EXCHANGE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refreshing_has_a_limit_of_its_own() {
        for (query, limit) in [
            (Some("grant_type=pkce"), EXCHANGE),
            (Some("grant_type=refresh_token"), REFRESH),
            (Some("grant_type=refresh%5Ftoken"), REFRESH),
            (None, EXCHANGE),
        ] {
            assert_eq!(grant_limit(query), limit, "{query:?}");
        }
    }
}
