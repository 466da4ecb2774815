//! Bodies that other servers send: never more of one than a limit.

use reqwest::Response;

/// Why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// It is longer than the limit.
    #[error("the answer is too long")]
    TooLong,
    /// The connection failed.
    #[error(transparent)]
    Http(#[from] reqwest::Error),
}

/// The body of an answer, which has at most `limit` bytes.
///
/// # Errors
/// When it is longer, or does not arrive.
pub async fn read_at_most(mut answer: Response, limit: usize) -> Result<Vec<u8>, BodyError> {
    // Growing step by step would take up to three times as much for a while.
    let stated = answer.content_length().map(usize::try_from);
    let mut body = Vec::with_capacity(stated.and_then(Result::ok).unwrap_or_default().min(limit));
    while let Some(chunk) = answer.chunk().await? {
        if body.len() + chunk.len() > limit {
            return Err(BodyError::TooLong);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}
