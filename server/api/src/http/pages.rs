//! The web app as the server sends it: files embedded at build time, and pages with their own head. The leaderboard brings its first
//! rows as data for the app, and as a plain table for crawlers and for readers without scripts.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, Path, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

mod content;
mod crawlers;
mod document;
mod embed;
mod files;
mod head;
mod verify;
mod written;

use crate::board::person::Person;
use crate::config::ProxyConfig;
use crate::http::card::{CardError, Cards};
use crate::http::client_address::ClientAddress;
use crate::http::error::{Error, method_not_allowed};
use crate::http::etag;
use head::Head;
use store::Store;
pub use written::Pages;

/// How long to wait when too many cards are drawn, in seconds.
const RETRY: i64 = 2;

/// A name in an address is no longer than this, in bytes: no provider has such names.
const MAX_NAME: usize = 200;

/// The pages and what belongs to them.
pub fn router<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Pages>: FromRef<S>,
    Arc<Cards>: FromRef<S>,
    Arc<ProxyConfig>: FromRef<S>,
    Store: FromRef<S>,
{
    Router::new()
        .route("/", get(to_leaderboard))
        .route("/index.html", get(to_leaderboard))
        .route("/leaderboard", get(leaderboard))
        .route("/privacy", get(|| to("/privacy-policy")))
        .route("/terms", get(|| to("/terms-of-service")))
        // what social networks show beside a shared link
        .route("/card/{file}", get(card))
        .route("/verify", get(verify::page))
        .route("/verify/{id}", get(verify::of_proof))
        .route("/verify/", get(verify::with_slash))
        .route("/verify/{id}/", get(verify::with_slash))
        .route("/verify.html", get(verify::file))
        .route("/prove", get(verify::prove))
        .route("/prove/ask", get(verify::prove))
        .route("/prove/", get(verify::with_slash))
        .route("/prove/ask/", get(verify::with_slash))
        .route("/prove.html", get(verify::prove_file))
        // what stands in pages of others
        .route("/badge/{file}", get(badge))
        .route("/embed", get(embedded))
        .route("/robots.txt", get(crawlers::robots))
        .route("/sitemap.xml", get(crawlers::sitemap))
        .fallback(get(file_or_page).fallback(method_not_allowed))
}

/// The front page is the leaderboard (specification, section 2). What stands behind the address goes along.
async fn to_leaderboard(RawQuery(query): RawQuery) -> Response {
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let Ok(location) = HeaderValue::try_from(format!("/leaderboard{query}")) else {
        return StatusCode::BAD_REQUEST.into_response();
    };
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    (StatusCode::TEMPORARY_REDIRECT, headers).into_response()
}

/// Another name of a page.
async fn to(page: &'static str) -> Redirect {
    Redirect::permanent(page)
}

/// The leaderboard, with the person in its head whom a shared link names. Without a database it is the bare app,
/// which says what is wrong.
async fn leaderboard(
    State(pages): State<Arc<Pages>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let head = match named(&pages, shared_name(query.as_deref()).as_deref()).await {
        Some(person) => Head::of_person(&person),
        None => Head::of_path("/leaderboard"),
    };
    let page = if is_filtered(query.as_deref()) {
        // Other rows than the first ones, which the app fetches.
        pages.page("/leaderboard", head).await
    } else {
        pages.board(head).await
    };
    page.response(&headers)
}

/// Whether the address asks for some rows alone (`web/src/features/leaderboard/search.ts`).
fn is_filtered(query: Option<&str>) -> bool {
    let query = query.unwrap_or_default().as_bytes();
    url::form_urlencoded::parse(query).any(|(name, value)| match &*name {
        "q" | "tier" => !value.is_empty(),
        "verified" => value == "1",
        _ => false,
    })
}

/// Whom `?u=` names.
fn shared_name(query: Option<&str>) -> Option<String> {
    url::form_urlencoded::parse(query?.as_bytes())
        .find(|(name, _)| name == "u")
        .map(|(_, value)| value.into_owned())
}

async fn named(pages: &Pages, name: Option<&str>) -> Option<Person> {
    let name =
        name.filter(|name| !name.is_empty() && name.len() <= MAX_NAME && !name.contains('\0'))?;
    pages.person(name).await
}

/// The card of whoever the file is named after, or of the board.
async fn card(
    State(pages): State<Arc<Pages>>,
    State(cards): State<Arc<Cards>>,
    ClientAddress(address): ClientAddress,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let name = file
        .strip_suffix(".png")
        .ok_or_else(|| Error::not_found("There is no such card."))?;
    let person = named(&pages, Some(name)).await;
    let card = cards.card(person, address).await;
    let card = card.map_err(|error| match error {
        CardError::Busy(too_many) => Error::no_place(too_many, RETRY),
        _ => Error::internal(error),
    })?;
    let kept = [
        (header::ETAG, etag::header(&card.tag)),
        (
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=300"),
        ),
        // Made to be shown elsewhere.
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            HeaderValue::from_static("cross-origin"),
        ),
    ];
    if etag::has_one_of(&headers, [card.tag.as_str()]) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("image/png"))];
    Ok((kept, kind, card.png.clone()).into_response())
}

/// The badge of whoever the file is named after.
async fn badge(
    State(pages): State<Arc<Pages>>,
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let nobody = || Error::not_found("There is no such badge.");
    let name = file.strip_suffix(".svg").ok_or_else(nobody)?;
    let person = named(&pages, Some(name)).await.ok_or_else(nobody)?;
    embed::badge(&person, &headers)
}

/// The row of whoever `?u=` names, for pages of others.
async fn embedded(
    State(pages): State<Arc<Pages>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let name = shared_name(query.as_deref()).unwrap_or_default();
    let person = named(&pages, Some(&name)).await;
    embed::row(pages.origin(), &name, person.as_ref(), &headers)
}

/// A file of the web app. Any other address gets the app itself, which leads from those that it does not know to the front
/// page; programs are told so by the status (decisions, D18).
async fn file_or_page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    let (uri, mut headers) = (request.uri(), request.headers().clone());
    if let Some(file) = files::at(uri.path()) {
        return file.response(&headers).await.into_response();
    }
    if files::is_asset(uri.path()) {
        // A file of another release: the app itself would be taken for a script.
        return Error::not_found("There is no such file.").into_response();
    }
    let page = pages.page(uri.path(), Head::of_path(uri.path())).await;
    if head::is_page(uri.path()) {
        return page.response(&headers);
    }
    // Whoever has it already is told all the same.
    headers.remove(header::IF_NONE_MATCH);
    (StatusCode::NOT_FOUND, page.response(&headers)).into_response()
}
