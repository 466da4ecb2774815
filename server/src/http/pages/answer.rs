//! A page in the coding that the client takes.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::written::{Coding, Page};
use crate::http::etag;

/// The page, or that the client has it.
pub(super) fn page(page: &Page, headers: &HeaderMap) -> Response {
    let coded = page.coded(wanted(headers));
    let about: [(HeaderName, HeaderValue); 3] = [
        (header::ETAG, etag::header(&coded.tag)),
        // Kept, and asked about each time: the rows change.
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    // Whichever coding the client has: the page in it is the same.
    if etag::has_one_of(headers, page.tags()) {
        return (StatusCode::NOT_MODIFIED, about).into_response();
    }
    let kind = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = (about, [(header::CONTENT_TYPE, kind)], coded.bytes.clone()).into_response();
    if let Some(name) = coded.coding.name() {
        let name = HeaderValue::from_static(name);
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, name);
    }
    response
}

/// The smallest coding that the client takes (RFC 9110, section 12.5.3).
fn wanted(headers: &HeaderMap) -> Coding {
    let accepted: Vec<String> = headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .filter_map(accepted_name)
        .collect();
    [Coding::Brotli, Coding::Gzip]
        .into_iter()
        .find(|coding| {
            accepted
                .iter()
                .any(|name| Some(name.as_str()) == coding.name())
        })
        .unwrap_or(Coding::Identity)
}

/// The coding that one member of the list names, unless its weight is 0.
fn accepted_name(member: &str) -> Option<String> {
    let mut parts = member.split(';').map(str::trim);
    let name = parts.next()?.to_ascii_lowercase();
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    let refused =
        weight.is_some_and(|weight| weight.parse().is_ok_and(|weight: f32| weight <= 0.0));
    (!refused).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_says_which_coding_it_takes() {
        for (accept, coding) in [
            ("gzip, deflate, br, zstd", Coding::Brotli),
            ("gzip, br;q=0", Coding::Gzip),
            ("BR ; q=0.5", Coding::Brotli),
            ("gzip;q=0.000, identity", Coding::Identity),
            ("deflate", Coding::Identity),
            ("", Coding::Identity),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            assert_eq!(wanted(&headers), coding, "{accept}");
        }
        assert_eq!(wanted(&HeaderMap::new()), Coding::Identity);
    }
}
