//! What visitors see, compared with the snapshot that the log commits to (proofs, section 6).

use std::collections::{BTreeMap, HashMap};

use super::finding::Finding;
use super::rows::Row;
use board_log::names::shown_name;
use board_log::snapshot::{self, Snapshot};

/// How many blocks the newest entry may be behind: an entry comes every 144, and a reorganization takes up to six.
pub(super) const BEHIND: u32 = 150;

/// Snapshots of before and after the list was read.
pub(super) struct Around<'a> {
    pub(super) before: Option<&'a Snapshot>,
    pub(super) after: &'a Snapshot,
}

/// What came of the comparison.
#[derive(Default)]
pub(super) struct Compared {
    pub(super) findings: Vec<Finding>,
    /// Listed rows that neither snapshot has like this, in words, by their ids.
    pub(super) unlogged: BTreeMap<String, String>,
}

/// Compares the list of rows with the snapshots around it.
pub(super) fn compare(around: &Around, listed: &[Row]) -> Compared {
    let mut compared = Compared::default();
    let by_id: HashMap<&str, &Row> = listed.iter().map(|row| (row.id.as_str(), row)).collect();
    let snapshots = [around.before, Some(around.after)];
    for row in listed {
        let mut logged = snapshots.iter().flatten().filter_map(|it| it.row(&row.id));
        if !logged.any(|logged| is_same(row, logged)) {
            compared.unlogged.insert(row.id.clone(), words(row));
        }
    }
    for logged in &around.after.rows {
        let before = around.before.and_then(|before| before.row(&logged.id));
        // A row that came, or came again, while the list was read may not be in it.
        if before.is_some() && !by_id.contains_key(logged.id.as_str()) {
            let name = shown_name(&logged.provider, &logged.name, logged.named);
            let sentence =
                format!("the snapshot of the log has {name}, and the list of rows has not");
            compared
                .findings
                .push(Finding::for_row("hidden", (&logged.id, &name), sentence));
        }
    }
    compared
}

/// Rows that were listed like this at an earlier audit too, and that a newer snapshot still does not have.
pub(super) fn find_repeated(
    earlier: &BTreeMap<String, (String, u64)>,
    now: &BTreeMap<String, String>,
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
    row.name == shown_name(&logged.provider, &logged.name, logged.named)
        && row.range == (logged.shown_as == "range")
        && row.holdings == logged.shown_sats()
        && row.published == logged.published_sats.unwrap_or(0)
        && row.last_verified == logged.last_verified
}

fn words(row: &Row) -> String {
    format!(
        "{} with {}, verified {}",
        row.name,
        row.amount(),
        row.when()
    )
}

#[cfg(test)]
mod tests {
    use board_log::entry::Entry;
    use board_log::snapshot::{Header, line_leaf, root_of, salted, tree_over};

    use super::*;

    fn row(id: &str, sats: i64) -> Row {
        Row {
            id: id.to_owned(),
            name: format!("@{id}"),
            handle: id.to_owned(),
            verified: true,
            last_verified: None,
            rank: Some(1),
            holdings: Some(sats),
            published: 0,
            range: false,
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
        let tree = tree_over(lines.iter().map(|line| line_leaf(line))).unwrap();
        let entry = Entry::Board {
            height: 1,
            block: "ff".repeat(32),
            time: String::new(),
            rows: count,
            root: hex::encode(root_of(&tree, count).unwrap()),
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
        let around = Around {
            before: Some(&before),
            after: &after,
        };
        let seen = |rows: &[Row]| {
            let compared = compare(&around, rows);
            let codes: Vec<_> = compared.findings.iter().map(|it| it.code).collect();
            (codes, compared.unlogged.into_keys().collect::<Vec<_>>())
        };
        for b in [2, 3] {
            assert_eq!(seen(&[row("a", 1), row("b", b)]), (vec![], vec![]));
        }
        assert_eq!(seen(&[row("b", 2)]), (vec!["hidden"], vec![]));
        let fake = [row("a", 1), row("b", 4), row("satoshi", 4_120)];
        let unlogged = vec!["b".to_owned(), "satoshi".to_owned()];
        assert_eq!(seen(&fake), (vec![], unlogged));
        let mut other_name = row("a", 1);
        other_name.name = "@satoshi".to_owned();
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
