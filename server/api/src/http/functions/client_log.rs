//! Where the web app reports its own errors and warnings.

use axum::http::StatusCode;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::http::error::Error;
use crate::http::extract::Json;

/// The longest message that is kept, in characters.
const MAX_CHARACTERS: usize = 1_000;

/// One entry.
#[derive(Debug, Deserialize, ToSchema)]
pub struct LogEntry {
    level: Level,
    message: String,
    /// Which part of the app.
    #[serde(default)]
    context: String,
}

/// How bad it is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Level {
    Warn,
    Error,
}

/// Writes an entry to the server's log, shortened and on one line.
#[utoipa::path(post, path = "/client-log", tag = "functions", request_body = LogEntry,
    responses((status = 204, description = "Written")))]
pub async fn write(Json(entry): Json<LogEntry>) -> Result<StatusCode, Error> {
    let message = one_line(&entry.message);
    let context = one_line(&entry.context);
    match entry.level {
        Level::Warn => tracing::warn!(target: "client", %context, "{message}"),
        Level::Error => tracing::error!(target: "client", %context, "{message}"),
    }
    Ok(StatusCode::NO_CONTENT)
}

/// Nobody can forge a log line of ours by sending line ends.
fn one_line(text: &str) -> String {
    text.chars()
        .take(MAX_CHARACTERS)
        .map(|character| {
            if character.is_control() {
                ' '
            } else {
                character
            }
        })
        .collect()
}
