//! `GET /callback/{provider}`: the redirect back from a provider.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use axum_extra::extract::CookieJar;
use serde::Deserialize;
use utoipa::IntoParams;

use super::cookie::Cookies;
use super::redirect;
use crate::http::error::Error;
use crate::http::extract::{Path, Query};
use crate::sign_in::SignIn;
use crate::sign_in::flow::CallbackParams;

/// What a provider sends along (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207). Its own words for people are not
/// passed on: anyone can make up an address with any words in it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CallbackQuery {
    /// What the browser left with.
    state: Option<String>,
    /// What stands for the person's consent.
    code: Option<String>,
    /// Why there is no code.
    error: Option<String>,
    /// Who says so.
    iss: Option<String>,
}

/// Completes a sign-in at a provider. Each provider has its own address here, to be registered there exactly.
#[utoipa::path(get, path = "/callback/{provider}", tag = "auth",
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
    let params = CallbackParams {
        state: query.state.as_deref(),
        code: query.code.as_deref(),
        error: query.error.as_deref(),
        issuer: query.iss.as_deref(),
    };
    let browser = cookies.sign_in.read(&jar);
    let callback = sign_in.callback(&provider, params, browser).await?;
    Ok(match callback.outcome {
        Ok(code) => redirect::with_code(&callback.redirect_to, &code),
        Err(error) => redirect::with_error(&callback.redirect_to, error.into()),
    })
}
