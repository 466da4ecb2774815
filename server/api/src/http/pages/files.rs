//! The files of the web app. They lie compressed in the program, and are sent as they lie there: nothing is unpacked before somebody
//! asks who takes no Brotli.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;
use memory_serve::Asset;
use tokio::sync::OnceCell;
use tokio::task::spawn_blocking;

use crate::http::coded::{self, Coded};
use crate::http::coding::Coding;
use crate::http::error::Error;

/// As `server/build.rs` lists them.
static ASSETS: &[Asset] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

static FILES: LazyLock<HashMap<&str, File>> = LazyLock::new(|| {
    let files = ASSETS.iter().map(|asset| (asset.route, File::of(asset)));
    files.collect()
});

/// Below this stand the files that carry a hash of their content in their name, so they never change.
const HASHED: &str = "/assets/";

/// A file, and what has been made of it for those who asked.
pub(super) struct File {
    asset: &'static Asset,
    tags: [String; 3],
    coded: [OnceCell<Coded>; 3],
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
        let tag = |coding: Coding| format!("\"{}{}\"", asset.etag, coding.tag_suffix());
        Self {
            asset,
            tags: Coding::ALL.map(tag),
            coded: Default::default(),
        }
    }

    /// The file in the coding that the client takes, or that the client has it.
    ///
    /// # Errors
    /// When packing it anew panics.
    pub(super) async fn response(&'static self, headers: &HeaderMap) -> Result<Response, Error> {
        let coding = match self.asset.should_compress {
            true => Coding::wanted(headers),
            false => Coding::Identity,
        };
        let coded = &self.coded[coding as usize];
        let coded = coded.get_or_try_init(|| self.code(coding)).await?;
        Ok(coded.response(headers))
    }

    async fn code(&'static self, coding: Coding) -> Result<Coded, Error> {
        let (tags, about) = (self.tags.clone(), self.about());
        let embedded = self.asset.bytes.unwrap_or_default();
        let is_coded_so = match coding {
            Coding::Brotli => self.asset.is_compressed,
            Coding::Identity => !self.asset.is_compressed,
            Coding::Gzip => false,
        };
        if is_coded_so {
            let bytes = Bytes::from_static(embedded);
            return Ok(Coded::of_coded(bytes, coding, tags, about));
        }
        let coding = spawn_blocking(move || Coded::new(&self.plain(), coding, tags, about)).await;
        coding.map_err(Error::internal)
    }

    fn about(&self) -> HeaderMap {
        let mut about = coded::about(self.asset.content_type, "accept-encoding");
        if !self.asset.should_compress {
            about.remove(header::VARY);
        }
        if is_asset(self.asset.route) {
            about.insert(header::CACHE_CONTROL, FOR_EVER);
        }
        about
    }

    fn plain(&self) -> Vec<u8> {
        let mut embedded = self.asset.bytes.unwrap_or_default();
        if !self.asset.is_compressed {
            return embedded.to_vec();
        }
        let mut plain = Vec::new();
        brotli::BrotliDecompress(&mut embedded, &mut plain)
            .expect("what the build has compressed can be unpacked into memory");
        plain
    }
}

const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

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
            let (_, plain) = sent(file, "identity").await;
            assert_eq!(hex::encode(Sha256::digest(&plain)), file.asset.etag);
            for accepted in ["br, gzip", "gzip"] {
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
        let unpacked = Coding::ALL.map(|coding| file.coded[coding as usize].initialized());
        assert_eq!(unpacked, [false, false, true]);
    }

    #[tokio::test]
    async fn who_has_a_file_is_told_so_whatever_coding_it_came_in() {
        let file = at("/index.html").unwrap();
        for tag in &file.tags {
            let tag = HeaderValue::from_str(tag).unwrap();
            let asked = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag)]);
            let response = file.response(&asked).await.unwrap();
            assert_eq!(response.status().as_u16(), 304);
        }
    }
}
