//! Everybody at once, as a server reads them when it starts.

use futures_util::{StreamExt, TryStreamExt};
use store::Store;
use store::everybody::Portion;

use super::user;
use crate::jobs::execute;
use crate::support::database::{TestDatabase, on_both};

on_both!(
    everybody_is_told_once_whatever_they_are_called,
    who_stops_listening_disturbs_nobody,
);

async fn everybody_is_told_once_whatever_they_are_called(database: TestDatabase) {
    let store = database.store().await;
    let told = async || {
        let portions: Vec<Portion> = store.everybody().try_collect().await.unwrap();
        let profiles = portions
            .iter()
            .flat_map(|portion| portion.profiles().unwrap());
        let mut profiles: Vec<_> = profiles.collect();
        profiles.sort_by(|one, other| one.id.cmp(&other.id));
        profiles
    };
    assert_eq!(told().await, []);
    // More than a portion, and some of those who came first and last are gone.
    many(&store).await;
    execute(
        &store,
        "delete from profiles where id in ('0-1', '0-255', '0-256', '0-257', '0-799', '0-800') or updated_at between 300 and 400",
    )
    .await;
    for name in [
        "\"",
        "\\",
        "a\tb\nc",
        "'; --",
        "[1,2]",
        "😀 東京",
        "Öẞ",
        "\u{1}\u{7f}\u{2028}",
        "null",
    ] {
        user(&store, name).await;
    }
    let told = told().await;
    assert_eq!(told.len(), 800 - 6 - 101 + 9);
    let mut seen = store.shown_profiles("", "g", 1_000).await.unwrap();
    seen.sort_by(|one, other| one.id.cmp(&other.id));
    assert_eq!(told, seen);
}

async fn many(store: &Store) {
    execute(
        store,
        "insert into profiles (id, provider, subject, username, username_folded, named, avatar_url, holdings_sats,
           published_sats, last_verified, created_at, updated_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 800)
         select '0-' || n, 'github', cast(n as text), 'Name-' || n, 'name-' || n, true,
           case when n % 3 = 0 then 'https://a.example/?\"' || n end,
           case when n % 2 = 0 then 2100000000000000 - n end, case when n % 4 = 0 then n end, case when n % 2 = 0 then n end, 1, n
         from numbers",
    )
    .await;
}

/// A server that stops while it starts. Whoever gets the connection next is not told the rest.
async fn who_stops_listening_disturbs_nobody(database: TestDatabase) {
    let store = database.store().await;
    many(&store).await;
    for _ in 0..20 {
        let first = store.everybody().next().await;
        let first = first.expect("some").unwrap().profiles().unwrap();
        assert!(first.len() >= 64);
        assert_eq!(store.profile_ids().await.unwrap().len(), 800);
    }
}
