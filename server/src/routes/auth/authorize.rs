//! `GET /authorize`: a sign-in begins, and ends on the callback page with a code or an error.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use url::form_urlencoded;
use utoipa::IntoParams;

use crate::auth::dialect::{AuthError, AuthProblem};
use crate::auth::pkce::{self, NewCode};
use crate::auth::provider;
use crate::development;
use crate::error::Error;
use crate::extract::Query;
use crate::state::AppState;
use crate::store::sessions::AuthCode;

/// What the client library sends. Anything else that it sends is ignored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuthorizeQuery {
    /// `twitter`, `google`, `github` or, in development mode, `mock`.
    provider: Option<String>,
    /// Where to go afterwards: this site's own /auth/callback address, which is also the default.
    redirect_to: Option<String>,
    /// SHA-256 of the verifier, base64url (RFC 7636, section 4.2).
    code_challenge: Option<String>,
    /// Always `s256`.
    code_challenge_method: Option<String>,
}

/// Begins a sign-in.
///
/// Errors go back to the page that asked, unless it asks for an address that is not on the list.
#[utoipa::path(
    get,
    path = "/authorize",
    tag = "auth",
    params(AuthorizeQuery),
    responses(
        (status = 302, description = "To redirect_to with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 400, description = "redirect_to is not on the list", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn authorize(
    State(state): State<AppState>,
    query: Result<Query<AuthorizeQuery>, Error>,
) -> Result<Response, AuthError> {
    let Query(query) = query?;
    let origins = &state.auth.origins;
    let target = origins.redirect_target(query.redirect_to.as_deref())?;
    Ok(match begin(&state, &query).await {
        Ok(code) => redirect(&target, &[("code", &code)]),
        Err(error) => {
            error.log();
            let error = AuthError::from(error);
            redirect(
                &target,
                &[
                    ("error", oauth_error(error.inner())),
                    ("error_code", &error.code()),
                    ("error_description", &error.inner().to_string()),
                ],
            )
        }
    })
}

/// Signs somebody in and makes the code that carries it back.
async fn begin(state: &AppState, query: &AuthorizeQuery) -> Result<String, Error> {
    let provider = query.provider.as_deref().unwrap_or_default();
    let identity = provider::identify(&state.config, provider)?;
    let code_challenge = pkce::challenge(
        query.code_challenge.as_deref(),
        query.code_challenge_method.as_deref(),
    )?;
    let now = state.clock.now();
    let profile = state.store.sign_in(&identity, now).await?;
    if let Some(chain) = &state.development_chain {
        development::fund_account(chain, &profile.id);
    }
    state.live.changed();
    let new = NewCode::generate();
    let code = AuthCode {
        code_hash: new.hash,
        user_id: profile.id,
        code_challenge,
        // Every address on the list is our own so far.
        cookie: true,
        expires_at: now + pkce::CODE_LIFETIME,
    };
    state.store.add_auth_code(&code, now).await?;
    Ok(new.code)
}

/// The error names of RFC 6749, section 4.1.2.1.
fn oauth_error(error: &Error) -> &'static str {
    match error {
        Error::BadRequest { .. } => "invalid_request",
        Error::Unavailable { .. } => "temporarily_unavailable",
        _ => "server_error",
    }
}

/// To an address of the list, which has no query of its own.
fn redirect(target: &str, parameters: &[(&str, &str)]) -> Response {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    let location = format!("{target}?{query}");
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}
