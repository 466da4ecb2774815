//! Strong entity tags (RFC 9110, section 8.8.3): the same tag, the same bytes.

use axum::http::{HeaderMap, HeaderValue, header};
use sha2::{Digest, Sha256};

/// The tag of these bytes: the first 16 bytes of their SHA-256, and `variant` for another coding of the same.
#[must_use]
pub fn of(bytes: &[u8], variant: &str) -> String {
    let digest = Sha256::digest(bytes);
    format!("\"{}{variant}\"", hex::encode(&digest[..16]))
}

/// A tag as a header.
#[must_use]
pub fn header(tag: &str) -> HeaderValue {
    HeaderValue::from_str(tag).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Whether the client has one of these already (`If-None-Match`, compared weakly: RFC 9110, section 13.1.2).
#[must_use]
pub fn has_one_of<'a>(headers: &HeaderMap, tags: impl IntoIterator<Item = &'a str>) -> bool {
    if !headers.contains_key(header::IF_NONE_MATCH) {
        return false;
    }
    let known: Vec<&str> = headers
        .get_all(header::IF_NONE_MATCH)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|list| list.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .collect();
    known.contains(&"*") || tags.into_iter().any(|tag| known.contains(&tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_compared_weakly_and_one_by_one() {
        let tag = of(b"content", "-br");
        assert!(tag.ends_with("-br\""));
        let asked = |text: &str| {
            let headers = HeaderMap::from_iter([(
                header::IF_NONE_MATCH,
                HeaderValue::from_str(text).unwrap(),
            )]);
            has_one_of(&headers, [tag.as_str()])
        };
        assert!(asked(&tag));
        assert!(asked(&format!("\"other\", W/{tag}")));
        assert!(asked("*"));
        assert!(!asked("\"other\""));
        assert!(!has_one_of(&HeaderMap::new(), [tag.as_str()]));
    }
}
