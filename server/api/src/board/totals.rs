//! The totals of the board: the sum of all shown sats, and the number of holders of each tier.

use super::memory::Memory;

/// The holder tiers (specification, section 3) and the sats that each begins at, largest first.
pub const TIERS: [(&str, u64); 6] = [
    ("Whale", 10_000_000_000),
    ("Shark", 5_000_000_000),
    ("Dolphin", 1_000_000_000),
    ("Fish", 100_000_000),
    ("Crab", 10_000_000),
    ("Plankton", 1),
];

/// The totals of all rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// All rows, including those without holdings.
    pub people: usize,
    pub holders: usize,
    pub sats: u64,
    /// The number of holders of each tier, in the order of [`TIERS`].
    pub tiers: [usize; TIERS.len()],
}

impl Totals {
    #[must_use]
    pub fn new(board: &Memory) -> Self {
        let mut holders = 0;
        let tiers = TIERS.map(|(_, from)| {
            let richer = std::mem::replace(&mut holders, board.with_at_least(from));
            holders - richer
        });
        Self {
            people: board.len(),
            holders,
            sats: board.sats(),
            tiers,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::person::holder_tier;
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
        let totals = Totals::new(&board);
        assert_eq!(totals.tiers, [1, 0, 0, 1, 1, 2]);
        assert_eq!(
            (totals.people, totals.holders, totals.sats),
            (7, 5, 30_120_000_000)
        );
        // Changes count as well.
        let changes = [
            Change::Shown(profile(7, Some(5))),
            Change::Gone("00000000-0000-4000-8000-000000000006".to_owned()),
        ];
        let board = board.with_changes(&changes).unwrap();
        assert_eq!(
            Totals::new(&board),
            Totals {
                people: 6,
                holders: 4,
                sats: 20_000_005,
                tiers: [0, 0, 0, 0, 1, 3],
            }
        );
    }

    #[test]
    fn the_tiers_are_those_of_rows() {
        for (name, from) in TIERS {
            assert_eq!(holder_tier(i64::try_from(from).ok()), name);
        }
    }
}
