//! The HTTP status of a refusal.

use axum::http::StatusCode;

use verify::Refusal;

/// 400 for a file that cannot be read, 413 for one that is too large, 422 for one that is no proof.
#[must_use]
pub fn status_of(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::File(psbt_wasm::Error::FileTooLarge)
        | Refusal::TooManyInputs { .. }
        | Refusal::TooHeavy { .. }
        | Refusal::TooComplex
        | Refusal::ScriptTooComplex { .. } => StatusCode::PAYLOAD_TOO_LARGE,
        Refusal::File(_) | Refusal::Extension | Refusal::UnknownHint => StatusCode::BAD_REQUEST,
        _ => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
