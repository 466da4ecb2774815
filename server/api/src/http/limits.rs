//! Requests of limited kinds, counted by the address that they come from.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::auth::error::AuthError;
use crate::http::client_address::ClientAddress;
use crate::http::error::Error;
use crate::limits::network::network_of;
use crate::limits::{
    AUTHORIZE, BOARD_EXPORT, CALLBACK, CLIENT_LOG, EXCHANGE, Limit, LimitError, REFRESH, RateLimits,
};

impl From<LimitError> for Error {
    fn from(error: LimitError) -> Self {
        match error {
            LimitError::TooMany { retry_after } => Self::TooManyRequests { retry_after },
            LimitError::Busy { retry_after } => Self::Busy { retry_after },
            LimitError::Database(error) => error.into(),
        }
    }
}

/// Refuses requests of limited kinds from addresses that have sent too many. A sender whose address is unknown is
/// let in: it is on this machine, or behind a proxy that nobody has set up to be believed.
pub async fn by_address(
    State(limits): State<Arc<RateLimits>>,
    ClientAddress(address): ClientAddress,
    request: Request,
    next: Next,
) -> Response {
    let Some((limit, address)) = limit_of(request.uri()).zip(address) else {
        return next.run(request).await;
    };
    match limits.admit(limit, &network_of(address)).await {
        Ok(()) => next.run(request).await,
        // In the words of the family.
        Err(error) if [CLIENT_LOG, BOARD_EXPORT].contains(&limit) => {
            Error::from(error).into_response()
        }
        Err(error) => AuthError::from(error).into_response(),
    }
}

/// What the layer of the API counts. Paths are those below `/api`.
fn limit_of(uri: &Uri) -> Option<Limit> {
    match uri.path() {
        "/auth/v1/authorize" => Some(AUTHORIZE),
        "/auth/v1/token" if refreshes(uri) => Some(REFRESH),
        "/auth/v1/token" => Some(EXCHANGE),
        "/functions/v1/client-log" => Some(CLIENT_LOG),
        "/functions/v1/board.csv" | "/functions/v1/board.json" => Some(BOARD_EXPORT),
        path if path.starts_with("/auth/v1/callback") => Some(CALLBACK),
        _ => None,
    }
}

fn refreshes(uri: &Uri) -> bool {
    let query = uri.query().unwrap_or_default();
    url::form_urlencoded::parse(query.as_bytes())
        .any(|(name, value)| name == "grant_type" && value == "refresh_token")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted() {
        for (uri, limit) in [
            ("/auth/v1/authorize?provider=twitter", Some(AUTHORIZE)),
            ("/auth/v1/token?grant_type=pkce", Some(EXCHANGE)),
            ("/auth/v1/token?grant_type=refresh_token", Some(REFRESH)),
            ("/auth/v1/token?grant_type=refresh%5Ftoken", Some(REFRESH)),
            ("/auth/v1/token", Some(EXCHANGE)),
            ("/auth/v1/callback?code=1", Some(CALLBACK)),
            ("/functions/v1/client-log", Some(CLIENT_LOG)),
            ("/functions/v1/board.csv", Some(BOARD_EXPORT)),
            ("/functions/v1/board.json", Some(BOARD_EXPORT)),
            ("/functions/v1/board-summary", None),
            ("/auth/v1/user", None),
            ("/rest/v1/profiles", None),
        ] {
            assert_eq!(limit_of(&uri.parse().unwrap()), limit, "{uri}");
        }
    }
}
