//! What replicas read of changes: all that can be seen, and nothing else. And what owners get: all of it.

use store::changes::{Change, Changes, ShownProfile};

use super::*;
use crate::support::database::{Column, columns};

on_both!(
    a_change_of_a_column_is_passed_on_if_it_can_be_seen,
    owners_get_a_copy_of_every_column,
);

/// Of a new column that is shown, this finds a trigger or a statement that lacks it.
async fn a_change_of_a_column_is_passed_on_if_it_can_be_seen(database: TestDatabase) {
    let store = database.store().await;
    let mut number = 0;
    for column in settable(&store).await {
        for shown_as in ["exact", "range"] {
            if (column.name.as_str(), shown_as) == ("published_sats", "range") {
                continue;
            }
            number += 1;
            let id = user(&store, &format!("user {number}")).await.id;
            let holds = format!(
                "update profiles set holdings_sats = 500000000, last_verified = 1, shown_since = 2, shown_as = '{shown_as}' where id = '{id}'"
            );
            execute(&store, holds).await;
            let seen = store.pass_on_changes().await.unwrap();
            let before = shown(&store, &id).await;

            set(&store, &id, &column, number).await;
            store.pass_on_changes().await.unwrap();
            let after = shown(&store, &id).await;
            // Only rows of the log say whether the provider gave the name.
            let name = &column.name;
            let can_be_seen = before != after || name == "named";
            let expected = can_be_seen.then_some(Change::Shown(after));
            let changes = match store.changes_since(seen).await.unwrap() {
                Changes::Since(_, changes) => changes,
                Changes::Unknown => panic!("only a few changes"),
            };
            assert_eq!(changes, Vec::from_iter(expected), "{name}, {shown_as}");
        }
    }
    assert!(number > 30, "{number}");
}

/// Of a new column, this finds that the copy lacks it.
async fn owners_get_a_copy_of_every_column(database: TestDatabase) {
    // What derives from the name and from the proofs, and when the server looks next.
    const OTHERS: [&str; 4] = ["username_folded", "named", "published_sats", "reverify_at"];
    let store = database.store().await;
    let copy = async |id: &str| {
        let record = store.record_of(id, NOW).await.unwrap();
        serde_json::to_value(record).unwrap()["account"].take()
    };
    for (number, column) in settable(&store).await.iter().enumerate() {
        let id = user(&store, &format!("user {number}")).await.id;
        let before = copy(&id).await;
        set(&store, &id, column, number).await;
        let is_there = before != copy(&id).await;
        let name = column.name.as_str();
        assert_eq!(is_there, !OTHERS.contains(&name), "{name}");
    }
}

/// The columns of profiles that can be set.
async fn settable(store: &Store) -> Vec<Column> {
    let mut columns = columns(store.database()).await;
    columns.retain(|it| it.table == "profiles" && can_be_set(&it.name));
    columns
}

/// Gives the column of this profile a value that no profile has.
async fn set(store: &Store, id: &str, column: &Column, number: usize) {
    let (name, value) = (&column.name, other_value(column, number));
    let set = format!("update profiles set {name} = {value} where id = '{id}'");
    execute(store, set).await;
}

/// Whether it is no key, and not derived from others.
fn can_be_set(column: &str) -> bool {
    let is_derived = column.starts_with("shown_") && !["shown_as", "shown_since"].contains(&column);
    column != "id" && !is_derived
}

fn other_value(column: &Column, number: usize) -> String {
    match (column.name.as_str(), column.kind.as_str()) {
        ("shown_as", _) => "case shown_as when 'exact' then 'range' else 'exact' end".to_owned(),
        ("tier", _) => "'premium'".to_owned(),
        (name, "boolean") => format!("not {name}"),
        (name, "bigint") => format!("coalesce({name}, 0) + 1"),
        _ => format!("'changed {number}'"),
    }
}

async fn shown(store: &Store, id: &str) -> ShownProfile {
    let all = store.shown_profiles("", "g", 1_000).await.unwrap();
    all.into_iter().find(|it| it.id == id).unwrap()
}
