//! How bodies are encoded: with Brotli or gzip, or as they are.

use axum::http::{self, HeaderMap, HeaderValue, header};
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

/// Good enough for what is encoded once and sent often; higher levels cost much more time than they save.
const LEVEL: i32 = 4;

/// Replaces `Accept-Encoding` by the encodings of this server that the client accepts, the smallest first. The layer of tower-http would
/// answer 406 to clients that refuse even bytes as they are; a server may disregard what a client accepts (RFC 9110, section 12.1).
pub fn choose<B>(mut request: http::Request<B>) -> http::Request<B> {
    let headers = request.headers_mut();
    let accepted = match (accepts(headers, "br"), accepts(headers, "gzip")) {
        (true, true) => Some("br, gzip"),
        (true, false) => Some("br"),
        (false, true) => Some("gzip"),
        (false, false) => None,
    };
    match accepted {
        Some(names) => headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(names)),
        None => headers.remove(header::ACCEPT_ENCODING),
    };
    request
}

/// Whether the client accepts this encoding.
pub fn accepts(headers: &HeaderMap, name: &str) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).iter();
    let lists = lists.filter_map(|list| list.to_str().ok());
    let mut members = lists.flat_map(|list| list.split(','));
    members.any(|member| allows(member, name))
}

/// Whether a member of the list is this encoding, with another weight than 0.
fn allows(member: &str, name: &str) -> bool {
    let mut parts = member.split(';').map(str::trim);
    let is_name = parts.next().is_some_and(|it| it.eq_ignore_ascii_case(name));
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    let refused = weight.is_some_and(|weight| weight.parse().is_ok_and(|it: f32| it <= 0.0));
    is_name && !refused
}

/// A layer that encodes what is large enough, and no stream.
pub fn compression() -> CompressionLayer {
    CompressionLayer::new().quality(CompressionLevel::Precise(LEVEL))
}

/// Which rows a response has. PostgREST's `Content-Range` counts rows (decisions, D10), but tower-http leaves responses with this
/// header as they are, because elsewhere it means a part of a file. So it is added outside of [`compression`].
#[derive(Clone)]
pub struct ContentRange(pub HeaderValue);

/// A layer that adds the header.
pub async fn add_content_range(mut response: Response) -> Response {
    if let Some(ContentRange(range)) = response.extensions_mut().remove() {
        response.headers_mut().insert(header::CONTENT_RANGE, range);
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::http::Request;

    use super::*;

    #[test]
    fn the_client_says_which_encodings_it_takes() {
        for (accept, encoding) in [
            ("gzip, deflate, br, zstd", Some("br, gzip")),
            ("gzip, br;q=0", Some("gzip")),
            ("BR ; q=0.5", Some("br")),
            ("gzip, br;q=0.1", Some("br, gzip")),
            ("gzip;q=0.000, identity", None),
            ("deflate", None),
            ("identity;q=0", None),
            ("", None),
        ] {
            let request = Request::builder().header(header::ACCEPT_ENCODING, accept);
            let chosen = choose(request.body(()).expect("a request"));
            let chosen = chosen.headers().get(header::ACCEPT_ENCODING);
            assert_eq!(
                chosen.map(HeaderValue::as_bytes),
                encoding.map(str::as_bytes),
                "{accept}"
            );
        }
    }
}
