//! The files of the web app. They lie compressed in the program, and are sent as they lie there: nothing is unpacked before somebody
//! asks who takes no Brotli.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use memory_serve::Asset;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::http::error::Error;

/// As `server/build.rs` lists them.
static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

static FILES: LazyLock<HashMap<&str, File>> = LazyLock::new(|| {
    let files = ASSETS.iter().map(|asset| (asset.route, File::of(asset)));
    files.collect()
});

/// Below this stand the files that carry a hash of their content in their name, so they never change.
const HASHED: &str = "/assets/";

/// A file, and its other encodings once a client has asked for them.
pub(super) struct File {
    asset: &'static Asset,
    plain: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

/// The file at this path.
pub(super) fn at(path: &str) -> Option<&'static File> {
    FILES.get(path)
}

/// Whether there is, or was in another release, a file at this path and no page.
pub(super) fn is_asset(path: &str) -> bool {
    path.starts_with(HASHED)
}

impl File {
    fn of(asset: &'static Asset) -> Self {
        Self {
            asset,
            plain: OnceCell::new(),
            gzip: OnceCell::new(),
        }
    }

    /// The file in the encoding that the client takes.
    ///
    /// # Errors
    /// When encoding it anew fails.
    pub(super) async fn response(&'static self, headers: &HeaderMap) -> Result<Response, Error> {
        let wanted = headers.get(header::ACCEPT_ENCODING);
        let wanted = wanted.filter(|_| self.asset.should_compress);
        let embedded = self.asset.bytes.unwrap_or_default();
        let (bytes, suffix) = match wanted.map(HeaderValue::as_bytes) {
            Some(b"br") if self.asset.is_compressed => (Bytes::from_static(embedded), "-br"),
            Some(b"gzip") => (self.gzip().await?, "-gzip"),
            _ if self.asset.is_compressed => (self.plain().await?, ""),
            _ => (Bytes::from_static(embedded), ""),
        };
        let mut response = bytes.into_response();
        let headers = response.headers_mut();
        let tag = format!("\"{}{suffix}\"", self.asset.etag);
        headers.extend(HeaderValue::try_from(tag).map(|tag| (header::ETAG, tag)));
        let content_type = HeaderValue::from_static(self.asset.content_type);
        headers.insert(header::CONTENT_TYPE, content_type);
        let cached = if is_asset(self.asset.route) {
            FOR_EVER
        } else {
            EACH_TIME
        };
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
        if self.asset.should_compress {
            headers.insert(header::VARY, header::ACCEPT_ENCODING.into());
        }
        if let Some(name) = suffix.strip_prefix('-') {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
        }
        Ok(response)
    }

    async fn plain(&self) -> Result<Bytes, Error> {
        let mut embedded = self.asset.bytes.unwrap_or_default();
        let unpack = move || {
            let mut plain = Vec::new();
            brotli::BrotliDecompress(&mut embedded, &mut plain).map(|()| plain.into())
        };
        once(&self.plain, unpack).await
    }

    async fn gzip(&self) -> Result<Bytes, Error> {
        let plain = match self.asset.is_compressed {
            true => self.plain().await?,
            false => Bytes::from_static(self.asset.bytes.unwrap_or_default()),
        };
        let pack = move || {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(&plain)?;
            encoder.finish().map(Bytes::from)
        };
        once(&self.gzip, pack).await
    }
}

async fn once(
    cell: &OnceCell<Bytes>,
    encode: impl FnOnce() -> io::Result<Bytes> + Send + 'static,
) -> Result<Bytes, Error> {
    let encoding = async || {
        spawn_blocking(encode)
            .await
            .map_err(Error::internal)?
            .map_err(Error::internal)
    };
    cell.get_or_try_init(encoding).await.cloned()
}

const FOR_EVER: &str = "public, max-age=31536000, immutable";
const EACH_TIME: &str = "no-cache";

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::body::to_bytes;
    use flate2::read::GzDecoder;
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
    async fn every_file_is_the_same_in_each_coding() {
        assert!(at("/index.html").is_some());
        for (path, file) in &*FILES {
            let (_, plain) = sent(file, "").await;
            assert_eq!(hex::encode(Sha256::digest(&plain)), file.asset.etag);
            for accepted in ["br", "gzip"] {
                let (headers, coded) = sent(file, accepted).await;
                let mut bytes = Vec::new();
                match headers
                    .get(header::CONTENT_ENCODING)
                    .map(|it| it.to_str().unwrap())
                {
                    None => bytes = coded,
                    Some("gzip") => {
                        GzDecoder::new(&coded[..]).read_to_end(&mut bytes).unwrap();
                    }
                    Some(_) => {
                        brotli::BrotliDecompress(&mut &coded[..], &mut bytes).unwrap();
                    }
                }
                assert_eq!(bytes, plain, "{path} {accepted}");
            }
        }
    }

    #[tokio::test]
    async fn who_takes_brotli_gets_the_bytes_of_the_program_and_nothing_is_unpacked() {
        let file = File::of(FILES["/index.html"].asset);
        let file: &'static File = Box::leak(Box::new(file));
        assert!(file.asset.is_compressed);
        let (headers, coded) = sent(file, "br").await;
        assert_eq!(headers[header::CONTENT_ENCODING], "br");
        assert_eq!(coded, file.asset.bytes.unwrap());
        assert!(!file.plain.initialized() && !file.gzip.initialized());
    }
}
