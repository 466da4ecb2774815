//! The board as a whole: what is shown on it added up, and how many holders there are of each tier.

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

/// What all rows say together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Rows, those of people without holdings too.
    pub people: usize,
    pub holders: usize,
    pub sats: u64,
    /// How many holders are of each tier, in the order of [`TIERS`].
    pub tiers: [usize; TIERS.len()],
}

impl Totals {
    #[must_use]
    pub fn of(board: &Memory) -> Self {
        let mut holders = 0;
        let tiers = TIERS.map(|(_, from)| {
            let with = board.with_at_least(from);
            with - std::mem::replace(&mut holders, with)
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
    use store::changes::ShownProfile;
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
        let mut board = Memory::of(rows).unwrap();
        let totals = Totals::of(&board);
        assert_eq!(totals.tiers, [1, 0, 0, 1, 1, 2]);
        assert_eq!(
            (totals.people, totals.holders, totals.sats),
            (7, 5, 30_120_000_000)
        );
        // A change counts as well.
        let change = store::changes::Change::Shown(profile(7, Some(5)));
        board.change(&change).unwrap();
        let change =
            store::changes::Change::Gone("00000000-0000-4000-8000-000000000006".to_owned());
        board.change(&change).unwrap();
        assert_eq!(
            Totals::of(&board),
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
