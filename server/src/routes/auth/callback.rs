//! `GET /callback/{provider}`: somebody comes back from a provider.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use super::redirect;
use crate::auth::dialect::{AuthError, AuthProblem};
use crate::auth::flow::{self, Answer};
use crate::auth::provider::Kind;
use crate::error::Error;
use crate::extract::{Path, Query};
use crate::state::AppState;

/// What a provider sends along (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207). Its own words for people are not
/// passed on: whoever made up an address could put any there.
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
#[utoipa::path(
    get,
    path = "/callback/{provider}",
    tag = "auth",
    params(("provider" = String, Path, description = "`twitter`, `google` or `github`"), CallbackQuery),
    responses(
        (status = 302, description = "To the page that began, with code, or with error, error_code and error_description",
            headers(("Location" = String))),
        (status = 404, description = "No such provider", body = AuthProblem, content_type = "application/problem+json"),
    )
)]
pub async fn callback(
    State(state): State<AppState>,
    Path(provider): Path<String>,
    headers: HeaderMap,
    query: Result<Query<CallbackQuery>, Error>,
) -> Result<Response, AuthError> {
    let kind = Kind::named(&provider)
        .ok_or_else(|| Error::NotFound("There is no such provider.".to_owned()))?;
    let Query(query) = query?;
    let answer = Answer {
        state: query.state.as_deref(),
        code: query.code,
        error: query.error.as_deref(),
        issuer: query.iss.as_deref(),
    };
    let arrival = flow::arrive(&state, kind, answer, &headers).await?;
    Ok(match arrival.outcome {
        Ok(code) => redirect::with_code(&arrival.address, &code),
        Err(error) => redirect::with_error(&arrival.address, error),
    })
}
