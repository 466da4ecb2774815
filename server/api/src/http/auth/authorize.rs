//! Sign-in at a provider: `GET /authorize` begins it (with the mock it also ends it), and `GET /callback/{provider}` is the redirect back.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum_extra::extract::CookieJar;
use url::form_urlencoded;

use super::cookie::Cookies;
use super::error::{code, oauth_name};
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::sign_in::SignIn;
use crate::sign_in::flow::{AuthorizeRequest, CallbackQuery, LIFETIME, Redirect};

/// Begins a sign-in.
///
/// Errors go back to the page that asked, unless it asks for an address that is not on the list.
#[utoipa::path(get, path = "/api/auth/v1/authorize", tag = "auth",
    params(AuthorizeRequest),
    responses(
        (status = 302, description = "To the provider; or to redirect_to with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 400, description = "redirect_to is not on the list"),
    ))]
pub async fn authorize(
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    jar: CookieJar,
    Query(request): Query<AuthorizeRequest>,
) -> Result<Response, Error> {
    let browser = cookies.sign_in.get(&jar);
    let begun = sign_in.authorize(&request, browser).await?;
    Ok(match begun.outcome {
        Ok(Redirect::ToTarget(code)) => with_query(&begun.redirect_to, &[("code", &code)]),
        Ok(Redirect::ToProvider { url, browser }) => {
            let cookie = cookies.sign_in.set(&browser, LIFETIME);
            (jar.add(cookie), redirect_to(url.as_str())).into_response()
        }
        Err(error) => with_error(&begun.redirect_to, error.into()),
    })
}

/// Completes a sign-in at a provider. Each provider has its own address here, to be registered there exactly.
#[utoipa::path(get, path = "/api/auth/v1/callback/{provider}", tag = "auth",
    params(("provider" = String, Path, description = "The name of a provider"), CallbackQuery),
    responses(
        (status = 302, description = "To the page that began, with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 404, description = "No such provider"),
    ))]
pub async fn callback(
    State(sign_in): State<Arc<SignIn>>,
    State(cookies): State<Cookies>,
    Path(provider): Path<String>,
    jar: CookieJar,
    Query(query): Query<CallbackQuery>,
) -> Result<Response, Error> {
    let browser = cookies.sign_in.get(&jar);
    let callback = sign_in.callback(&provider, query, browser).await?;
    Ok(match callback.outcome {
        Ok(code) => with_query(&callback.redirect_to, &[("code", &code)]),
        Err(error) => with_error(&callback.redirect_to, error.into()),
    })
}

/// A redirect to a page that waits for a code, and gets none.
fn with_error(address: &str, error: Error) -> Response {
    error.record_cause();
    with_query(
        address,
        &[
            ("error", oauth_name(&error)),
            ("error_code", &code(&error)),
            ("error_description", &error.message),
        ],
    )
}

/// A redirect to any address that this server has made.
fn redirect_to(location: &str) -> Response {
    (StatusCode::FOUND, [(header::LOCATION, location)]).into_response()
}

/// A redirect to a page that waits for a code. The address is one of the list, which has no query of its own.
fn with_query(address: &str, parameters: &[(&str, &str)]) -> Response {
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    redirect_to(&format!("{address}?{query}"))
}
