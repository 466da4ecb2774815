//! The web app as the server sends it: files embedded at build time, and pages with their own head. The leaderboard contains its first
//! rows as data for the app, and as a plain table for crawlers and readers without scripts.

use std::sync::Arc;

use axum::Router;
use axum::extract::{FromRef, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::middleware::from_fn;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;

mod content;
mod crawlers;
mod document;
mod embed;
mod files;
mod head;
mod render;
mod verify;

use crate::http::cache;
use crate::http::card::Cards;
use crate::http::client_address::ClientAddress;
use crate::http::encoding;
use crate::http::error::{Error, method_not_allowed};
use crate::http::etag;
use crate::http::headers::CROSS_ORIGIN;
use crate::http::limits::wait;
use head::{Head, PAGES};
pub use render::Pages;
use store::Store;

/// For what other sites put into their pages: cached for a while, and loaded from any origin.
const FOR_OTHER_SITES: [(HeaderName, &str); 2] =
    [(header::CACHE_CONTROL, "public, max-age=300"), CROSS_ORIGIN];

/// The pages and their files.
pub fn router<S>() -> Router<S>
where
    S: Clone + Send + Sync + 'static,
    Arc<Pages>: FromRef<S>,
    Arc<Cards>: FromRef<S>,
    Store: FromRef<S>,
{
    let cached = PAGES
        .into_iter()
        .fold(Router::new(), |router, page| {
            let router = router.route(page, get(app_page));
            router.route(&format!("{page}/"), get(app_page))
        })
        .route("/leaderboard", get(leaderboard))
        // what other sites put into their pages
        .route("/badge/{file}", get(badge))
        .route("/embed", get(embedded))
        .layer(encoding::compression())
        .layer(from_fn(cache::cached));
    let bare = Router::new()
        .route("/verify", get(verify::page))
        .route("/verify/{id}", get(verify::of_proof).layer(from_fn(wait)))
        .route("/prove", get(verify::prove))
        .route("/prove/ask", get(verify::prove))
        .layer(encoding::compression())
        .layer(from_fn(etag::tag));
    Router::new()
        .merge(cached)
        .merge(bare)
        .route("/verify/", get(verify::with_slash))
        .route("/verify/{id}/", get(verify::with_slash))
        .route("/verify.html", get(|| temporarily_to("/verify")))
        .route("/prove/", get(verify::with_slash))
        .route("/prove/ask/", get(verify::with_slash))
        .route("/prove.html", get(|| temporarily_to("/prove")))
        .route("/", get(to_leaderboard))
        .route("/index.html", get(to_leaderboard))
        .route("/privacy", get(|| to("/privacy-policy")))
        .route("/terms", get(|| to("/terms-of-service")))
        // what social networks show for a shared link
        .route("/card/{file}", get(card))
        .route("/robots.txt", get(crawlers::robots))
        .route("/sitemap.xml", get(crawlers::sitemap))
        .method_not_allowed_fallback(method_not_allowed)
        .fallback(get(file_or_not_found).fallback(method_not_allowed))
}

/// The front page is the leaderboard (specification, section 2). The query goes along.
async fn to_leaderboard(RawQuery(query): RawQuery) -> impl IntoResponse {
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let redirect = Redirect::temporary(&format!("/leaderboard{query}"));
    ([(header::CACHE_CONTROL, "no-cache")], redirect)
}

/// Another name of a page.
async fn to(page: &'static str) -> Redirect {
    Redirect::permanent(page)
}

/// The file of a page, which would be sent without the page's policy.
async fn temporarily_to(page: &'static str) -> Redirect {
    Redirect::temporary(page)
}

/// The leaderboard. Its head names the holder of a shared link.
async fn leaderboard(
    State(pages): State<Arc<Pages>>,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let shared = shared_name(query.as_deref()).unwrap_or_default();
    let head = match pages.person(&shared).await {
        Some(person) => Head::of_person(&person),
        None => Head::of_path("/leaderboard"),
    };
    let content = match is_filtered(query.as_deref()) {
        false => pages.first_rows().await?,
        // The app fetches other rows than the first ones.
        true => String::new(),
    };
    pages.page("/leaderboard", &head, &content)
}

/// Whether the address asks for only some of the rows (`web/src/features/leaderboard/use-board-search.ts`).
fn is_filtered(query: Option<&str>) -> bool {
    let query = query.unwrap_or_default().as_bytes();
    url::form_urlencoded::parse(query).any(|(name, value)| match &*name {
        "q" | "tier" => !value.is_empty(),
        "verified" => value == "1",
        _ => false,
    })
}

/// The name in `?u=`.
fn shared_name(query: Option<&str>) -> Option<String> {
    url::form_urlencoded::parse(query?.as_bytes())
        .find(|(name, _)| name == "u")
        .map(|(_, value)| value.into_owned())
}

/// A page without rows.
async fn app_page(State(pages): State<Arc<Pages>>, uri: Uri) -> Result<Response, Error> {
    let content = pages.prose(uri.path())?;
    pages.page(uri.path(), &Head::of_path(uri.path()), &content)
}

/// The card of the holder that the file is named after, or of the board.
async fn card(
    State(pages): State<Arc<Pages>>,
    State(cards): State<Arc<Cards>>,
    ClientAddress(address): ClientAddress,
    Path(file): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let missing = || Error::not_found("There is no such card.");
    let name = file.strip_suffix(".png").ok_or_else(missing)?;
    let person = pages.person(name).await;
    let card = cards.card(person, address).await?;
    let headers = [
        (header::ETAG, card.tag.clone()),
        (header::CONTENT_TYPE, HeaderValue::from_static("image/png")),
    ];
    Ok((FOR_OTHER_SITES, headers, card.png.clone()))
}

/// The badge of the holder that the file is named after.
async fn badge(
    State(pages): State<Arc<Pages>>,
    Path(file): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let missing = || Error::not_found("There is no such badge.");
    let name = file.strip_suffix(".svg").ok_or_else(missing)?;
    let person = pages.person(name).await.ok_or_else(missing)?;
    let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
    Ok((FOR_OTHER_SITES, kind, embed::badge(&person)?))
}

/// The row of the holder that `?u=` names, for other sites; 404, and still a page, when no one has the name.
async fn embedded(
    State(pages): State<Arc<Pages>>,
    RawQuery(query): RawQuery,
) -> Result<impl IntoResponse, Error> {
    let name = shared_name(query.as_deref()).unwrap_or_default();
    let person = pages.person(&name).await;
    let html = embed::row(&pages.origin, &name, person.as_ref())?;
    let status = match person {
        Some(_) => StatusCode::OK,
        None => StatusCode::NOT_FOUND,
    };
    let policy = [(header::CONTENT_SECURITY_POLICY, embed::POLICY)];
    Ok((status, FOR_OTHER_SITES, policy, Html(html)))
}

/// A file of the web app. Any other address gets the app itself, which leads from those that it does not know to the front
/// page; programs learn it by the status (decisions, D18).
async fn file_or_not_found(
    State(pages): State<Arc<Pages>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if let Some(file) = files::at(uri.path()) {
        return file.response(&headers).await;
    }
    if files::is_asset(uri.path()) {
        // A file of another release: the app itself would be taken for a script.
        return Err(Error::not_found("There is no such file."));
    }
    let page = pages.page(uri.path(), &Head::of_path(uri.path()), "")?;
    Ok((StatusCode::NOT_FOUND, page).into_response())
}
