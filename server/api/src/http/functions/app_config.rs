//! What the web app needs to know about this server.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::billing::Billing;
use crate::config::Config;
use crate::history::History;
use crate::http::extract::MAX_FILE_BODY_BYTES;
use crate::http::site::{Legal, Network};
use crate::proof::VALIDITY;
use crate::providers::Provider;
use crate::sign_in::SignIn;
use chain::Chain;
use chain::clock::DAY;
use verify::read::MAX_INPUTS;

/// Public settings and limits.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppConfig {
    /// Whether the server is in development mode.
    development: bool,
    network: Network,
    /// The largest file that the browser reads, bytes.
    max_file_bytes: usize,
    /// The largest request with a file, bytes.
    max_body_bytes: usize,
    /// The most inputs of one file.
    max_inputs: usize,
    /// How long a proof counts, days.
    proof_days: i64,
    /// Who may say who somebody is.
    sign_in: Vec<SignInProvider>,
    /// Whether the premium plan is for sale.
    premium: bool,
    /// Where the current log of the board is: `/log`, or `/log/2` and so on once an earlier one has ended.
    #[schema(example = "/log", pattern = r"^/log(/([2-9]|[1-9][0-9]+))?$")]
    log: String,
    legal: Legal,
}

/// A way to sign in.
#[derive(Debug, Serialize, ToSchema)]
pub struct SignInProvider {
    /// Its name in calls and rows.
    #[schema(example = "twitter")]
    name: &'static str,
    /// Its name for people.
    #[schema(example = "X")]
    title: &'static str,
    /// Whether people can choose it right now.
    on: bool,
}

/// Public settings and limits.
#[utoipa::path(get, path = "/app-config", tag = "functions",
    responses((status = 200, description = "Settings", body = AppConfig)))]
pub async fn read(
    State(config): State<Arc<Config>>,
    State(chain): State<Arc<Chain>>,
    State(sign_in): State<Arc<SignIn>>,
    State(billing): State<Arc<Billing>>,
    State(history): State<Arc<History>>,
) -> Json<AppConfig> {
    Json(AppConfig {
        development: config.development(),
        network: chain.network().into(),
        max_file_bytes: psbt_wasm::MAX_FILE_BYTES,
        max_body_bytes: MAX_FILE_BODY_BYTES,
        max_inputs: MAX_INPUTS,
        proof_days: VALIDITY / DAY,
        sign_in: sign_in.providers().map(way).collect(),
        premium: billing.sells(),
        log: history.address().await,
        legal: Legal::of(&config.legal),
    })
}

fn way((provider, on): (&Provider, bool)) -> SignInProvider {
    SignInProvider {
        name: provider.name,
        title: provider.title,
        on,
    }
}
