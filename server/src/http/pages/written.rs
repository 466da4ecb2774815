//! Pages that were written lately. A crowd that comes for one page costs one page: the rows are read at most once a
//! second, or when something changed, and a page is written and compressed once for each state of them.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use moka::future::Cache;

use super::board::Board;
use super::document::Document;
use super::head::Head;
use crate::board;
use crate::board::person::Person;
use crate::http::error::Error;
use crate::http::etag;
use crate::live::Live;

/// How old rows may be when nothing said that they changed.
const ROWS_FOR: Duration = Duration::from_secs(1);

/// How long a page that nobody asks for stays.
const PAGE_FOR: Duration = Duration::from_secs(10 * 60);

/// How many names that links say are remembered, whether or not somebody has them.
const PEOPLE: u64 = 2000;

/// What written pages may take in memory, in bytes.
const MEMORY: u64 = 16 * 1024 * 1024;

/// Good enough for pages that are written once and sent often; higher ones cost much more time than they save.
const BROTLI_QUALITY: i32 = 5;

/// How bytes are coded on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// Its name in HTTP; none for bytes as they are.
    pub(super) fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }

    fn tag_suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Gzip => "-gzip",
            Self::Brotli => "-br",
        }
    }
}

/// A page in one coding.
#[derive(Debug)]
pub(super) struct Coded {
    pub(super) coding: Coding,
    pub(super) bytes: Bytes,
    pub(super) tag: String,
}

/// A page in all codings.
#[derive(Debug)]
pub(super) struct Page([Coded; 3]);

impl Page {
    /// The page in this coding.
    pub(super) fn coded(&self, coding: Coding) -> &Coded {
        let [identity, gzip, brotli] = &self.0;
        match coding {
            Coding::Identity => identity,
            Coding::Gzip => gzip,
            Coding::Brotli => brotli,
        }
    }

    /// The entity tags of all codings.
    pub(super) fn tags(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|coded| coded.tag.as_str())
    }

    fn write(html: String) -> Self {
        let tagged = |coding: Coding, bytes: Vec<u8>| Coded {
            coding,
            tag: etag::of(html.as_bytes(), coding.tag_suffix()),
            bytes: bytes.into(),
        };
        Self([
            tagged(Coding::Identity, html.clone().into_bytes()),
            tagged(Coding::Gzip, gzip(html.as_bytes())),
            tagged(Coding::Brotli, brotli(html.as_bytes())),
        ])
    }

    fn size(&self) -> usize {
        self.0.iter().map(|coded| coded.bytes.len()).sum()
    }
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        size_hint: bytes.len(),
        ..Default::default()
    };
    // Memory takes everything.
    let _ = brotli::BrotliCompress(&mut &bytes[..], &mut coded, &parameters);
    coded
}

/// What the leaderboard shows first, shared by everybody who asks within a second.
type MaybeBoard = Option<Arc<Board>>;

/// The pages of one server.
#[derive(Debug)]
pub struct Pages {
    origin: String,
    board: Arc<board::Board>,
    live: Arc<Live>,
    document: Arc<Document>,
    /// By the number of the last change.
    boards: Cache<i64, MaybeBoard>,
    /// Whom links name, by the number of the last change and the name.
    people: Cache<(i64, String), Option<Person>>,
    /// By what stands in their head, what they load, and the state of the board in their body.
    written: Cache<(Head, &'static str, Option<String>), Arc<Page>>,
}

impl Pages {
    /// No pages yet. `origin` is the address that people use.
    #[must_use]
    pub fn new(origin: String, board: Arc<board::Board>, live: Arc<Live>) -> Self {
        Self {
            origin,
            board,
            live,
            document: Arc::new(Document::embedded()),
            boards: Cache::builder()
                .max_capacity(2)
                .time_to_live(ROWS_FOR)
                .build(),
            people: Cache::builder()
                .max_capacity(PEOPLE)
                .time_to_live(ROWS_FOR)
                .build(),
            written: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, page: &Arc<Page>| u32::try_from(page.size()).unwrap_or(u32::MAX))
                .time_to_idle(PAGE_FOR)
                .build(),
        }
    }

    /// The address that people use.
    pub(super) fn origin(&self) -> &str {
        &self.origin
    }

    /// The first rows; none while the database fails.
    pub(super) async fn board(&self) -> MaybeBoard {
        let reading = async {
            let board = Board::read(&self.board, self.document.board()).await;
            let board = board.inspect_err(Error::log);
            board.ok().map(Arc::new)
        };
        self.boards.get_with(self.live.sequence(), reading).await
    }

    /// Whom a link names; nobody while the database fails.
    pub(super) async fn person(&self, name: &str) -> Option<Person> {
        let finding = async {
            let person = self.board.person(name).await.map_err(Error::from);
            person.inspect_err(Error::log).ok().flatten()
        };
        let key = (self.live.sequence(), name.to_owned());
        self.people.get_with(key, finding).await
    }

    /// The page at this path, with this head and these rows.
    pub(super) async fn page(&self, path: &str, head: Head, board: MaybeBoard) -> Arc<Page> {
        let state = board.as_ref().map(|board| board.tag.clone());
        let (document, origin) = (Arc::clone(&self.document), self.origin.clone());
        let links = document.links(path);
        let key = (head.clone(), links, state);
        let writing = async move {
            let write = move || {
                let (rows, data) = board.map_or_else(Default::default, |board| {
                    (board.html.clone(), board.data.clone())
                });
                let head = head.html(&origin).unwrap_or_default();
                Page::write(document.filled(&head, links, &rows, &data))
            };
            tokio::task::spawn_blocking(write).await.map(Arc::new)
        };
        let written = self.written.try_get_with(key, writing).await;
        written.unwrap_or_else(|error| {
            tracing::error!(%error, "writing a page did not end normally");
            Arc::new(Page::write(self.document.filled("", "", "", "")))
        })
    }
}
