//! The cache layer: a response to visitors is computed and encoded once for each state of the board.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::{self, HeaderMap, HeaderName, HeaderValue, Method, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::headers::HeaderMapExt;
use moka::future::Cache;

use crate::board::Board;
use crate::board::refresh::Followed;
use crate::http::error::Error;
use crate::http::etag;
use crate::http::headers::BOARD_NUMBER;
use crate::limits::single_flight::get_or_compute;
use crate::price::Price;

/// How much memory cached responses may take, in bytes, and how much each takes besides its body.
const MEMORY: u64 = 32 * 1024 * 1024;
const AROUND: usize = 4 * 1024;

/// How long a response stays cached that no client asks for.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// Responses to longer queries are not cached, in bytes.
const MAX_QUERY: usize = 500;

/// The request headers that a response depends on, besides its encoding.
const VARY: HeaderValue = HeaderValue::from_static("accept, prefer, authorization");

/// The request headers in the key of a response. `Accept-Encoding` has only the encodings of this server
/// ([`crate::http::encoding::choose`]).
const KEY_HEADERS: [HeaderName; 4] = [
    header::ACCEPT,
    HeaderName::from_static("prefer"),
    header::RANGE,
    header::ACCEPT_ENCODING,
];

/// Everything that a cached response depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    /// The number of the newest change on the board.
    number: i64,
    block: Option<Followed>,
    /// The bits of the price.
    price: Option<u64>,
    address: Uri,
    /// The values of each of [`KEY_HEADERS`].
    headers: [Vec<HeaderValue>; 4],
}

/// Cached responses.
#[derive(Debug)]
pub struct ResponseCache {
    board: Arc<Board>,
    price: Arc<Price>,
    /// The chain that is followed.
    network: &'static str,
    responses: Cache<Key, Arc<http::Response<Bytes>>>,
}

impl ResponseCache {
    pub fn new(board: Arc<Board>, price: Arc<Price>, network: &'static str) -> Self {
        let responses = Cache::builder()
            .max_capacity(MEMORY)
            .weigher(|_, it: &Arc<http::Response<Bytes>>| {
                u32::try_from(it.body().len() + AROUND).unwrap_or(u32::MAX)
            })
            .time_to_idle(CACHED_FOR)
            .build();
        Self {
            board,
            price,
            network,
            responses,
        }
    }

    /// None for a request whose response is not cached: of a user, with a long query, or while the board cannot be read.
    async fn key(&self, address: Uri, headers: &HeaderMap) -> Option<Key> {
        let is_long = address.query().is_some_and(|query| query.len() > MAX_QUERY);
        if is_long || headers.contains_key(header::AUTHORIZATION) {
            return None;
        }
        let board = self.board.current().await.ok()?;
        Some(Key {
            number: board.number,
            block: board.followed(self.network),
            price: self.price.cached().usd.map(f64::to_bits),
            address,
            headers: KEY_HEADERS.map(|name| headers.get_all(name).iter().cloned().collect()),
        })
    }
}

/// A layer around all others of a route: sends the cached response, or runs the route and caches what succeeds.
pub async fn cache_responses(
    State(cache): State<Arc<ResponseCache>>,
    mut request: Request,
    next: Next,
) -> Response {
    if ![Method::GET, Method::HEAD].contains(request.method()) {
        return next.run(request).await;
    }
    // A response to HEAD has no body to cache.
    *request.method_mut() = Method::GET;
    let address = request.uri().clone();
    let Some(key) = cache.key(address, request.headers()).await else {
        return next.run(request).await;
    };
    let (parts, _) = request.into_parts();
    let known = parts.headers.typed_get();
    let compute = || {
        let request = Request::from_parts(parts.clone(), Body::empty());
        let next = next.clone();
        async {
            let response = next.run(request).await;
            if !response.status().is_success() {
                return Err(response);
            }
            let response = etag::add_tag(response).await;
            let mut response = response.map_err(Error::into_response)?;
            let headers = response.headers_mut();
            headers.append(header::VARY, VARY);
            headers.insert(BOARD_NUMBER, key.number.into());
            Ok(Arc::new(response))
        }
    };
    match get_or_compute(&cache.responses, &key, compute).await {
        Ok(response) => etag::unless_known(known, (*response).clone().map(Body::from)),
        Err(refused) => refused,
    }
}
