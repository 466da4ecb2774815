//! `GET /authorize`: a sign-in begins, at a provider or, with the mock, at once.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::redirect;
use crate::auth::dialect::{AuthError, AuthProblem};
use crate::auth::flow::{self, Wish};
use crate::auth::origin::Target;
use crate::auth::pkce;
use crate::auth::provider::Choice;
use crate::error::Error;
use crate::extract::Query;
use crate::state::AppState;

/// What the client library sends. Anything else that it sends is ignored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuthorizeQuery {
    /// `twitter`, `google`, `github` or, in development mode, `mock`.
    provider: Option<String>,
    /// Where to go afterwards: an address of the list, by default this site's own /auth/callback.
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
        (status = 302, description = "To the provider; or to redirect_to with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 400, description = "redirect_to is not on the list", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn authorize(
    State(state): State<AppState>,
    headers: HeaderMap,
    query: Result<Query<AuthorizeQuery>, Error>,
) -> Result<Response, AuthError> {
    let Query(query) = query?;
    let origins = &state.auth.origins;
    let target = origins.redirect_target(query.redirect_to.as_deref())?;
    let address = target.address.clone();
    let begun = begin(&state, &query, target, &headers).await;
    Ok(begun.unwrap_or_else(|error| redirect::with_error(&address, error)))
}

async fn begin(
    state: &AppState,
    query: &AuthorizeQuery,
    target: Target,
    headers: &HeaderMap,
) -> Result<Response, Error> {
    let name = query.provider.as_deref().unwrap_or_default();
    let choice = state.auth.providers.choose(name)?;
    let code_challenge = pkce::challenge(
        query.code_challenge.as_deref(),
        query.code_challenge_method.as_deref(),
    )?;
    match choice {
        Choice::Mock(identity) => {
            let code = flow::admit(state, &identity, code_challenge, target.own).await?;
            Ok(redirect::with_code(&target.address, &code))
        }
        Choice::Elsewhere(provider) => {
            let wish = Wish {
                target,
                code_challenge,
            };
            let departure = flow::depart(state, provider, wish, headers).await?;
            Ok(redirect::to(departure.url.as_str(), departure.cookie))
        }
    }
}
