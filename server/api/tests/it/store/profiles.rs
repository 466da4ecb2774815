//! Profiles: signing in, names, plans, deletion.

use super::*;

on_both!(
    signing_in_creates_and_then_updates_a_profile,
    a_name_belongs_to_its_latest_sign_in,
    users_of_two_providers_are_two_people,
    of_many_concurrent_sign_ins_with_one_name_one_gets_it,
    users_who_swap_names_can_both_sign_in,
    users_without_a_name_may_share_a_default_name,
);

/// Signs in with a provider's id and name; returns the id of the account.
async fn sign_in(store: &Store, subject: &str, name: &str) -> String {
    let identity = called("twitter", subject, name);
    store.sign_in(&identity, NOW).await.unwrap().id
}

async fn name(store: &Store, id: &str) -> String {
    store.profile(id).await.unwrap().unwrap().username
}

/// The default name of a user whose own name another user of the provider has.
fn stand_in(id: &str) -> String {
    format!("user_{}", &id[..5])
}

/// Whether the user has the name, and not the default one.
async fn has(store: &Store, id: &str, wanted: &str) -> bool {
    let name = name(store, id).await;
    assert!(name == wanted || name == stand_in(id), "{name}");
    name == wanted
}

async fn signing_in_creates_and_then_updates_a_profile(database: TestDatabase) {
    let store = database.store().await;
    let sign_in = async |name, now| {
        let identity = called("github", "42", name);
        store.sign_in(&identity, now).await.unwrap()
    };
    let first = sign_in("hal", NOW).await;
    assert_eq!((&*first.username, first.tier.as_deref()), ("hal", None));
    let second = sign_in("hal_f", NOW + 10).await;
    assert_eq!((&second.id, second.created_at), (&first.id, NOW));
    assert_eq!((&*second.username, second.updated_at), ("hal_f", NOW + 10));
    assert_eq!(store.profile("nobody").await.unwrap(), None);
    let ids = store.profile_ids().await.unwrap();
    assert_eq!(ids, [&*first.id]);
    // The free tier is chosen only while there is none.
    for now in [NOW + 11, NOW + 12] {
        store.choose_free_tier(&first.id, now).await.unwrap();
    }
    let hal = store.profile(&first.id).await.unwrap().unwrap();
    let chosen = (hal.tier.as_deref(), hal.updated_at);
    assert_eq!(chosen, (Some("free"), NOW + 11));
}

/// Decisions, D7.
async fn a_name_belongs_to_its_latest_sign_in(database: TestDatabase) {
    let store = database.store().await;
    let older = sign_in(&store, "1", "Satoshi").await;
    let newer = sign_in(&store, "2", "satoshi").await;
    assert_eq!(name(&store, &older).await, stand_in(&older));
    assert_eq!(name(&store, &newer).await, "satoshi");
    // By now the older account's user has another name, and gets it at the next sign-in.
    assert_eq!(sign_in(&store, "1", "nakamoto").await, older);
    assert_eq!(name(&store, &older).await, "nakamoto");
    assert_eq!(name(&store, &newer).await, "satoshi");
}

/// Neither the same id, nor the same name, nor the same email address merges two accounts.
async fn users_of_two_providers_are_two_people(database: TestDatabase) {
    let store = database.store().await;
    for provider in ["twitter", "github", "google"] {
        let identity = Identity {
            email: Some("shared@mail.example".to_owned()),
            ..called(provider, "1", "satoshi")
        };
        let profile = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!(profile.username, "satoshi");
    }
    assert_eq!(store.profile_ids().await.unwrap().len(), 3);
}

async fn of_many_concurrent_sign_ins_with_one_name_one_gets_it(database: TestDatabase) {
    let store = database.store().await;
    // One of the users signs in from six tabs.
    let subjects = ["1", "1", "1", "1", "1", "1", "2", "3", "4", "5", "6"];
    let sign_ins = subjects.map(|subject| sign_in(&store, subject, "satoshi"));
    let ids = BTreeSet::from_iter(join_all(sign_ins).await);
    let mut named = 0;
    for id in &ids {
        named += usize::from(has(&store, id, "satoshi").await);
    }
    let all = store.profile_ids().await.unwrap();
    assert_eq!((ids.len(), all.len(), named), (6, 6, 1));
}

async fn users_who_swap_names_can_both_sign_in(database: TestDatabase) {
    let store = database.store().await;
    let both = async |first, second| {
        tokio::join!(sign_in(&store, "1", first), sign_in(&store, "2", second))
    };
    let ids = both("alpha", "omega").await;
    for (first, second) in [("omega", "alpha"), ("alpha", "omega"), ("omega", "alpha")] {
        assert_eq!(both(first, second).await, ids);
        // Each has the name from the provider, or has lost it to the other one.
        has(&store, &ids.0, first).await;
        has(&store, &ids.1, second).await;
    }
}

async fn users_without_a_name_may_share_a_default_name(database: TestDatabase) {
    let store = database.store().await;
    for subject in ["1", "2", "3"] {
        let identity = nameless("mock", subject);
        let first = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!(first.username, stand_in(&first.id));
        // Signing in again keeps the default name from the id.
        let again = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!((again.id, again.username), (first.id, first.username));
    }
}

/// SQLite splits and joins pages as rows come and go, and keeps old content in its -wal file.
#[tokio::test]
async fn among_many_a_deleted_account_leaves_nothing_in_sqlites_files() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    let many = "insert into profiles (id, provider, subject, username, username_folded, named, email, created_at, updated_at)
        with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3000)
        select 'id-' || (n * 7919 % 3001) || '-end', 'github', 'subject-' || n, 'name-' || n, 'name-' || n, true,
          'mail-' || n || '@mail.example', 1, 1 from numbers";
    execute(&store, many).await;
    let gone = [17, 1_500, 2_999];
    for number in gone {
        let id = format!("id-{}-end", number * 7919 % 3001);
        assert!(store.delete_profile(&id, NOW).await.unwrap());
    }
    for file in database.files() {
        let bytes = std::fs::read(&file).unwrap();
        for number in gone {
            let word = format!("mail-{number}@");
            let found = memchr::memmem::find(&bytes, word.as_bytes());
            assert_eq!(found, None, "{word} in {file:?}");
        }
    }
}
