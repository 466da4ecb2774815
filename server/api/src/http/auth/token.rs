//! `POST /token`: a code or a refresh token becomes a session's next tokens, as `@supabase/auth-js` expects them.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::cookie::{Cookies, caller};
use super::user::AuthUser;
use crate::http::error::Error;
use crate::http::extract::{Json, Query};
use crate::sign_in::SignIn;
use crate::sign_in::grant::Granted;
use chain::clock::UnixTime;

/// Which exchange is asked for.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct TokenQuery {
    /// `pkce` or `refresh_token`.
    #[param(pattern = "^(pkce|refresh_token)$")]
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

/// The library's `Session`.
#[derive(Clone, Serialize, ToSchema)]
pub struct AuthSession {
    /// Goes into the Authorization header of every request.
    pub access_token: String,
    /// Always `bearer`.
    pub token_type: &'static str,
    /// How long the access token is valid, in seconds.
    pub expires_in: i64,
    /// Until when, unix seconds.
    pub expires_at: UnixTime,
    /// What the next refresh presents. In cookie mode it is only a name of the session and is worth
    /// nothing without the cookie.
    pub refresh_token: String,
    /// Who is signed in.
    pub user: AuthUser,
}

/// Begins a session with a code, or continues one with a refresh token.
///
/// A page of our own origin gets the refresh token as a cookie that no script can read, and a name
/// of the session in its place.
#[utoipa::path(post, path = "/api/auth/v1/token", tag = "auth",
    params(TokenQuery),
    request_body = TokenRequest,
    responses(
        (status = 200, description = "The session and its new tokens", body = AuthSession),
        (status = 400, description = "The code or the token cannot be exchanged"),
    ))]
pub async fn token(
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    headers: HeaderMap,
    jar: CookieJar,
    Query(query): Query<TokenQuery>,
    Json(body): Json<TokenRequest>,
) -> Result<Response, Error> {
    let caller = caller(&sign_in, &headers);
    let cookie = cookies.refresh_token(caller, &jar);
    let granted = match query.grant_type.as_str() {
        "pkce" => {
            let code = required(body.auth_code.as_deref(), "auth_code")?;
            let verifier = required(body.code_verifier.as_deref(), "code_verifier")?;
            sign_in.exchange(caller, code, verifier, cookie).await?
        }
        "refresh_token" => {
            let token = required(body.refresh_token.as_deref(), "refresh_token")?;
            sign_in.refresh(token, cookie).await?
        }
        _ => {
            return Err(Error::bad_request(
                "validation-failed",
                "grant_type must be pkce or refresh_token.",
            ));
        }
    };
    Ok(respond(cookies, jar, granted))
}

/// The tokens of a session, in the mode that it is in.
fn respond(cookies: Cookies, jar: CookieJar, granted: Granted) -> Response {
    let (session, now) = (&granted.session, granted.now);
    let user = AuthUser::from_profile(&granted.profile);
    let (jar, refresh_token) = if session.cookie {
        let lasts = session.expires_at - now;
        let cookie = cookies.session.set(&granted.refresh_token, lasts);
        (jar.add(cookie), granted.rotation_id)
    } else {
        (jar, granted.refresh_token)
    };
    let body = AuthSession {
        access_token: granted.access_token,
        token_type: "bearer",
        expires_in: granted.expires_at - now,
        expires_at: granted.expires_at,
        refresh_token,
        user,
    };
    // RFC 6749, section 5.1. All of the API is `no-store`.
    ([(header::PRAGMA, "no-cache")], jar, axum::Json(body)).into_response()
}

fn required<'a>(value: Option<&'a str>, name: &str) -> Result<&'a str, Error> {
    value
        .filter(|value| !value.is_empty())
        .ok_or_else(|| Error::bad_request("validation-failed", format!("{name} is missing.")))
}
