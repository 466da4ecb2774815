//! What visitors see, compared with the snapshot that the log commits to (proofs, section 6).

use std::collections::{BTreeMap, HashSet};

use super::finding::Finding;
use super::log::Look;
use super::report::Report;
use super::rows::Row;
use board_log::names::shown_name;
use board_log::snapshot::{self, Snapshot};
use board_log::units::unix_time;
use chain::clock::{DAY, UnixTime};

/// How many blocks the newest entry may be behind: an entry comes every 144, and a reorganization takes up to six.
pub(super) const BEHIND: u32 = 150;

/// By how many blocks the audit's source may lag behind the board.
pub(super) const AHEAD: u32 = 6;

/// Rows of the list that no snapshot has like this, in words, by their ids.
type Unlogged = BTreeMap<String, String>;

/// Compares the list of rows with the snapshots before and after it. Returns the rows that are in neither, with the entry
/// since which they are not, to store them.
pub(super) fn compare(
    report: &mut Report,
    before: Option<&Snapshot>,
    look: &Look,
    earlier: BTreeMap<String, (String, u64)>,
    now: UnixTime,
) -> BTreeMap<String, (String, u64)> {
    let Some(after) = &look.snapshot else {
        let begun = look.times().next().and_then(unix_time);
        let old = begun.is_some_and(|begun| begun + DAY < now);
        if !report.rows.is_empty() && old {
            let sentence = "the log is older than a day and has no snapshot of the board";
            report.add("frozen", sentence);
        }
        return earlier;
    };
    let tip = report.block.height;
    let height = u32::try_from(after.header.height).unwrap_or(u32::MAX);
    if height.saturating_add(BEHIND) < tip {
        let sentence = format!(
            "the newest entry of the log is of block {height}, {} blocks ago: the board is frozen, or the log is",
            tip - height
        );
        report.add("frozen", sentence);
    }
    let near = i64::from(tip.saturating_sub(BEHIND))..=i64::from(tip.saturating_add(AHEAD));
    if let Some(followed) = report.followed.filter(|height| !near.contains(height)) {
        let sentence = format!(
            "the board says that it has followed the chain up to block {followed}, and the newest block is {tip}"
        );
        report.add("frozen", sentence);
    }
    let (hidden, unlogged) = compare_rows(before, after, &report.rows);
    let entry = after.header.entry;
    report.findings.extend(hidden);
    report
        .findings
        .extend(find_repeated(&earlier, &unlogged, entry));
    report.not_checked.unlogged = unlogged.values().cloned().collect();
    let unlogged = unlogged.into_iter().map(|(id, words)| {
        // The first entry that was seen counts.
        let before = earlier.get(&id).filter(|(before, _)| *before == words);
        let at = before.map_or(entry, |(_, at)| *at);
        (id, (words, at))
    });
    unlogged.collect()
}

/// The rows of the snapshots that the list hides, and those of the list that neither snapshot has.
fn compare_rows(
    before: Option<&Snapshot>,
    after: &Snapshot,
    listed: &[Row],
) -> (Vec<Finding>, Unlogged) {
    let is_logged = |row: &Row| {
        let logged = before.into_iter().chain([after]);
        let mut logged = logged.filter_map(|it| it.row(&row.id));
        logged.any(|logged| is_same(row, logged))
    };
    let unlogged = listed.iter().filter(|row| !is_logged(row));
    let unlogged = unlogged.map(|row| (row.id.clone(), row.words()));
    let ids: HashSet<&str> = listed.iter().map(|row| row.id.as_str()).collect();
    // A row that came, or came again, while the list was read may not be in it.
    let in_both = |id: &str| before.is_some_and(|before| before.row(id).is_some());
    let hidden = after.rows.iter();
    let hidden = hidden.filter(|row| in_both(&row.id) && !ids.contains(row.id.as_str()));
    let hidden = hidden.map(|row| {
        let name = shown_name(&row.provider, &row.name, row.named);
        let sentence = format!("the snapshot of the log has {name}, and the list of rows has not");
        Finding::for_row("hidden", (&row.id, &name), sentence)
    });
    (hidden.collect(), unlogged.collect())
}

/// Rows that were listed like this at an earlier audit too, and that a newer snapshot still does not have.
fn find_repeated(
    earlier: &BTreeMap<String, (String, u64)>,
    now: &Unlogged,
    entry: u64,
) -> Vec<Finding> {
    let again = now.iter().filter(|(id, listed)| {
        let before = earlier.get(*id);
        before.is_some_and(|(before, at)| before == *listed && *at < entry)
    });
    let findings = again.map(|(id, listed)| {
        let sentence = format!(
            "the list of rows has shown {listed} at two audits, and the log has not, although it has gone on"
        );
        Finding::for_row("unlogged", (id, listed), sentence)
    });
    findings.collect()
}

fn is_same(row: &Row, logged: &snapshot::Row) -> bool {
    row.name() == shown_name(&logged.provider, &logged.name, logged.named)
        && row.is_range() == (logged.shown_as == "range")
        && row.holdings == logged.shown_sats()
        && row.published_sats.unwrap_or(0) == logged.published_sats.unwrap_or(0)
        && row.last_verified == logged.last_verified
}

#[cfg(test)]
mod tests {
    use board_log::entry::Entry;
    use board_log::snapshot::{Header, salted};
    use board_log::tree::{Tree, leaf};

    use super::*;

    fn row(id: &str, sats: i64) -> Row {
        Row {
            id: id.to_owned(),
            username: id.to_owned(),
            provider: "twitter".to_owned(),
            named: true,
            verified: true,
            last_verified: None,
            rank: Some(1),
            holdings: Some(sats),
            published_sats: None,
            shown_as: None,
        }
    }

    /// A snapshot of these rows.
    fn snapshot_of(rows: &[(&str, i64)]) -> Snapshot {
        let lines: Vec<String> = rows
            .iter()
            .map(|(id, sats)| {
                let row = snapshot::Row {
                    id: (*id).to_owned(),
                    provider: "twitter".to_owned(),
                    name: (*id).to_owned(),
                    named: true,
                    shown_as: "exact".to_owned(),
                    sats: Some(*sats),
                    tier: None,
                    published_sats: None,
                    last_verified: None,
                    salt: None,
                };
                salted(&row.line(), id, &[7; 32])
            })
            .collect();
        let count = lines.len() as u64;
        let mut tree = Tree::default();
        tree.extend(lines.iter().map(|line| leaf(line.as_bytes())));
        let entry = Entry::Board {
            height: 1,
            block: "ff".repeat(32),
            time: String::new(),
            rows: count,
            root: hex::encode(tree.root()),
        };
        let header = Header::for_entry("board.example/log", 1, &entry).unwrap();
        let header = serde_json::to_string(&header).unwrap();
        let text = format!("{header}\n{}\n", lines.join("\n"));
        let read = Snapshot::read(text.as_bytes()).unwrap();
        read.check("board.example/log", 1, &entry).unwrap();
        read
    }

    #[test]
    fn rows_are_those_of_a_snapshot_around_the_list() {
        let (before, after) = (
            snapshot_of(&[("a", 1), ("b", 2)]),
            snapshot_of(&[("a", 1), ("b", 3), ("c", 4)]),
        );
        let seen = |rows: &[Row]| {
            let (hidden, unlogged) = compare_rows(Some(&before), &after, rows);
            let codes: Vec<_> = hidden.iter().map(|it| it.code).collect();
            (codes, unlogged.into_keys().collect::<Vec<_>>())
        };
        for b in [2, 3] {
            assert_eq!(seen(&[row("a", 1), row("b", b)]), (vec![], vec![]));
        }
        assert_eq!(seen(&[row("b", 2)]), (vec!["hidden"], vec![]));
        let fake = [row("a", 1), row("b", 4), row("satoshi", 4_120)];
        let unlogged = vec!["b".to_owned(), "satoshi".to_owned()];
        assert_eq!(seen(&fake), (vec![], unlogged));
        let mut other_name = row("a", 1);
        other_name.username = "satoshi".to_owned();
        assert_eq!(seen(&[other_name, row("b", 2)]).1, ["a"]);
    }

    #[test]
    fn a_row_that_is_never_logged_is_false_the_second_time() {
        let now: BTreeMap<_, _> = [("a".to_owned(), "@a with 1".to_owned())].into();
        let earlier = |words: &str, entry| [("a".to_owned(), (words.to_owned(), entry))].into();
        assert_eq!(find_repeated(&earlier("@a with 1", 3), &now, 4).len(), 1);
        // Nothing was logged since, or the row has changed.
        assert!(find_repeated(&earlier("@a with 1", 4), &now, 4).is_empty());
        assert!(find_repeated(&earlier("@a with 2", 3), &now, 4).is_empty());
    }
}
