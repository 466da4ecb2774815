//! The current price of a bitcoin.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::error::{Error, Problem};
use crate::price::Price;

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
#[utoipa::path(get, path = "/bitcoin-price", tag = "functions",
    responses(
        (status = 200, description = "The price", body = BitcoinPrice),
        (status = 503, description = "Unknown", body = Problem, content_type = "application/problem+json"),
    ))]
pub async fn read(State(price): State<Arc<Price>>) -> Result<Json<BitcoinPrice>, Error> {
    let unknown =
        || Error::unavailable("price-unknown", "The bitcoin price is not known right now.");
    let usd = price.usd().await.ok_or_else(unknown)?;
    Ok(Json(BitcoinPrice {
        bitcoin: Usd { usd },
        stand_in: price.is_stand_in(),
    }))
}
