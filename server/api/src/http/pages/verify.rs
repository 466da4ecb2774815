//! The page that checks proofs: a document of its own, in which no code of a session runs, with a policy of its own (decisions, D16).

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use uuid::Uuid;

use super::document;
use super::head::Head;
use super::render::Pages;
use crate::http::error::Error;
use store::Store;

/// It may ask whatever chain source its visitor chooses; a source without encryption only on the visitor's own machine. Everything else is as
/// for the app, or narrower.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; font-src 'self'; \
     connect-src 'self' https: http://localhost:* http://127.0.0.1:*; worker-src 'self'; form-action 'none'; \
     base-uri 'none'; frame-ancestors 'none'";

/// The document without a proof in its address.
pub(super) async fn page(State(pages): State<Arc<Pages>>, uri: Uri) -> Result<Response, Error> {
    let head = Head::of_path(uri.path()).html(&pages.origin);
    let html = document::verify(&head.map_err(Error::internal)?);
    let headers = [
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, Html(html)).into_response())
}

/// The document for one published proof; 404, and still the document, when there is none.
pub(super) async fn of_proof(
    pages: State<Arc<Pages>>,
    State(store): State<Store>,
    Path(id): Path<String>,
    uri: Uri,
) -> Result<Response, Error> {
    let mut response = page(pages, uri).await?;
    if !is_there(&store, &id).await {
        *response.status_mut() = StatusCode::NOT_FOUND;
    }
    Ok(response)
}

/// While the database fails, the document says what is wrong.
async fn is_there(store: &Store, id: &str) -> bool {
    let Ok(id) = Uuid::try_parse(id) else {
        return false;
    };
    let proof = store.published_proof(&id.to_string()).await;
    let proof = proof.map_err(Error::from).inspect_err(Error::log);
    !matches!(proof, Ok(None))
}

/// Another name of the document.
pub(super) async fn with_slash(uri: Uri) -> Redirect {
    let path = uri.path().trim_end_matches('/');
    let query = uri
        .query()
        .map_or_else(String::new, |query| format!("?{query}"));
    Redirect::permanent(&format!("{path}{query}"))
}

/// The file that it was built as has not its policy.
pub(super) async fn file() -> Redirect {
    Redirect::temporary("/verify")
}
