//! What the web app needs to know about this server.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::base::clock::DAY;
use crate::chain::Chain;
use crate::config::{Config, Day, LegalConfig};
use crate::http::extract::MAX_BODY_BYTES;
use crate::proof::VALIDITY;
use crate::providers::Provider;
use crate::sign_in::SignIn;
use crate::verify::read::MAX_INPUTS;

/// Public settings and limits.
#[derive(Debug, Serialize, ToSchema)]
pub struct AppConfig {
    /// Whether the server is in development mode.
    development: bool,
    network: Network,
    /// The largest file that the browser reads, bytes.
    max_file_bytes: usize,
    /// The largest request, bytes.
    max_body_bytes: usize,
    /// The most inputs of one file.
    max_inputs: usize,
    /// How long a proof counts, days.
    proof_days: i64,
    /// Who may say who somebody is.
    sign_in: Vec<SignInProvider>,
    legal: Legal,
}

/// Who runs the site, for the legal pages; what is null is not known, in development.
#[derive(Debug, Serialize, ToSchema)]
struct Legal {
    #[schema(required)]
    company: Option<String>,
    #[schema(required)]
    postal_address: Option<String>,
    /// Whose law applies.
    #[schema(required)]
    country: Option<String>,
    #[schema(required)]
    privacy_email: Option<String>,
    #[schema(required)]
    contact_email: Option<String>,
    /// The day on which the pages last changed, ISO 8601.
    #[schema(required, example = "2025-05-07")]
    updated: Option<String>,
}

impl From<&LegalConfig> for Legal {
    fn from(config: &LegalConfig) -> Self {
        Self {
            company: config.legal_company.clone(),
            postal_address: config.legal_postal_address.clone(),
            country: config.legal_country.clone(),
            privacy_email: config.legal_privacy_email.clone(),
            contact_email: config.legal_contact_email.clone(),
            updated: config.legal_updated.as_ref().map(Day::to_string),
        }
    }
}

/// The chain whose coins count.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Network {
    Mainnet,
    Testnet,
    Signet,
    Regtest,
}

impl From<bitcoin::Network> for Network {
    fn from(network: bitcoin::Network) -> Self {
        match network {
            bitcoin::Network::Bitcoin => Self::Mainnet,
            bitcoin::Network::Signet => Self::Signet,
            bitcoin::Network::Regtest => Self::Regtest,
            // Both test networks write addresses alike (BIP-0094).
            _ => Self::Testnet,
        }
    }
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
) -> Json<AppConfig> {
    Json(AppConfig {
        development: config.development(),
        network: chain.network().into(),
        max_file_bytes: psbt_wasm::MAX_FILE_BYTES,
        max_body_bytes: MAX_BODY_BYTES,
        max_inputs: MAX_INPUTS,
        proof_days: VALIDITY / DAY,
        sign_in: sign_in.providers().map(way).collect(),
        legal: (&config.legal).into(),
    })
}

fn way((provider, on): (&Provider, bool)) -> SignInProvider {
    SignInProvider {
        name: provider.name,
        title: provider.title,
        on,
    }
}
