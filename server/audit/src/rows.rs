//! Rows of the board, and whether their order is right.

use super::finding::Finding;
use super::wire;
use board_log::units::btc_text;

/// A row, understood.
#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: String,
    /// The name as the board shows it.
    pub(super) name: String,
    pub(super) rank: Option<i64>,
    /// What is shown as proven, in sats; of a range where its tier begins.
    pub(super) holdings: Option<i64>,
    /// What of it stands on published proofs, in sats.
    pub(super) published: i64,
    /// Whether no more than the holder tier is shown (decisions, D17).
    pub(super) range: bool,
}

impl From<wire::Row> for Row {
    fn from(row: wire::Row) -> Self {
        Self {
            name: row.name(),
            rank: row.rank,
            holdings: row.bitcoin_holdings.as_deref().and_then(wire::sats),
            published: row.published_sats.unwrap_or(0),
            range: row.shown_as.as_deref() == Some("range"),
            id: row.id,
        }
    }
}

/// Rows that came in one answer, and so are of one moment.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) offset: usize,
    pub(super) rows: Vec<Row>,
}

/// What is wrong with the ranks of a page: 1 plus the number of those with strictly more (decisions, D7). A row of a range shows where
/// its tier begins, and has the place of that (decisions, D17).
pub(super) fn ranks(page: &Page) -> Vec<Finding> {
    let places = (page.offset + 1..).zip(&page.rows);
    let mut wrong = Vec::new();
    let mut above: Option<&Row> = None;
    for (place, row) in places {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let right = match above {
            Some(above) if above.holdings == row.holdings => row.rank == above.rank,
            Some(above) => above.holdings > row.holdings && row.rank == Some(place),
            // The first of a later page is the last of the page before, and was looked at there.
            None => page.offset > 0 || row.rank == Some(1),
        };
        if !right {
            wrong.push(Finding::of_row(
                "rank",
                (&row.id, &row.name),
                format!(
                    "the board shows {} at rank {}, and their holdings of {} BTC are not at that place of its order",
                    row.name,
                    row.rank.map_or_else(|| "N/A".to_owned(), |rank| rank.to_string()),
                    btc_text(row.holdings.unwrap_or(0)),
                ),
            ));
        }
        above = Some(row);
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of these holdings and ranks, those of ranges with a `true`; and the names of those that stand wrong.
    fn wrong(offset: usize, rows: &[(i64, i64, bool)]) -> Vec<String> {
        let row = |(index, (holdings, rank, range)): (usize, &(i64, i64, bool))| Row {
            id: String::new(),
            name: index.to_string(),
            rank: Some(*rank),
            holdings: Some(*holdings),
            published: 0,
            range: *range,
        };
        let rows = rows.iter().enumerate().map(row).collect();
        let found = ranks(&Page { offset, rows });
        found.into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn ranks_follow_from_what_is_shown() {
        let right = [
            (9, 1, false),
            (7, 2, false),
            (7, 2, true),
            (7, 2, true),
            (3, 5, false),
        ];
        assert_eq!(wrong(0, &right), [""; 0]);
        for (place, rank) in [(0, 2), (1, 1), (2, 3), (3, 3), (4, 4), (4, 6)] {
            let mut lie = right;
            lie[place].1 = rank;
            assert!(wrong(0, &lie).contains(&place.to_string()), "{lie:?}");
        }
        // In another order.
        let mut lie = right;
        lie.swap(0, 1);
        assert!(!wrong(0, &lie).is_empty());
        // Of a later page, whose first is the last of the one before.
        let later = [(7, 2, true), (7, 2, true), (3, 1_002, false)];
        assert_eq!(wrong(999, &later), [""; 0]);
        assert_eq!(wrong(998, &later), ["2"]);
    }
}
