//! Checks the list of rows as a whole: ranks, times and sums.

use std::collections::HashSet;

use super::finding::Finding;
use super::proof::CLOCKS;
use super::responses::{Summary, sats};
use super::rows::{Page, Row};
use board_log::tiers::{TIERS, Tier, holder_tier};
use board_log::units::{btc_text, unix_time};
use chain::clock::UnixTime;

/// The sums over all rows: users, holders, sats, and the holders of each tier, the largest first.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sums {
    people: i64,
    holders: i64,
    sats: i64,
    tiers: Vec<i64>,
}

fn sums_over(rows: &[&Row]) -> Sums {
    let holdings: Vec<i64> = rows.iter().filter_map(|row| row.holdings).collect();
    let count = |tier: &Tier| {
        let tiers = holdings.iter().map(|sats| holder_tier(Some(*sats)));
        number(tiers.filter(|name| *name == tier.name).count())
    };
    Sums {
        people: number(rows.len()),
        holders: number(holdings.len()),
        sats: holdings
            .iter()
            .fold(0, |sum, sats| sum.saturating_add(*sats)),
        tiers: TIERS.iter().map(count).collect(),
    }
}

fn number(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn sums_of(summary: &Summary) -> Sums {
    let in_tier = |tier: &Tier| summary.tiers.iter().find(|it| it.name == tier.name);
    let tiers = TIERS
        .iter()
        .map(|tier| in_tier(tier).map_or(-1, |it| it.holders));
    Sums {
        people: summary.people,
        holders: summary.holders,
        sats: sats(&summary.bitcoin).unwrap_or(-1),
        tiers: tiers.collect(),
    }
}

impl Sums {
    fn values(&self) -> impl Iterator<Item = i64> {
        let tiers = self.tiers.iter().copied();
        [self.people, self.holders, self.sats]
            .into_iter()
            .chain(tiers)
    }
}

/// Whether each value is between those of two moments: the board may change in between.
fn is_between(sums: &Sums, before: &Sums, after: &Sums) -> bool {
    let mut values = sums.values().zip(before.values().zip(after.values()));
    values.all(|(value, (one, other))| (one.min(other)..=one.max(other)).contains(&value))
}

fn words(sums: &Sums) -> String {
    let Sums {
        people,
        holders,
        sats,
        tiers,
    } = sums;
    let tiers = TIERS.iter().zip(tiers);
    let tiers = tiers.map(|(tier, count)| format!("{} {count}", tier.name));
    let (sats, tiers) = (btc_text(*sats), tiers.collect::<Vec<_>>().join(", "));
    format!("{people} people, {holders} of them with {sats} BTC in all ({tiers})")
}

/// Findings about the list as a whole. The summaries are those of the board before and after the list was read, and the one in
/// its leaderboard page in between.
pub(super) fn findings(
    pages: &[Page],
    [before, after]: [&Summary; 2],
    in_page: Option<&Summary>,
    now: UnixTime,
) -> Vec<Finding> {
    let mut wrong: Vec<Finding> = pages.iter().flat_map(ranks).collect();
    let (mut seen, mut rows) = (HashSet::new(), Vec::new());
    for row in pages.iter().flat_map(|page| &page.rows) {
        let verified = row.last_verified.as_deref().map(unix_time);
        if verified.is_some_and(|it| it.is_none_or(|it| it > now + CLOCKS)) {
            let sentence = format!(
                "the list of rows has {}, verified {}",
                row.name(),
                row.when()
            );
            wrong.push(row.finding("time", sentence));
        }
        if seen.insert(&row.id) {
            rows.push(row);
        } else {
            let sentence = format!("the list of rows has {} more than once", row.name());
            wrong.push(row.finding("twice-listed", sentence));
        }
    }
    let sums = sums_over(&rows);
    let [before, after] = [before, after].map(sums_of);
    if !is_between(&sums, &before, &after) {
        let sentence = format!(
            "the list of rows has {}, and the board's summary says {}",
            words(&sums),
            words(&after)
        );
        wrong.push(Finding::for_board("list", sentence));
    }
    let in_page = in_page.map(sums_of);
    if let Some(shown) = in_page.filter(|it| !is_between(it, &before, &after)) {
        let sentence = format!(
            "the page of the leaderboard says {}, and the board's summary says {}",
            words(&shown),
            words(&after)
        );
        wrong.push(Finding::for_board("first-page", sentence));
    }
    wrong
}

/// Findings about the ranks of a page: a rank is 1 plus the number of rows with strictly more (decisions, D7). A range ranks as the start
/// of its tier (decisions, D17).
fn ranks(page: &Page) -> Vec<Finding> {
    let places = (page.offset + 1..).zip(&page.rows);
    let mut wrong = Vec::new();
    let mut above: Option<&Row> = None;
    for (place, row) in places {
        let place = i64::try_from(place).unwrap_or(i64::MAX);
        let right = match (row.holdings, above) {
            // A row with nothing proven has no rank, and comes last.
            (None, _) => row.rank.is_none(),
            (_, Some(above)) if above.holdings == row.holdings => row.rank == above.rank,
            (_, Some(above)) => above.holdings > row.holdings && row.rank == Some(place),
            // The row before a later page is from another moment.
            (_, None) if page.offset > 0 => row.rank.is_some_and(|rank| rank <= place),
            (_, None) => row.rank == Some(1),
        } && row.verified == row.holdings.is_some();
        if !right {
            let sentence = format!(
                "the board shows {} at {}, and their holdings of {} are not at that place of its order",
                row.name(),
                row.rank_in_words(),
                row.amount(),
            );
            wrong.push(row.finding("rank", sentence));
        }
        above = Some(row);
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks rows with these holdings and ranks, `true` for ranges; returns the names of those with a wrong rank.
    fn wrong(offset: usize, rows: &[(i64, i64, bool)]) -> Vec<String> {
        let row = |(index, (holdings, rank, range)): (usize, &(i64, i64, bool))| Row {
            id: String::new(),
            username: index.to_string(),
            provider: String::new(),
            named: false,
            verified: true,
            last_verified: None,
            rank: Some(*rank),
            holdings: Some(*holdings),
            published_sats: None,
            shown_as: range.then(|| "range".to_owned()),
        };
        let rows = rows.iter().enumerate().map(row).collect();
        let number = None;
        let found = ranks(&Page {
            offset,
            number,
            rows,
        });
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
        // From a later page, whose first row may share a rank with the row before it.
        let later = [(7, 2, true), (7, 2, true), (3, 1_002, false)];
        assert_eq!(wrong(999, &later), [""; 0]);
        assert_eq!(wrong(998, &later), ["2"]);
        assert_eq!(wrong(0, &later), ["0", "2"]);
        let later = [(7, 1_001, true), (3, 1_001, false)];
        assert_eq!(wrong(999, &later), ["0"]);
    }

    #[test]
    fn the_list_is_held_against_sums_of_before_and_after() {
        let row = |id: &str, holdings: Option<i64>, rank| Row {
            id: id.to_owned(),
            username: id.to_owned(),
            provider: String::new(),
            named: false,
            verified: holdings.is_some(),
            last_verified: None,
            rank,
            holdings,
            published_sats: None,
            shown_as: None,
        };
        let all = [
            row("a", Some(9), Some(1)),
            row("b", Some(7), Some(2)),
            row("c", None, None),
        ];
        let summary = |people, holders, bitcoin: &str| {
            let tiers = TIERS.iter().map(|tier| {
                let holders = if tier.sats == 1 { holders } else { 0 };
                format!(r#"{{"name": "{}", "holders": {holders}}}"#, tier.name)
            });
            let tiers = tiers.collect::<Vec<_>>().join(", ");
            let json = format!(
                r#"{{"people": {people}, "holders": {holders}, "bitcoin": {bitcoin}, "block": null,
                    "tiers": [{tiers}]}}"#
            );
            serde_json::from_str::<Summary>(&json).unwrap()
        };
        let now = &summary(3, 2, "0.00000016");
        let less = &summary(2, 1, "0.00000009");
        let more = &summary(3, 2, "0.00000020");
        let codes = |rows: &[Row], sums| {
            let (offset, number, rows) = (0, None, rows.to_vec());
            let page = Page {
                offset,
                number,
                rows,
            };
            let found = findings(&[page], sums, None, 0);
            found.iter().map(|it| it.code).collect::<Vec<_>>()
        };
        // A user joined, or proved more, while the list was being read.
        for sums in [[now; 2], [less, now], [now, more], [less, more]] {
            assert_eq!(codes(&all, sums), [""; 0], "{sums:?}");
        }
        assert_eq!(codes(&all[..2], [now; 2]), ["list"]);
        assert_eq!(codes(&[], [now; 2]), ["list"]);
        assert_eq!(codes(&all, [more; 2]), ["list"]);
        let nothing = &summary(0, 0, "0.0");
        assert_eq!(codes(&[], [nothing; 2]), [""; 0]);
        let mut other_tier = now.clone();
        for tier in &mut other_tier.tiers {
            tier.holders = i64::from(tier.name == TIERS[0].name) * 2;
        }
        assert_eq!(codes(&all, [&other_tier; 2]), ["list"]);
        let mut later = all.clone();
        later[0].last_verified = Some("1970-01-01T01:00:00Z".to_owned());
        assert_eq!(codes(&later, [now; 2]), ["time"]);
        let twice = [&all[..], &all[2..]].concat();
        assert_eq!(codes(&twice, [now; 2]), ["twice-listed"]);
        let mut unranked = all.clone();
        unranked[2].rank = Some(3);
        assert_eq!(codes(&unranked, [now; 2]), ["rank"]);
        unranked[2] = row("c", None, None);
        unranked[2].verified = true;
        assert_eq!(codes(&unranked, [now; 2]), ["rank"]);
    }
}
