//! Writes the pages of one server.

use std::sync::Arc;

use axum::http::header;
use axum::response::{Html, IntoResponse, Response};

use super::content;
use super::document::Document;
use super::head::Head;
use crate::board::Board;
use crate::board::person::Person;
use crate::http::error::Error;
use crate::http::site::Site;

/// A name in an address is no longer than this, in bytes: no provider has such names.
const MAX_NAME: usize = 200;

/// The pages of one server.
#[derive(Debug)]
pub struct Pages {
    /// The address that people use.
    pub(super) origin: String,
    site: Site,
    board: Arc<Board>,
    /// The name of the chain that is followed.
    network: &'static str,
    document: Document,
}

impl Pages {
    pub fn new(origin: String, site: Site, board: Arc<Board>, network: &'static str) -> Self {
        Self {
            origin,
            site,
            board,
            network,
            document: Document::embedded(),
        }
    }

    /// The person that a link names; nobody while the database fails.
    pub(super) async fn person(&self, name: &str) -> Option<Person> {
        if name.is_empty() || name.len() > MAX_NAME || name.contains('\0') {
            return None;
        }
        let person = self.board.person(name).await.map_err(Error::from);
        person.inspect_err(Error::log).ok().flatten()
    }

    /// The first rows of the leaderboard. Without a database the page is the bare app, which says what is wrong.
    pub(super) async fn first_rows(&self) -> Result<String, Error> {
        let seen = self.board.snapshot().await.map_err(Error::from);
        let Ok(seen) = seen.inspect_err(Error::log) else {
            return Ok(String::new());
        };
        let (price, network) = (self.board.price(), self.network);
        let write = move || content::board(&seen, network, price);
        self.board.work(write).await?
    }

    /// The prose of the page at this path, for readers without scripts.
    pub(super) fn prose(&self, path: &str) -> Result<String, Error> {
        match self.document.prose(path) {
            Some(drawn) => content::prose(&self.site, drawn),
            None => Ok(String::new()),
        }
    }

    /// The page at this path.
    pub(super) fn page(&self, path: &str, head: &Head, content: &str) -> Result<Response, Error> {
        let head = head.html(&self.origin).map_err(Error::internal)?;
        let page = self.document.page(path, &head, content);
        let headers = [(header::CACHE_CONTROL, "no-cache")];
        Ok((headers, Html(page)).into_response())
    }
}
