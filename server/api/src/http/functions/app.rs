//! Calls of every page of the web app: settings, the price, and reports of its errors.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use psbt_wasm::statement::CoinNetwork;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use utoipa::openapi::schema::{Object, ObjectBuilder, Type};

use crate::billing::Billing;
use crate::board_log::BoardLog;
use crate::config::{Config, LegalConfig};
use crate::http::error::Error;
use crate::http::extract::{self, MAX_FILE_BODY_BYTES};
use crate::price::Price;
use crate::providers::handles;
use crate::sign_in::SignIn;
use board_log::names::PROVIDERS;
use chain::{Chain, network_in_json};
use verify::read::MAX_INPUTS;

/// Public settings and limits.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct AppConfig {
    /// Whether the server is in development mode.
    development: bool,
    /// The chain whose coins count.
    #[schema(schema_with = networks)]
    network: &'static str,
    /// The largest file that the browser reads, bytes.
    max_file_bytes: usize,
    /// The largest request with a file, bytes.
    max_body_bytes: usize,
    /// The most inputs of one file.
    max_inputs: usize,
    /// The sign-in methods.
    sign_in: Vec<SignInProvider>,
    /// Whether the premium plan is for sale.
    premium: bool,
    /// Where the current log of the board is: `/log`, or `/log/2` and so on once an earlier one has ended.
    #[schema(example = "/log", pattern = r"^/log(/([2-9]|[1-9][0-9]+))?$")]
    log: String,
    /// Verifier keys of the witnesses that cosign the log (C2SP tlog-cosignature).
    witnesses: Vec<String>,
    legal: LegalConfig,
}

fn networks() -> Object {
    let names = CoinNetwork::ALL.map(CoinNetwork::name);
    let schema = ObjectBuilder::new().schema_type(Type::String);
    schema.enum_values(Some(names)).build()
}

/// A sign-in method.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct SignInProvider {
    /// Its name in calls and rows.
    #[schema(example = json!(handles()))]
    name: &'static str,
    /// Its name on screens.
    #[schema(example = json!(PROVIDERS[0].title))]
    title: &'static str,
    /// Whether users can choose it right now.
    on: bool,
}

/// Public settings and limits.
#[utoipa::path(get, path = "/api/functions/v1/app-config", tag = "functions",
    responses((status = 200, description = "Settings", body = AppConfig)))]
pub async fn get_app_config(State(settings): State<Arc<PublicSettings>>) -> Json<AppConfig> {
    Json(settings.read().await)
}

/// What pages learn of the settings. While the server runs, only the log's address can change.
#[derive(Debug)]
pub struct PublicSettings {
    at_start: AppConfig,
    board_log: Arc<BoardLog>,
}

impl PublicSettings {
    pub async fn new(
        config: &Config,
        chain: &Chain,
        sign_in: &SignIn,
        billing: &Billing,
        board_log: Arc<BoardLog>,
    ) -> Self {
        let sign_in = sign_in
            .providers
            .list()
            .map(|(provider, on)| SignInProvider {
                name: provider.name,
                title: provider.title(),
                on,
            });
        let at_start = AppConfig {
            development: config.development(),
            network: network_in_json(chain.network()),
            max_file_bytes: psbt_wasm::MAX_FILE_BYTES,
            max_body_bytes: MAX_FILE_BODY_BYTES,
            max_inputs: MAX_INPUTS,
            sign_in: sign_in.collect(),
            premium: billing.sells(),
            log: board_log.address().await,
            witnesses: (config.board_log.witnesses.iter())
                .map(|witness| witness.key.to_string())
                .collect(),
            legal: config.legal.clone(),
        };
        Self {
            at_start,
            board_log,
        }
    }

    async fn read(&self) -> AppConfig {
        AppConfig {
            log: self.board_log.address().await,
            ..self.at_start.clone()
        }
    }
}

/// Prices of one bitcoin.
#[derive(Debug, Serialize, ToSchema)]
pub struct BitcoinPrice {
    bitcoin: Usd,
    /// Whether the price is made up, as in development.
    stand_in: bool,
}

/// A price in US dollars.
#[derive(Debug, Serialize, ToSchema)]
pub struct Usd {
    usd: f64,
}

/// The price in US dollars.
#[utoipa::path(get, path = "/api/functions/v1/bitcoin-price", tag = "functions",
    responses((status = 200, description = "The price", body = BitcoinPrice)))]
pub async fn get_bitcoin_price(
    State(price): State<Arc<Price>>,
) -> Result<Json<BitcoinPrice>, Error> {
    let unknown = "The bitcoin price is not known right now.";
    let unknown = || Error::unavailable("price-unknown", unknown);
    let price = price.fetched().await;
    let usd = price.usd.ok_or_else(unknown)?;
    let (bitcoin, stand_in) = (Usd { usd }, price.stand_in);
    Ok(Json(BitcoinPrice { bitcoin, stand_in }))
}

/// The longest message that is kept, in characters.
const MAX_CHARACTERS: usize = 1_000;

/// One entry.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ClientLogEntry {
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

/// Writes an entry to the server log, shortened and on one line.
#[utoipa::path(post, path = "/api/functions/v1/client-log", tag = "functions", request_body = ClientLogEntry,
    responses((status = 204, description = "Written")))]
pub async fn write_client_log(extract::Json(entry): extract::Json<ClientLogEntry>) -> StatusCode {
    let message = one_line(&entry.message);
    let context = one_line(&entry.context);
    match entry.level {
        Level::Warn => tracing::warn!(target: "client", %context, "{message}"),
        Level::Error => tracing::error!(target: "client", %context, "{message}"),
    }
    StatusCode::NO_CONTENT
}

/// Without control characters, so that no client can forge a line of the server log.
fn one_line(text: &str) -> String {
    let text: String = text.chars().take(MAX_CHARACTERS).collect();
    text.replace(char::is_control, " ")
}
