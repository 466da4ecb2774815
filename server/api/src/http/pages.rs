//! The web app as the server sends it: files embedded at build time, and pages with their own head. The leaderboard contains its first
//! rows as data for the app, and as a plain table for crawlers and readers without scripts.

use std::net::IpAddr;
use std::sync::Arc;

use super::card::Cards;
use super::client_address::ClientAddress;
use super::error::Error;
use super::headers::CROSS_ORIGIN;
use crate::board::person::Person;
use crate::board::refresh::NumberedBoard;
use crate::board::{Board, BoardError};
use crate::config::Config;
use crate::pictures::Pictures;
use crate::price::Price;
use axum::body::Bytes;
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use chain::Chain;
use content::Site;
use document::Document;
use head::{Head, listed};

mod content;
mod document;
mod embed;
mod files;
mod head;
pub mod verify;

pub use head::app_pages;

/// For what other sites put into their pages: cached for a while, and loaded from any origin.
const FOR_OTHER_SITES: [(HeaderName, &str); 2] =
    [(header::CACHE_CONTROL, "public, max-age=300"), CROSS_ORIGIN];

/// A name in an address is no longer than this, in bytes: no provider has such names.
const MAX_NAME: usize = 200;

/// The pages of one server.
#[derive(Debug)]
pub struct Pages {
    /// The address that people use.
    origin: String,
    site: Site,
    board: Arc<Board>,
    price: Arc<Price>,
    /// The name of the chain that is followed.
    network: &'static str,
    document: Document,
    /// Preview pictures of shared links.
    pub cards: Cards,
}

impl Pages {
    pub fn new(
        config: &Config,
        board: Arc<Board>,
        price: Arc<Price>,
        pictures: Arc<Pictures>,
        chain: &Chain,
    ) -> Self {
        Self {
            origin: config.origin(),
            site: Site {
                legal: config.legal.clone(),
            },
            board,
            price,
            network: chain.network_name(),
            document: Document::embedded(),
            cards: Cards::new(&config.origin(), pictures),
        }
    }

    /// The person that a link names; nobody while the database fails.
    async fn person(&self, name: &str) -> Option<Person> {
        if name.is_empty() || name.len() > MAX_NAME || name.contains('\0') {
            return None;
        }
        let person = self
            .board
            .person(self.network, name)
            .await
            .map_err(Error::from);
        person.inspect_err(Error::record_cause).ok().flatten()
    }

    /// The card of the person that a link names, or of the board.
    async fn card(&self, name: &str, address: Option<IpAddr>) -> Result<Bytes, Error> {
        let person = self.person(name).await;
        self.cards.card(person, address).await
    }

    /// The first rows of the leaderboard. Without a database the page is the bare app, which says what is wrong.
    async fn first_rows(&self, address: Option<IpAddr>) -> Result<String, Error> {
        let (price, network) = (self.price.cached(), self.network);
        let write = move |board: &NumberedBoard| content::board(board, network, price);
        match self.board.read(address, write).await {
            Ok(written) => written,
            Err(BoardError::Full(full)) => Err(full.into()),
            Err(error) => {
                Error::from(error).record_cause();
                Ok(String::new())
            }
        }
    }

    /// The prose of the page at this path, for readers without scripts.
    fn prose(&self, path: &str) -> Result<String, Error> {
        match self.document.prose(path) {
            Some(drawn) => content::prose(&self.site, drawn),
            None => Ok(String::new()),
        }
    }

    /// The page at this path.
    fn page(&self, path: &str, head: &Head, content: &str) -> Result<Response, Error> {
        let head = head.html(&self.origin).map_err(Error::internal)?;
        let page = self.document.page(path, &head, content);
        let headers = [(header::CACHE_CONTROL, "no-cache")];
        Ok((headers, Html(page)).into_response())
    }
}

/// The front page is the leaderboard (specification, section 2). The query goes along.
pub async fn redirect_to_leaderboard(RawQuery(query): RawQuery) -> impl IntoResponse {
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let redirect = Redirect::temporary(&format!("/leaderboard{query}"));
    ([(header::CACHE_CONTROL, "no-cache")], redirect)
}

/// The leaderboard. Its head names the holder of a shared link.
pub async fn get_leaderboard(
    State(pages): State<Arc<Pages>>,
    ClientAddress(address): ClientAddress,
    RawQuery(query): RawQuery,
) -> Result<Response, Error> {
    let shared = shared_name(query.as_deref()).unwrap_or_default();
    let head = match pages.person(&shared).await {
        Some(person) => Head::for_person(&person),
        None => Head::for_path("/leaderboard"),
    };
    let content = match is_filtered(query.as_deref()) {
        false => pages.first_rows(address).await?,
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
pub async fn get_app_page(State(pages): State<Arc<Pages>>, uri: Uri) -> Result<Response, Error> {
    let content = pages.prose(uri.path())?;
    pages.page(uri.path(), &Head::for_path(uri.path()), &content)
}

/// The card of the holder that the file is named after, or of the board.
pub async fn get_card(
    State(pages): State<Arc<Pages>>,
    ClientAddress(address): ClientAddress,
    Path(file): Path<String>,
) -> Result<impl IntoResponse, Error> {
    let missing = || Error::not_found("There is no such card.");
    let name = file.strip_suffix(".png").ok_or_else(missing)?;
    let card = pages.card(name, address).await?;
    let kind = [(header::CONTENT_TYPE, "image/png")];
    Ok((FOR_OTHER_SITES, kind, card))
}

/// The row of the holder that `?u=` names, for other sites; 404, and still a page, when no one has the name.
pub async fn get_embedded_row(
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
pub async fn get_file_or_page(
    State(pages): State<Arc<Pages>>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Error> {
    if let Some(file) = files::find(uri.path()) {
        return file.response(&headers).await;
    }
    if files::is_asset(uri.path()) {
        // A file of another release: the app itself would be taken for a script.
        return Err(Error::not_found("There is no such file."));
    }
    let page = pages.page(uri.path(), &Head::for_path(uri.path()), "")?;
    Ok((StatusCode::NOT_FOUND, page).into_response())
}

/// Which addresses are worth a visit (RFC 9309).
pub async fn get_robots(State(pages): State<Arc<Pages>>) -> String {
    let robots = include_str!("../../templates/robots.txt");
    robots.replace("{origin}", &pages.origin)
}

/// The public pages (sitemaps.org, version 0.9).
pub async fn get_sitemap(State(pages): State<Arc<Pages>>) -> impl IntoResponse {
    let origin = &pages.origin;
    let pages: String = listed()
        .map(|path| format!("  <url><loc>{origin}{path}</loc></url>\n"))
        .collect();
    let sitemap = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{pages}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], sitemap)
}
