//! The files of the web app. The program holds them compressed and sends them as they are; it decompresses one only for a client
//! that does not accept Brotli.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum_extra::headers::HeaderMapExt;
use memory_serve::Asset;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::http::encoding;
use crate::http::error::Error;
use crate::http::etag;

/// As `server/build.rs` lists them.
static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

static FILES: LazyLock<HashMap<&str, File>> = LazyLock::new(|| {
    let files = ASSETS.iter().map(|asset| (asset.route, File::new(asset)));
    files.collect()
});

/// Below this stand the files that carry a hash of their content in their name, so they never change.
const HASHED: &str = "/assets/";

/// A file, and what it is without Brotli once a client has asked for that.
pub(super) struct File {
    asset: &'static Asset,
    plain: OnceCell<Bytes>,
}

/// The file at this path.
pub(super) fn find(path: &str) -> Option<&'static File> {
    FILES.get(path)
}

/// The files that are served at their paths, each with the SHA-256 of what it is uncompressed, hex.
pub(super) fn hashes() -> impl Iterator<Item = (String, String)> {
    let documents = ["/index.html", "/verify.html", "/prove.html"];
    let files = ASSETS
        .iter()
        .filter(move |it| !documents.contains(&it.route));
    files.map(|it| (it.route.to_owned(), it.etag.to_owned()))
}

/// Whether there is, or was in another release, a file at this path and no page.
pub(super) fn is_asset(path: &str) -> bool {
    path.starts_with(HASHED)
}

impl File {
    fn new(asset: &'static Asset) -> Self {
        let plain = OnceCell::new();
        Self { asset, plain }
    }

    /// The file in Brotli for clients that take it, else as it is.
    ///
    /// # Errors
    /// When it cannot be decompressed.
    pub(super) async fn response(&'static self, headers: &HeaderMap) -> Result<Response, Error> {
        let (asset, embedded) = (self.asset, self.asset.bytes.unwrap_or_default());
        let is_encoded = asset.is_compressed && encoding::accepts(headers, "br");
        let bytes = if is_encoded || !asset.is_compressed {
            Bytes::from_static(embedded)
        } else {
            self.plain
                .get_or_try_init(|| decompress(embedded))
                .await?
                .clone()
        };
        let tag = if is_encoded { "-br" } else { "" };
        let tag = HeaderValue::try_from(format!("\"{}{tag}\"", asset.etag));
        let cached = if is_asset(asset.route) {
            FOR_EVER
        } else {
            "no-cache"
        };
        let about = [
            (header::CONTENT_TYPE, asset.content_type),
            (header::CACHE_CONTROL, cached),
        ];
        let vary = asset
            .is_compressed
            .then_some([(header::VARY, "accept-encoding")]);
        let encoding = is_encoded.then_some([(header::CONTENT_ENCODING, "br")]);
        let tag = [(header::ETAG, tag.map_err(Error::internal)?)];
        let response = (tag, about, vary, encoding, bytes).into_response();
        Ok(etag::unless_known(headers.typed_get(), response))
    }
}

async fn decompress(mut bytes: &'static [u8]) -> Result<Bytes, Error> {
    let work = move || {
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut bytes, &mut plain).map(|()| plain.into())
    };
    let bytes = spawn_blocking(work).await.map_err(Error::internal)?;
    bytes.map_err(Error::internal)
}

const FOR_EVER: &str = "public, max-age=31536000, immutable";

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use sha2::{Digest, Sha256};

    use super::*;

    async fn sent(file: &'static File, accepted: &'static str) -> (HeaderMap, Vec<u8>) {
        let accepted = HeaderValue::from_static(accepted);
        let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepted)]);
        let response = file.response(&asked).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        (parts.headers, body.into())
    }

    #[tokio::test]
    async fn every_file_is_the_same_in_each_encoding() {
        assert!(find("/index.html").is_some());
        for (path, file) in &*FILES {
            let (_, plain) = sent(file, "").await;
            assert_eq!(hex::encode(Sha256::digest(&plain)), file.asset.etag);
            let (headers, packed) = sent(file, "br").await;
            let mut bytes = packed.clone();
            if headers.contains_key(header::CONTENT_ENCODING) {
                bytes.clear();
                brotli::BrotliDecompress(&mut &packed[..], &mut bytes).unwrap();
            }
            assert_eq!(bytes, plain, "{path}");
        }
    }

    #[test]
    fn the_program_does_not_say_where_it_was_built() {
        for asset in ASSETS {
            assert_eq!(asset.path, asset.route);
        }
    }

    #[tokio::test]
    async fn who_takes_brotli_gets_the_bytes_of_the_program_and_nothing_is_decompressed() {
        let file = File::new(FILES["/index.html"].asset);
        let file: &'static File = Box::leak(Box::new(file));
        assert!(file.asset.is_compressed);
        let (headers, coded) = sent(file, "br").await;
        assert_eq!(headers[header::CONTENT_ENCODING], "br");
        assert_eq!(coded, file.asset.bytes.unwrap());
        assert!(!file.plain.initialized());
    }
}
