//! `GET /authorize`: a sign-in begins, at a provider or, with the mock, at once.

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::Cookies;
use super::redirect;
use crate::http::error::Error;
use crate::http::extract::Query;
use crate::sign_in::SignIn;
use crate::sign_in::flow::{AuthorizeRequest, LIFETIME, Redirect};

/// What the client library sends. Anything else that it sends is ignored.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AuthorizeQuery {
    /// The name of a provider that is on; the settings have them all.
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
#[utoipa::path(get, path = "/authorize", tag = "auth",
    params(AuthorizeQuery),
    responses(
        (status = 302, description = "To the provider; or to redirect_to with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 400, description = "redirect_to is not on the list"),
    ))]
pub async fn authorize(
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    jar: CookieJar,
    Query(query): Query<AuthorizeQuery>,
) -> Result<Response, Error> {
    let target = sign_in.target(query.redirect_to.as_deref())?;
    let request = AuthorizeRequest {
        provider: query.provider.as_deref().unwrap_or_default(),
        target: &target,
        code_challenge: query.code_challenge.as_deref(),
        code_challenge_method: query.code_challenge_method.as_deref(),
    };
    let browser = cookies.sign_in.read(&jar);
    Ok(match sign_in.authorize(request, browser).await {
        Ok(Redirect::ToTarget(code)) => redirect::with_code(&target.address, &code),
        Ok(Redirect::ToProvider { url, browser }) => {
            let cookie = cookies.sign_in.set(&browser, LIFETIME);
            (jar.add(cookie), redirect::to(url.as_str())).into_response()
        }
        Err(error) => redirect::with_error(&target.address, error.into()),
    })
}
