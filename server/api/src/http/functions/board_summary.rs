//! The board as a whole.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::Board;
use crate::board::memory::Memory;
use crate::board::refresh::NumberedBoard;
use crate::http::error::Error;
use board_log::tiers::TIERS;
use board_log::units::iso;
use chain::Chain;
use store::values::Btc;

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
    #[schema(example = json!(TIERS[0].name))]
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
    pub fn new(numbered: &NumberedBoard, network: &str) -> Self {
        let board = &numbered.rows;
        let block = numbered.followed(network).map(|block| FollowedBlock {
            height: block.height,
            since: block.since.map(iso),
        });
        let (tiers, holders) = tiers(board);
        Self {
            people: board.len(),
            holders,
            bitcoin: Btc(i64::try_from(board.sats()).unwrap_or(i64::MAX)),
            tiers,
            block,
        }
    }
}

/// The holder tiers, and the number of holders of all of them.
fn tiers(board: &Memory) -> (Vec<HolderTier>, usize) {
    let mut all = 0;
    let tiers = TIERS.iter().map(|tier| {
        let larger = std::mem::replace(&mut all, board.with_at_least(tier.sats.unsigned_abs()));
        let holders = all - larger;
        HolderTier {
            name: tier.name,
            holders,
        }
    });
    (tiers.collect(), all)
}

/// The board as a whole: what is proven on it, by how many, and up to which block.
#[utoipa::path(get, path = "/api/functions/v1/board-summary", tag = "functions",
    responses((status = 200, description = "The sums", body = BoardSummary)))]
pub async fn get_board_summary(
    State(board): State<Arc<Board>>,
    State(chain): State<Arc<Chain>>,
) -> Result<Json<BoardSummary>, Error> {
    let board = board.current().await?;
    Ok(Json(BoardSummary::new(&board, chain.network_name())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::changes::{Change, ShownProfile};
    use store::shown_as::ShownAs;

    fn profile(number: u32, sats: Option<i64>) -> ShownProfile {
        ShownProfile {
            id: format!("00000000-0000-4000-8000-{number:012}"),
            provider: "twitter".to_owned(),
            username: format!("u{number}"),
            username_folded: format!("u{number}"),
            avatar_url: None,
            shown_as: ShownAs::Exact,
            shown_sats: sats,
            published_sats: None,
            shown_verified: None,
            shown_updated_at: 0,
        }
    }

    #[test]
    fn holders_are_counted_by_tier_and_those_without_holdings_are_none() {
        let sats = [0, 0, 1, 9_999_999, 10_000_000, 100_000_000, 30_000_000_000];
        let rows = (1..).zip(sats);
        let rows = rows.map(|(number, sats)| profile(number, Some(sats).filter(|sats| *sats > 0)));
        let board = Memory::from_profiles(rows).unwrap();
        let counts = |board: &Memory| {
            let (tiers, holders) = tiers(board);
            let tiers: Vec<usize> = tiers.iter().map(|tier| tier.holders).collect();
            (tiers, holders, board.len(), board.sats())
        };
        assert_eq!(
            counts(&board),
            (vec![1, 0, 0, 1, 1, 2], 5, 7, 30_120_000_000)
        );
        // Changes count as well.
        let changes = [
            Change::Shown(profile(7, Some(5))),
            Change::Gone("00000000-0000-4000-8000-000000000006".to_owned()),
        ];
        let board = board.with_changes(&changes).unwrap();
        assert_eq!(counts(&board), (vec![0, 0, 0, 0, 1, 3], 4, 6, 20_000_005));
    }
}
