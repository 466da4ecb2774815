//! The web app as the server sends it: files embedded at build time, and pages whose head, and on the leaderboard
//! whose first rows, stand in the HTML already, for crawlers and for readers without scripts.

use std::sync::{Arc, LazyLock};

use axum::Router;
use axum::extract::{FromRef, Path, RawQuery, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use memory_serve::CacheControl;
use tower::ServiceExt;

mod answer;
mod board;
mod crawlers;
mod document;
mod head;

mod template;
mod words;
mod written;

use crate::board::person::Person;
use crate::http::card::Cards;
use crate::http::error::Error;
use crate::http::etag;
use head::Head;
pub use written::Pages;

/// Unpacked once for the whole process, however many servers run in it.
static FILES: LazyLock<Router> = LazyLock::new(|| {
    memory_serve::load!()
        .index_file(None)
        .enable_brotli(true)
        .enable_gzip(true)
        .cache_control(CacheControl::NoCache)
        .into_router()
});

/// A name in an address is no longer than this, in bytes: no provider has such names.
const MAX_NAME: usize = 200;

/// The pages and what belongs to them.
pub fn router<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Pages>: FromRef<S>,
    Arc<Cards>: FromRef<S>,
{
    Router::new()
        .route("/", get(to_leaderboard))
        .route("/index.html", get(to_leaderboard))
        .route("/leaderboard", get(leaderboard))
        // what social networks show beside a shared link
        .route("/card/{file}", get(card))
        .route("/robots.txt", get(crawlers::robots))
        .route("/sitemap.xml", get(crawlers::sitemap))
        .fallback(file_or_page)
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

/// The leaderboard, with the person in its head whom a shared link names. Without a database it is the bare app,
/// which says what is wrong.
async fn leaderboard(
    State(pages): State<Arc<Pages>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let board = if is_filtered(query.as_deref()) {
        // Other rows than the first ones, which the app fetches.
        None
    } else {
        pages.board().await
    };
    let head = match named(&pages, shared_name(query.as_deref()).as_deref()).await {
        Some(person) => Head::of_person(&person),
        None => Head::of_path("/leaderboard"),
    };
    let page = pages.page(head, board).await;
    answer::page(&page, &headers)
}

/// Whether the address asks for some rows alone (`web/src/features/leaderboard/search.ts`).
fn is_filtered(query: Option<&str>) -> bool {
    let query = query.unwrap_or_default().as_bytes();
    url::form_urlencoded::parse(query).any(|(name, value)| match &*name {
        "q" => !value.is_empty(),
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
    Path(file): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let name = file
        .strip_suffix(".png")
        .ok_or_else(|| Error::NotFound("There is no such card.".to_owned()))?;
    let person = named(&pages, Some(name)).await;
    let card = cards.card(person).await;
    let card = card.map_err(|error| Error::Internal(error.to_string()))?;
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

/// A file of the web app. Any other address gets the app itself, which knows its routes.
async fn file_or_page(State(pages): State<Arc<Pages>>, request: Request) -> Response {
    if request.method() != Method::GET && request.method() != Method::HEAD {
        return Error::MethodNotAllowed.into_response();
    }
    let (uri, headers) = (request.uri().clone(), request.headers().clone());
    let Ok(file) = FILES.clone().oneshot(request).await;
    if file.status() != StatusCode::NOT_FOUND {
        return cached(&uri, file);
    }
    if is_asset(&uri) {
        // A file of another release: the app itself would be taken for a script.
        return Error::NotFound("There is no such file.".to_owned()).into_response();
    }
    let page = pages.page(Head::of_path(uri.path()), None).await;
    answer::page(&page, &headers)
}

/// Files below /assets carry a hash of their content in their name, so they never change.
fn cached(uri: &Uri, mut file: Response) -> Response {
    if is_asset(uri) {
        file.headers_mut().insert(
            header::CACHE_CONTROL,
            HeaderValue::from_static("public, max-age=31536000, immutable"),
        );
    }
    file
}

fn is_asset(uri: &Uri) -> bool {
    uri.path().starts_with("/assets/")
}
