//! What stands before everything else: whoever asks for what has just been written for somebody else gets it, and costs next to
//! nothing.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, Uri};
use axum::response::Response;
use axum::routing::any;
use tower::ServiceExt;

use crate::http::headers;
use crate::http::metrics::requests;
use crate::http::pages::{Pages, leaderboard_at_hand};
use crate::http::rest::answers::{Answers, Subject};
use crate::http::session::is_visitor;
use crate::http::strict;

const PROFILES: &str = "/api/rest/v1/profiles";
const CHANGES: &str = "/api/functions/v1/board-changes";
const LEADERBOARD: &str = "/leaderboard";

/// What answers are taken from.
#[derive(Clone, Debug)]
pub(super) struct Rooms {
    pub(super) answers: Arc<Answers>,
    pub(super) pages: Arc<Pages>,
    /// Whether people come by https.
    pub(super) secure: bool,
}

struct Front {
    rooms: Rooms,
    behind: Router,
}

/// Puts this before the router of everything.
pub(super) fn before(behind: Router, rooms: Rooms) -> Router {
    let front = Front {
        rooms,
        behind: behind.clone(),
    };
    Router::new()
        .route(PROFILES, any(profiles))
        .route(CHANGES, any(changes))
        .route(LEADERBOARD, any(leaderboard))
        .fallback_service(behind)
        .with_state(Arc::new(front))
}

async fn profiles(State(front): State<Arc<Front>>, request: Request) -> Response {
    front.answer(Subject::Rows, PROFILES, request).await
}

async fn changes(State(front): State<Arc<Front>>, request: Request) -> Response {
    front.answer(Subject::Changes, CHANGES, request).await
}

async fn leaderboard(State(front): State<Arc<Front>>, request: Request) -> Response {
    let begin = Instant::now();
    let at_hand = match asked(&request) {
        Some((uri, headers)) => leaderboard_at_hand(&front.rooms.pages, uri, headers).await,
        None => None,
    };
    match at_hand {
        Some(response) => front.sent(response, &request, "page", begin),
        None => front.behind(request).await,
    }
}

/// An id as those of the router are, without asking the system for every one.
fn request_id() -> HeaderValue {
    let random = uuid::Builder::from_random_bytes(rand::random());
    let id = HeaderValue::try_from(random.into_uuid().to_string());
    id.unwrap_or(HeaderValue::from_static("none"))
}

/// What is asked for, by whoever wants nothing but that: not by a page of another origin.
fn asked(request: &Request) -> Option<(&Uri, &HeaderMap)> {
    let has = |name: &str| request.headers().contains_key(name);
    let plain = request.method() == Method::GET && !has("origin");
    plain.then_some((request.uri(), request.headers()))
}

impl Front {
    async fn answer(&self, subject: Subject, route: &'static str, request: Request) -> Response {
        let begin = Instant::now();
        let answers = &self.rooms.answers;
        let at_hand = match asked(&request) {
            Some((uri, headers)) if is_visitor(headers) => {
                answers.at_hand(subject, uri, headers).await
            }
            _ => None,
        };
        match at_hand {
            Some(response) => self.sent(response, &request, route, begin),
            None => self.behind(request).await,
        }
    }

    fn sent(
        &self,
        mut response: Response,
        request: &Request,
        route: &'static str,
        begin: Instant,
    ) -> Response {
        let headers = response.headers_mut();
        headers::of_the_board(headers, self.rooms.secure);
        let id = strict::id_of(request.headers()).cloned();
        let id = id.unwrap_or_else(request_id);
        let path = request.uri().path();
        headers.insert(strict::REQUEST_ID, id.clone());
        let (status, took) = (response.status(), begin.elapsed());
        requests::answered(route, status, took);
        // There are many of these, and nothing happens in them that somebody would look for.
        let (status, milliseconds) = (status.as_u16(), took.as_millis());
        tracing::debug!(method = "GET", path, ?id, status, milliseconds, "answered");
        response
    }

    async fn behind(&self, mut request: Request) -> Response {
        // The router behind would take it for the start of its own.
        request.extensions_mut().remove::<MatchedPath>();
        let Ok(response) = self.behind.clone().oneshot(request).await;
        response
    }
}
