//! How the bytes of an answer are coded on the wire.

use std::io::Write;

use axum::http::{HeaderMap, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Good enough for what is written once and sent often; higher ones cost much more time than they save.
const BROTLI_QUALITY: i32 = 5;

/// A coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Coding {
    Identity,
    Gzip,
    Brotli,
}

impl Coding {
    /// Every coding.
    pub const ALL: [Self; 3] = [Self::Identity, Self::Gzip, Self::Brotli];

    /// The smallest coding that the client takes (RFC 9110, section 12.5.3).
    #[must_use]
    pub fn wanted(headers: &HeaderMap) -> Self {
        let accepted = headers.get_all(header::ACCEPT_ENCODING).iter();
        let accepted = accepted.filter_map(|value| value.to_str().ok());
        let (mut gzip, mut brotli) = (false, false);
        for name in accepted
            .flat_map(|list| list.split(','))
            .filter_map(accepted_name)
        {
            gzip |= name.eq_ignore_ascii_case("gzip");
            brotli |= name.eq_ignore_ascii_case("br");
        }
        match (brotli, gzip) {
            (true, _) => Self::Brotli,
            (false, true) => Self::Gzip,
            (false, false) => Self::Identity,
        }
    }

    /// Its name in HTTP; none for bytes as they are.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Brotli => Some("br"),
        }
    }

    /// What tells the entity tags of the codings apart.
    #[must_use]
    pub fn tag_suffix(self) -> &'static str {
        match self {
            Self::Identity => "",
            Self::Gzip => "-gzip",
            Self::Brotli => "-br",
        }
    }

    /// The bytes in this coding.
    #[must_use]
    pub fn encode(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Identity => bytes.to_vec(),
            Self::Gzip => gzip(bytes),
            Self::Brotli => brotli(bytes),
        }
    }
}

/// The coding that one member of the list names, unless its weight is 0.
fn accepted_name(member: &str) -> Option<&str> {
    let mut parts = member.split(';').map(str::trim);
    let name = parts.next()?;
    let weight = parts.find_map(|part| part.strip_prefix("q="));
    let refused =
        weight.is_some_and(|weight| weight.parse().is_ok_and(|weight: f32| weight <= 0.0));
    (!refused).then_some(name)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Memory takes everything.
    let _ = encoder.write_all(bytes);
    encoder.finish().unwrap_or_default()
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: BROTLI_QUALITY,
        size_hint: bytes.len(),
        ..Default::default()
    };
    // Memory takes everything.
    let _ = brotli::BrotliCompress(&mut &bytes[..], &mut coded, &parameters);
    coded
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

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
            assert_eq!(Coding::wanted(&headers), coding, "{accept}");
        }
        assert_eq!(Coding::wanted(&HeaderMap::new()), Coding::Identity);
    }
}
