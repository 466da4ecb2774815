//! What replicas read of changes: all that can be seen, and nothing else.

use store::changes::{Change, Changes, ShownProfile};

use super::*;
use crate::support::database::{Column, columns};

on_both!(a_change_of_a_column_is_passed_on_if_it_can_be_seen);

/// Of a new column that is shown, this finds a trigger or a statement that lacks it.
async fn a_change_of_a_column_is_passed_on_if_it_can_be_seen(database: TestDatabase) {
    let store = database.store().await;
    let of_profiles = columns(store.database()).await.into_iter();
    let of_profiles = of_profiles.filter(|it| it.table == "profiles" && can_be_set(&it.name));
    let mut number = 0;
    for column in of_profiles {
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

            let (name, value) = (&column.name, other_value(&column, number));
            let set = format!("update profiles set {name} = {value} where id = '{id}'");
            execute(&store, set).await;
            store.pass_on_changes().await.unwrap();
            let after = shown(&store, &id).await;
            // Only rows of the log say whether the provider gave the name.
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

/// Whether it is no key, and not derived from others.
fn can_be_set(column: &str) -> bool {
    let is_derived = column.starts_with("shown_") && !["shown_as", "shown_since"].contains(&column);
    column != "id" && !is_derived
}

/// A value that no profile has.
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
