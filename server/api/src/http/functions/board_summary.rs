//! The board as a whole.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::Board;
use crate::board::keeper::BoardSnapshot;
use crate::board::totals::{TIERS, Totals};
use crate::http::error::Error;
use crate::http::rest::row::Btc;
use board_log::units::iso;
use chain::Chain;

/// What all rows of the board say together, of what is shown.
#[derive(Debug, Serialize, ToSchema)]
pub struct BoardSummary {
    /// Rows, those of people without holdings too.
    people: usize,
    holders: usize,
    /// What is proven, in BTC with 8 decimals.
    bitcoin: Btc,
    /// Holder tiers, largest first.
    tiers: Vec<HolderTier>,
    /// The block up to which coins have been seen to be unspent; null before the first.
    #[schema(required)]
    block: Option<FollowedBlock>,
}

/// A holder tier.
#[derive(Debug, Serialize, ToSchema)]
pub struct HolderTier {
    #[schema(example = "Whale")]
    name: &'static str,
    holders: usize,
}

/// A block of the chain.
#[derive(Debug, Serialize, ToSchema)]
pub struct FollowedBlock {
    height: i64,
    /// When this server learned of it, RFC 3339; null when it has not seen it come.
    #[schema(required)]
    since: Option<String>,
}

impl BoardSummary {
    pub fn new(seen: &BoardSnapshot, network: &str) -> Self {
        let totals = Totals::new(&seen.board);
        let tiers = TIERS.iter().zip(totals.tiers);
        let block = seen.followed(network).map(|block| FollowedBlock {
            height: block.height,
            since: block.since.map(iso),
        });
        Self {
            people: totals.people,
            holders: totals.holders,
            bitcoin: Btc(i64::try_from(totals.sats).unwrap_or(i64::MAX)),
            tiers: tiers
                .map(|((name, _), holders)| HolderTier { name, holders })
                .collect(),
            block,
        }
    }
}

/// The board as a whole: what is proven on it, by how many, and up to which block.
#[utoipa::path(get, path = "/board-summary", tag = "functions",
    responses((status = 200, description = "The sums", body = BoardSummary)))]
pub async fn get_board_summary(
    State(board): State<Arc<Board>>,
    State(chain): State<Arc<Chain>>,
) -> Result<Json<BoardSummary>, Error> {
    let seen = board.snapshot().await?;
    Ok(Json(BoardSummary::new(&seen, chain.network_name())))
}
