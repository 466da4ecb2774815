//! `POST /token`: a code or a refresh token becomes a session's next tokens.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::auth::dialect::{AuthError, AuthProblem, AuthSession, AuthUser};
use crate::auth::grant::code;
use crate::auth::grant::refresh::{self, Credentials};
use crate::auth::refresh_token::rotation_id;
use crate::error::Error;
use crate::extract::{self, Query};
use crate::state::AppState;
use crate::store::sessions::Session;

/// Which exchange is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TokenQuery {
    /// `pkce` or `refresh_token`.
    grant_type: String,
}

/// What is exchanged.
#[derive(Deserialize, ToSchema)]
pub struct TokenRequest {
    /// The code that came back to the callback page, for `pkce`.
    auth_code: Option<String>,
    /// The verifier that its challenge was made from, for `pkce`.
    code_verifier: Option<String>,
    /// What the last answer had as `refresh_token`, for `refresh_token`.
    refresh_token: Option<String>,
}

/// Begins a session with a code, or continues one with a refresh token.
///
/// A page of our own origin gets the refresh token as a cookie that no script can read, and a name
/// of the session in its place.
#[utoipa::path(
    post,
    path = "/token",
    tag = "auth",
    params(TokenQuery),
    request_body = TokenRequest,
    responses(
        (status = 200, description = "The session and its new tokens", body = AuthSession),
        (status = 400, description = "The code or the token cannot be exchanged", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn token(
    State(state): State<AppState>,
    headers: HeaderMap,
    query: Result<Query<TokenQuery>, Error>,
    body: Result<extract::Json<TokenRequest>, Error>,
) -> Result<Response, AuthError> {
    let Query(query) = query?;
    let extract::Json(body) = body?;
    let caller = state.auth.origins.caller(&headers);
    let cookie = state.auth.page_cookie(caller, &headers);
    let session = match query.grant_type.as_str() {
        "pkce" => {
            let auth_code = required(body.auth_code.as_deref(), "auth_code")?;
            let verifier = required(body.code_verifier.as_deref(), "code_verifier")?;
            code::exchange(&state, caller, auth_code, verifier, cookie).await?
        }
        "refresh_token" => {
            let body = required(body.refresh_token.as_deref(), "refresh_token")?;
            refresh::refresh(&state, Credentials { body, cookie }).await?
        }
        _ => {
            return Err(Error::bad_request(
                "validation-failed",
                "grant_type must be pkce or refresh_token.",
            )
            .into());
        }
    };
    Ok(answer(&state, &session).await?)
}

/// The tokens of a session, in the mode that it is in.
async fn answer(state: &AppState, session: &Session) -> Result<Response, Error> {
    let now = state.clock.now();
    let profile = state
        .store
        .profile(&session.user_id)
        .await?
        .ok_or_else(Error::signed_out)?;
    let tokens = &state.auth.access_tokens;
    tokens.renew_keys(&state.store, now).await;
    let (access_token, expires_at) = tokens.issue(&profile, session, now)?;
    let real = state
        .auth
        .refresh_tokens
        .token(&session.id, session.counter);
    let mut headers = HeaderMap::from_iter([
        // RFC 6749, section 5.1.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::PRAGMA, HeaderValue::from_static("no-cache")),
    ]);
    let refresh_token = if session.cookie {
        let cookie = state.auth.cookie.set(&real, session.expires_at - now);
        headers.extend(cookie.map(|cookie| (header::SET_COOKIE, cookie)));
        rotation_id(&session.id, session.counter)
    } else {
        real
    };
    let body = AuthSession {
        access_token,
        token_type: "bearer",
        expires_in: expires_at - now,
        expires_at,
        refresh_token,
        user: AuthUser::of(&profile, session),
    };
    Ok((headers, Json(body)).into_response())
}

fn required<'a>(value: Option<&'a str>, name: &str) -> Result<&'a str, Error> {
    value
        .filter(|value| !value.is_empty())
        .ok_or_else(|| Error::bad_request("validation-failed", format!("{name} is missing.")))
}
