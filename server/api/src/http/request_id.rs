//! The id of a request: a client's own, which must be easy to find in the server log, or a new one. The response has it, too.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use uuid::Uuid;

pub(super) const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is accepted from a client, in bytes.
const MAX: usize = 128;

/// A layer that sets the id.
pub(super) async fn set(mut request: Request, next: Next) -> Response {
    let id = of_client(&request).unwrap_or_else(new);
    request.headers_mut().insert(REQUEST_ID, id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(REQUEST_ID, id);
    response
}

/// The client's, if it is the only one, visible and not too long.
fn of_client(request: &Request) -> Option<HeaderValue> {
    let mut ids = request.headers().get_all(REQUEST_ID).iter();
    let (id, None) = (ids.next()?, ids.next()) else {
        return None;
    };
    let is_good = (1..=MAX).contains(&id.len()) && id.as_bytes().iter().all(u8::is_ascii_graphic);
    is_good.then(|| id.clone())
}

fn new() -> HeaderValue {
    let id = Uuid::new_v4().to_string();
    // A UUID has only visible characters.
    HeaderValue::try_from(id).unwrap_or(HeaderValue::from_static("none"))
}
