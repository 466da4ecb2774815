//! Who is calling.

use axum::http::{HeaderMap, header};

use crate::sign_in::SignIn;
use crate::sign_in::origin::Caller;

/// Who sends a request with these headers.
pub(super) fn caller(sign_in: &SignIn, headers: &HeaderMap) -> Caller {
    judge(headers, |origin| sign_in.is_own_origin(origin))
}

/// By headers that no page can set.
fn judge(headers: &HeaderMap, is_own: impl Fn(&str) -> bool) -> Caller {
    let mut origins = headers.get_all(header::ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (Some(origin), None) if origin.to_str().is_ok_and(is_own) => Caller::OwnPage,
        (None, _) if !headers.contains_key("sec-fetch-site") => Caller::Program,
        _ => Caller::ForeignPage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::{HeaderName, HeaderValue};

    #[test]
    fn a_caller_is_judged_by_headers_that_no_page_can_set() {
        let caller = |pairs: &[(&'static str, &str)]| {
            let headers = pairs
                .iter()
                .map(|(name, value)| {
                    (
                        HeaderName::from_static(name),
                        HeaderValue::from_str(value).unwrap(),
                    )
                })
                .collect();
            judge(&headers, |origin| origin == "https://reserves.example")
        };
        let own = ("origin", "https://reserves.example");
        assert_eq!(caller(&[own]), Caller::OwnPage);
        assert_eq!(caller(&[]), Caller::Program);
        for foreign in [
            &[("origin", "https://evil.example")][..],
            &[("origin", "null")],
            &[("origin", "")],
            &[("origin", "https://reserves.example:8443")],
            &[("origin", "http://reserves.example")],
            &[("sec-fetch-site", "same-origin")],
        ] {
            assert_eq!(caller(foreign), Caller::ForeignPage, "{foreign:?}");
        }
    }
}
