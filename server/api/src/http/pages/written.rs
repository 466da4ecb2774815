//! Pages that were written lately. A crowd that comes for one page costs one page: it is written and compressed once for
//! each state of the board, and what an address leads to is remembered until then.

use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use axum::response::Response;
use moka::future::Cache;
use time::OffsetDateTime;

use super::board::State;
use super::body::Body;
use super::document::{self, Document};
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

/// What a page shows first, if anything.
type MaybeBody = Option<Arc<Body>>;

/// What tells pages apart: what stands in their head, what they load, and the state of their body.
type Name = (Head, &'static str, Option<String>);

/// Stands for what the document that checks proofs loads.
const VERIFY: &str = "verify";

/// The pages of one server.
#[derive(Debug)]
pub struct Pages {
    origin: String,
    site: Site,
    board: Arc<board::Board>,
    /// The name of the chain that is followed.
    network: &'static str,
    document: Arc<Document>,
    boards: Cache<State, MaybeBody>,
    written: Cache<Name, Arc<Page>>,
}

/// No pages yet, of those that somebody asked for lately.
fn kept<K: Eq + Hash + Send + Sync + 'static>() -> Cache<K, Arc<Page>> {
    Cache::builder()
        .max_capacity(MEMORY)
        .weigher(|_, page: &Arc<Page>| page.weight())
        .time_to_idle(PAGE_FOR)
        .build()
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
            boards: Cache::builder().max_capacity(2).build(),
            written: kept(),
        }
    }

    /// The address that people use.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    fn year(&self) -> i32 {
        let now = OffsetDateTime::from_unix_timestamp(self.board.now());
        now.map_or(1970, OffsetDateTime::year)
    }

    /// The first rows; none while the database fails.
    pub(super) async fn board(&self) -> Option<Arc<Body>> {
        let seen = self.board.seen().await.map_err(Error::from);
        let seen = seen.inspect_err(Error::log).ok()?;
        let state = State::of(&self.board, &seen, self.network);
        let writing = async {
            let board = Body::of_board(state, &seen, self.network, self.document.board());
            board.inspect_err(Error::log).ok().map(Arc::new)
        };
        self.boards.get_with(state, writing).await
    }

    /// Whom a link names; nobody while the database fails.
    pub(super) async fn person(&self, name: &str) -> Option<Person> {
        let person = self.board.person(name).await.map_err(Error::from);
        person.inspect_err(Error::log).ok().flatten()
    }

    /// The page of prose at this path; none at other paths.
    pub(super) fn prose(&self, path: &str) -> MaybeBody {
        let template = self.document.prose(path)?;
        let body = Body::of_prose(&self.site, self.year(), template);
        body.inspect_err(Error::log).ok().map(Arc::new)
    }

    /// The page at this path, with this head and this body.
    pub(super) async fn page(&self, path: &str, head: Head, body: MaybeBody) -> Arc<Page> {
        let state = body.as_ref().map(|body| body.tag.clone());
        let (document, origin) = (Arc::clone(&self.document), self.origin.clone());
        let links = document.links(path);
        let key = (head.clone(), links, state);
        let write = move || {
            let (body, data) = body.map_or_else(Default::default, |body| {
                (body.html.clone(), body.data.clone())
            });
            let head = head.html(&origin).unwrap_or_default();
            document.filled(&head, links, &body, &data)
        };
        self.once(key, write).await
    }

    /// The document that checks proofs, with this head. It loads what stands in it.
    pub(super) async fn verify(&self, head: Head) -> Arc<Page> {
        let key = (head.clone(), VERIFY, None);
        let origin = self.origin.clone();
        let write = move || document::verify(&head.html(&origin).unwrap_or_default());
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
            Arc::new(Page::write(&self.document.filled("", "", "", "")))
        })
    }
}
