//! Answers to visitors: made once for each change of the board and each question, compressed, and kept for whoever asks the same.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, Uri, header};
use axum::response::Response;
use moka::future::Cache;
use sha2::{Digest, Sha256};

use super::grammar::{prefers, wants_single};
use super::row::Answer;
use crate::board::Board;
use crate::board::keeper::Seen;
use crate::http::client_address::ClientAddress;
use crate::http::coded::{self, Coded};
use crate::http::coding::Coding;
use crate::http::error::Error;
use crate::http::headers;
use crate::limits::single_flight::get_or_compute;

/// What kept answers may take in memory, in bytes.
const MEMORY: u64 = 16 * 1024 * 1024;

/// How long an answer that nobody asks for stays.
const KEPT_FOR: Duration = Duration::from_secs(60);

/// Answers to longer queries are not kept, in bytes.
const MAX_QUERY: usize = 500;

/// How long to wait when too many questions do, in seconds.
const RETRY: i64 = 2;

/// What of a visitor's request makes another answer.
const VARY: &str = "accept-encoding, accept, prefer, authorization";

/// Answers that are kept.
#[derive(Debug)]
pub struct Answers {
    board: Arc<Board>,
    /// By the number of the newest change, and the question.
    kept: Cache<(i64, Question), Arc<Coded>>,
}

/// Everything about a visitor's request that its answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Question {
    query: String,
    single: bool,
    count: bool,
    coding: Coding,
}

impl Question {
    /// The question of a request whose sender is a visitor.
    #[must_use]
    pub fn of(query: Option<&str>, headers: &HeaderMap) -> Self {
        Self {
            query: query.unwrap_or_default().to_owned(),
            single: wants_single(headers),
            count: prefers(headers, "count=exact"),
            coding: Coding::wanted(headers),
        }
    }
}

/// The answer in one coding, as it is sent at this number.
fn coded(answer: Answer, (number, coding): (i64, Coding)) -> Coded {
    // Of all that is said, and not of the number: a change elsewhere on the board is none to who has this.
    let mut digest = Sha256::new();
    digest.update(answer.status.as_str());
    if let Some(range) = &answer.content_range {
        digest.update(range);
    }
    digest.update(&answer.json);
    let digest = hex::encode(&digest.finalize()[..16]);
    let tags = Coding::ALL.map(|coding| format!("\"{digest}{}\"", coding.tag_suffix()));
    let mut about = coded::about(answer.content_type, VARY);
    about.insert(headers::BOARD_NUMBER, number.into());
    let ranges = answer
        .content_range
        .map(|range| (header::CONTENT_RANGE, range));
    about.extend(ranges);
    Coded::new(&answer.json, coding, tags, about).with_status(answer.status)
}

/// Does what it takes to answer a question that somebody at this address has, when it is its turn.
///
/// # Errors
/// Those of the work, and when too many questions wait.
pub(super) async fn found<T: Send + 'static>(
    board: &Board,
    address: Option<IpAddr>,
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let place = board.question(address);
    let _place = place.map_err(|too_many| Error::no_place(too_many, RETRY))?;
    board.work(work).await?
}

impl Answers {
    /// An empty cache.
    #[must_use]
    pub fn new(board: Arc<Board>) -> Self {
        Self {
            board,
            kept: Cache::builder()
                .max_capacity(MEMORY)
                .weigher(|_, kept: &Arc<Coded>| kept.weight())
                .time_to_idle(KEPT_FOR)
                .build(),
        }
    }

    /// The response to a visitor's request for rows: the cached one, or what `make` makes of the board.
    ///
    /// # Errors
    /// Those of `make`, when the board cannot be read, and when too many questions wait.
    pub async fn answer(
        &self,
        uri: &Uri,
        (headers, ClientAddress(address)): (&HeaderMap, ClientAddress),
        make: impl Fn(&Seen) -> Result<Answer, Error> + Send + Sync + 'static,
    ) -> Result<Response, Error> {
        let seen = self.board.seen().await?;
        let (number, question) = (seen.number, Question::of(uri.query(), headers));
        let coding = question.coding;
        let keep = question.query.len() <= MAX_QUERY;
        let make = Arc::new(make);
        let making = async || {
            let (make, seen) = (Arc::clone(&make), Arc::clone(&seen));
            let making = move || {
                let answer = make(&seen)?;
                Ok(Arc::new(coded(answer, (number, coding))))
            };
            found(&self.board, address, making).await
        };
        if !keep {
            return Ok(making().await?.response(headers));
        }
        let kept = get_or_compute(&self.kept, &(number, question), making).await?;
        Ok(kept.response(headers))
    }
}
