//! What the web app needs to know about this server.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::DAY;
use crate::proof::VALIDITY;
use crate::routes::MAX_BODY_BYTES;
use crate::state::AppState;
use crate::verify::read::MAX_INPUTS;

/// Public settings and limits.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppConfig {
    /// Whether the server is in development mode.
    development: bool,
    /// `mainnet`, `testnet`, `signet` or `regtest`.
    #[schema(example = "mainnet")]
    network: &'static str,
    /// The largest file that the browser reads, bytes.
    max_file_bytes: usize,
    /// The largest request, bytes.
    max_body_bytes: usize,
    /// The most inputs of one file.
    max_inputs: usize,
    /// How long a proof counts, days.
    proof_days: i64,
    /// Which ways to sign in are switched on.
    sign_in: SignIn,
}

/// Which ways to sign in are switched on.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignIn {
    /// Development's mock user.
    mock: bool,
    /// X.
    twitter: bool,
    /// Google.
    google: bool,
    /// GitHub.
    github: bool,
}

/// Public settings and limits.
#[utoipa::path(get, path = "/app-config", tag = "functions",
    responses((status = 200, description = "Settings", body = AppConfig)))]
pub async fn read(State(state): State<AppState>) -> Json<AppConfig> {
    use bitcoin::Network;
    Json(AppConfig {
        development: state.config.development(),
        network: match state.chain.network() {
            Network::Bitcoin => "mainnet",
            Network::Signet => "signet",
            Network::Regtest => "regtest",
            // Both test networks write addresses alike (BIP-0094).
            _ => "testnet",
        },
        max_file_bytes: psbt_wasm::MAX_FILE_BYTES,
        max_body_bytes: MAX_BODY_BYTES,
        max_inputs: MAX_INPUTS,
        proof_days: VALIDITY / DAY,
        sign_in: SignIn {
            mock: state.config.development(),
            twitter: false,
            google: false,
            github: false,
        },
    })
}
