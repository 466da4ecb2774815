//! The pages that check proofs, and make them for one reader: documents of their own, in which no code of a session runs, with a policy of
//! their own (decisions, D16).

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::Pages;
use super::document::bare;
use super::files;
use super::head::Head;
use crate::http::error::Error;
use crate::published_proofs::Published;

/// The page may connect to any chain source that its visitor chooses; to one without encryption only on the visitor's own machine.
/// Everything else is as for the app, or narrower.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; \
     connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; form-action 'none'; \
     base-uri 'none'; frame-ancestors 'none'";

/// The document at this address. The words of a link to `/prove` are in its fragment, which no server sees.
pub async fn get_document(State(pages): State<Arc<Pages>>, uri: Uri) -> Result<Response, Error> {
    let html = html(&pages.origin, uri.path()).map_err(Error::internal)?;
    let headers = [
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, Html(html)).into_response())
}

/// The document for one published proof; 404, and still the document, when there is none.
pub async fn get_proof_page(
    pages: State<Arc<Pages>>,
    State(published): State<Arc<Published>>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Error> {
    let mut response = get_document(pages, uri).await?;
    if !is_published(&published, &id).await {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    Ok(response)
}

/// Where the documents are. All published proofs have the same one.
const ADDRESSES: [&str; 4] = ["/verify", "/verify/{id}", "/prove", "/prove/ask"];

impl Pages {
    /// The SHA-256 of every file and of each document that checks or makes proofs, by its address, for the log (proofs, section 5).
    ///
    /// # Errors
    /// When a document cannot be written.
    pub fn hashes(&self) -> Result<BTreeMap<String, String>, askama::Error> {
        let mut hashes: BTreeMap<_, _> = files::hashes().collect();
        for path in ADDRESSES {
            let html = html(&self.origin, path)?;
            hashes.insert(path.to_owned(), hex::encode(Sha256::digest(html)));
        }
        Ok(hashes)
    }
}

/// No byte of it depends on the request.
fn html(origin: &str, path: &str) -> Result<String, askama::Error> {
    Ok(bare(path, &Head::for_path(path).html(origin)?))
}

/// True while the database fails: the document says what is wrong.
async fn is_published(published: &Published, id: &str) -> bool {
    let Ok(id) = Uuid::try_parse(id) else {
        return false;
    };
    let found = published.is_published(&id.to_string()).await;
    let found = found.map_err(Error::from).inspect_err(Error::record_cause);
    found.unwrap_or(true)
}
