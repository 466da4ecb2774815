//! Whether the process lives, and whether it can serve.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::health;
use crate::state::AppState;

/// The process answers. Restart it when it does not.
pub async fn alive() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

/// The database and the chain answer as well. While they do not, send requests elsewhere; restarting
/// would not help.
pub async fn ready(State(state): State<AppState>) -> (StatusCode, Json<Value>) {
    let reasons = health::reasons(&state).await;
    if reasons.is_empty() {
        (StatusCode::OK, Json(json!({ "status": "ok" })))
    } else {
        let body = json!({ "status": "unavailable", "reasons": reasons });
        (StatusCode::SERVICE_UNAVAILABLE, Json(body))
    }
}
