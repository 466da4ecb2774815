//! Pages that were written lately. A crowd that comes for one page costs one page: it is written and compressed once for
//! each state of the board, and what an address leads to is remembered until then.

use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;
use moka::future::Cache;

use super::content::{self, State};
use super::document::{Bare, Document};
use super::head::Head;
use crate::board;
use crate::board::person::Person;
use crate::http::coded::{self, Coded};
use crate::http::coding::Coding;
use crate::http::error::Error;
use crate::http::etag;
use crate::http::headers;
use crate::http::site::Site;

/// How long a page that nobody asks for stays.
const PAGE_FOR: Duration = Duration::from_secs(10 * 60);

/// What written pages may take in memory, in bytes.
const MEMORY: u64 = 16 * 1024 * 1024;

/// A page in all codings.
#[derive(Clone, Debug)]
pub(super) struct Page([Coded; 3]);

impl Page {
    /// The page in the coding that the client takes, or that the client has it.
    pub(super) fn response(&self, headers: &HeaderMap) -> Response {
        self.0[Coding::wanted(headers) as usize].response(headers)
    }

    fn write(html: &str) -> Self {
        // Whoever has the page keeps the policy that it came with.
        let said = format!("{html}{}", headers::CONTENT_SECURITY_POLICY);
        let tags = Coding::ALL.map(|coding| etag::of(said.as_bytes(), coding.tag_suffix()));
        let html = html.as_bytes();
        let about = coded::about("text/html; charset=utf-8", "accept-encoding");
        Self(Coding::ALL.map(|coding| Coded::new(html, coding, tags.clone(), about.clone())))
    }

    fn weight(&self) -> u32 {
        self.0.iter().map(Coded::weight).sum()
    }
}

/// What tells pages apart: what stands in their head, what they load, and the state of the board that they show.
type Name = (Head, &'static str, Option<State>);

/// The pages of one server.
#[derive(Debug)]
pub struct Pages {
    origin: String,
    site: Site,
    board: Arc<board::Board>,
    /// The name of the chain that is followed.
    network: &'static str,
    document: Arc<Document>,
    written: Cache<Name, Arc<Page>>,
}

impl Pages {
    /// No pages yet. `origin` is the address that people use.
    #[must_use]
    pub fn new(
        origin: String,
        site: Site,
        board: Arc<board::Board>,
        network: &'static str,
    ) -> Self {
        Self {
            origin,
            site,
            board,
            network,
            document: Arc::new(Document::embedded()),
            written: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, page: &Arc<Page>| page.weight())
                .time_to_idle(PAGE_FOR)
                .build(),
        }
    }

    /// The address that people use.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// Whom a link names; nobody while the database fails.
    pub(super) async fn person(&self, name: &str) -> Option<Person> {
        let person = self.board.person(name).await.map_err(Error::from);
        person.inspect_err(Error::log).ok().flatten()
    }

    /// The leaderboard with its first rows; without them while the database fails.
    pub(super) async fn board(&self, head: Head) -> Arc<Page> {
        let seen = self.board.seen().await.map_err(Error::from);
        let Ok(seen) = seen.inspect_err(Error::log) else {
            return self.page("/leaderboard", head).await;
        };
        let state = State::new(&self.board, &seen, self.network);
        let network = self.network;
        let content = move || content::board(state, &seen, network);
        self.written("/leaderboard", head, Some(state), content)
            .await
    }

    /// The page at this path, without rows.
    pub(super) async fn page(&self, path: &str, head: Head) -> Arc<Page> {
        let (site, prose) = (self.site.clone(), self.document.prose(path));
        let content =
            move || prose.map_or_else(|| Ok(String::new()), |drawn| content::prose(&site, drawn));
        self.written(path, head, None, content).await
    }

    async fn written(
        &self,
        path: &str,
        head: Head,
        state: Option<State>,
        content: impl FnOnce() -> Result<String, Error> + Send + 'static,
    ) -> Arc<Page> {
        let (document, origin) = (Arc::clone(&self.document), self.origin.clone());
        let links = document.links(path);
        let key = (head.clone(), links, state);
        let write = move || {
            let content = content().inspect_err(Error::log).unwrap_or_default();
            let head = head.html(&origin).unwrap_or_default();
            document.filled(&head, links, &content)
        };
        self.once(key, write).await
    }

    /// A document without the app, with this head. It loads what stands in it.
    pub(super) async fn bare(&self, bare: Bare, head: Head) -> Arc<Page> {
        let key = (head.clone(), bare.name(), None);
        let origin = self.origin.clone();
        let write = move || bare.with_head(&head.html(&origin).unwrap_or_default());
        self.once(key, write).await
    }

    /// The page of this name, written by the first who asks for it.
    async fn once(&self, key: Name, write: impl FnOnce() -> String + Send + 'static) -> Arc<Page> {
        let writing = async move {
            let write = move || Page::write(&write());
            tokio::task::spawn_blocking(write).await.map(Arc::new)
        };
        let written = self.written.try_get_with(key, writing).await;
        written.unwrap_or_else(|error| {
            tracing::error!(%error, "writing a page did not end normally");
            Arc::new(Page::write(&self.document.filled("", "", "")))
        })
    }
}
