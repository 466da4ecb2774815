//! Answers that anybody may read and check.

use axum::http::HeaderMap;
use axum::response::Response;
use serde::Serialize;
use tokio::task::spawn_blocking;

use crate::http::coded::{self, Coded};
use crate::http::coding::Coding;
use crate::http::error::Error;
use crate::http::etag;

/// What is larger is sent as it is, in bytes: whoever asks for it again and again must not keep processors busy.
const CODED: usize = 256 * 1024;

/// The answer, or that the client has it already.
pub(super) async fn public(headers: &HeaderMap, answer: impl Serialize) -> Result<Response, Error> {
    let internal = |error: &dyn std::error::Error| Error::internal(error);
    let json = serde_json::to_vec(&answer).map_err(|error| internal(&error))?;
    let small = json.len() <= CODED;
    let wanted = small.then(|| Coding::wanted(headers));
    let coding = wanted.unwrap_or(Coding::Identity);
    let tags = Coding::ALL.map(|coding| etag::of(&json, coding.tag_suffix()));
    let about = coded::about("application/json", "accept-encoding");
    let coded = spawn_blocking(move || Coded::new(&json, coding, tags, about)).await;
    Ok(coded.map_err(|error| internal(&error))?.response(headers))
}
