//! What stands before everything else: whoever asks for what has just been written for somebody else gets it, and costs next to
//! nothing.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Method, Request, header};
use axum::response::Response;
use tower::ServiceExt;
use uuid::Uuid;

use crate::http::cors;
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
}

/// All that the server answers: what is at hand, and the router of everything. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Front {
    rooms: Arc<Rooms>,
    behind: Router,
}

/// An id as those of the router are, without asking the system for every one.
fn request_id() -> HeaderValue {
    let id = uuid::Builder::from_random_bytes(rand::random()).into_uuid();
    let id = HeaderValue::from_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
    id.unwrap_or(HeaderValue::from_static("none"))
}

impl Front {
    /// Puts this before the router of everything.
    pub(super) fn before(behind: Router, rooms: Rooms) -> Self {
        let rooms = Arc::new(rooms);
        Self { rooms, behind }
    }

    /// The answer to a request, when it has been written for somebody else already: for whoever wants nothing but that, and not for
    /// pages of other origins.
    pub(super) fn at_hand<B>(&self, request: &Request<B>) -> Option<Response> {
        let begin = Instant::now();
        let (uri, headers) = (request.uri(), request.headers());
        if request.method() != Method::GET || headers.contains_key(header::ORIGIN) {
            return None;
        }
        let (route, subject) = match uri.path() {
            LEADERBOARD => ("page", None),
            PROFILES => (PROFILES, Some(Subject::Rows)),
            CHANGES => (CHANGES, Some(Subject::Changes)),
            _ => return None,
        };
        strict::look_at(request).ok()?;
        let Rooms { answers, pages, .. } = &*self.rooms;
        let response = match subject {
            None => leaderboard_at_hand(pages, uri, headers)?,
            Some(subject) if is_visitor(headers) => {
                let mut response = answers.at_hand(subject, uri, headers)?;
                cors::mark_public(response.headers_mut());
                response
            }
            Some(_) => return None,
        };
        Some(self.sent(response, request, route, begin))
    }

    /// The answer of the router.
    pub(super) async fn behind(&self, request: Request<Body>) -> Response {
        let Ok(response) = self.behind.clone().oneshot(request).await;
        response
    }

    fn sent<B>(
        &self,
        mut response: Response,
        request: &Request<B>,
        route: &'static str,
        begin: Instant,
    ) -> Response {
        let headers = response.headers_mut();
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
}
