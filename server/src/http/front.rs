//! What stands before everything else: whoever asks for what has just been written for somebody else gets it, and costs next to
//! nothing.

use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, Method, Uri};
use axum::response::Response;
use axum::routing::any;
use tower::ServiceExt;

use crate::http::headers;
use crate::http::metrics::requests;
use crate::http::pages::{Pages, leaderboard_at_hand};
use crate::http::rest::answers::Answers;
use crate::http::session::is_visitor;

const PROFILES: &str = "/api/rest/v1/profiles";
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
        .route(LEADERBOARD, any(leaderboard))
        .fallback_service(behind)
        .with_state(Arc::new(front))
}

async fn profiles(State(front): State<Arc<Front>>, request: Request) -> Response {
    let begin = Instant::now();
    let at_hand = match asked(&request) {
        Some((uri, headers)) if is_visitor(headers) => {
            front.rooms.answers.at_hand(uri, headers).await
        }
        _ => None,
    };
    match at_hand {
        Some(response) => front.sent(response, PROFILES, begin),
        None => front.behind(request).await,
    }
}

async fn leaderboard(State(front): State<Arc<Front>>, request: Request) -> Response {
    let begin = Instant::now();
    let at_hand = match asked(&request) {
        Some((uri, headers)) => leaderboard_at_hand(&front.rooms.pages, uri, headers).await,
        None => None,
    };
    match at_hand {
        Some(response) => front.sent(response, "page", begin),
        None => front.behind(request).await,
    }
}

/// What is asked for, by whoever wants nothing but that: not by a page of another origin, nor under an id.
fn asked(request: &Request) -> Option<(&Uri, &HeaderMap)> {
    let has = |name: &str| request.headers().contains_key(name);
    let plain = request.method() == Method::GET && !has("origin") && !has("x-request-id");
    plain.then_some((request.uri(), request.headers()))
}

impl Front {
    fn sent(&self, mut response: Response, route: &'static str, begin: Instant) -> Response {
        headers::of_the_board(response.headers_mut(), self.rooms.secure);
        requests::answered(route, response.status(), begin.elapsed());
        response
    }

    async fn behind(&self, mut request: Request) -> Response {
        // The router behind would take it for the start of its own.
        request.extensions_mut().remove::<MatchedPath>();
        let Ok(response) = self.behind.clone().oneshot(request).await;
        response
    }
}
