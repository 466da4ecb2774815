//! Profiles: signing in, names, plans, deletion.

use super::*;

/// SQLite splits and joins pages as rows come and go, and keeps old content in its -wal file.
#[tokio::test]
async fn among_many_a_deleted_account_leaves_nothing_in_sqlites_files() {
    let database = TestDatabase::sqlite().await;
    let store = database.store().await;
    execute(
        &store,
        "insert into profiles (id, provider, subject, username, username_folded, named, email, created_at, updated_at)
         with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 3000)
         select 'id-' || (n * 7919 % 3001) || '-end', 'github', 'subject-' || n, 'name-' || n, 'name-' || n, true,
           'mail-' || n || '@mail.example', 1, 1 from numbers",
    )
    .await;
    let gone = [17, 1_500, 2_999];
    for number in gone {
        let id = format!("id-{}-end", number * 7919 % 3001);
        assert!(store.delete_profile(&id).await.unwrap());
    }
    for file in database.files() {
        let bytes = std::fs::read(&file).unwrap();
        for number in gone {
            let word = format!("mail-{number}@");
            let found = bytes.windows(word.len()).any(|it| it == word.as_bytes());
            assert!(!found, "{word} in {file:?}");
        }
    }
}

on_both!(
    signing_in_creates_and_then_updates_a_profile,
    a_name_belongs_to_whoever_signed_in_with_it_last,
    users_of_two_providers_are_two_people,
    of_many_who_come_at_once_with_one_name_one_has_it,
    two_who_swap_their_names_at_once_both_get_in,
    people_without_a_name_may_share_their_default_one,
    the_free_tier_is_chosen_only_while_there_is_none,
);

fn identity(provider: &'static str, subject: &str, name: Option<&str>) -> Identity {
    Identity {
        provider,
        subject: subject.to_owned(),
        username: name.map(str::to_owned),
        email: Some("shared@mail.example".to_owned()),
        avatar_url: None,
    }
}

/// Signs in with a provider's id and name; returns the id of the account.
async fn sign_in(store: &Store, subject: &str, name: &str) -> String {
    let identity = identity("twitter", subject, Some(name));
    store.sign_in(&identity, NOW).await.unwrap().id
}

async fn name(store: &Store, id: &str) -> String {
    store.profile(id).await.unwrap().unwrap().username
}

/// The default name of a user whose own name another user of the provider has.
fn stand_in(id: &str) -> String {
    format!("user_{}", &id[..5])
}

async fn signing_in_creates_and_then_updates_a_profile(database: TestDatabase) {
    let store = database.store().await;
    let github = |name| identity("github", "42", Some(name));
    let first = store.sign_in(&github("hal"), NOW).await.unwrap();
    assert_eq!((&*first.username, first.tier.as_deref()), ("hal", None));
    let second = store.sign_in(&github("hal_f"), NOW + 10).await.unwrap();
    assert_eq!((&second.id, second.created_at), (&first.id, NOW));
    assert_eq!((&*second.username, second.updated_at), ("hal_f", NOW + 10));
    assert_eq!(store.profile("nobody").await.unwrap(), None);
    assert_eq!(store.profile_ids().await.unwrap(), [first.id]);
}

/// Decisions, D7.
async fn a_name_belongs_to_whoever_signed_in_with_it_last(database: TestDatabase) {
    let store = database.store().await;
    let older = sign_in(&store, "1", "Satoshi").await;
    let newer = sign_in(&store, "2", "satoshi").await;
    assert_eq!(name(&store, &older).await, stand_in(&older));
    assert_eq!(name(&store, &newer).await, "satoshi");
    // The older one has another name by now, and gets it at the next sign-in.
    assert_eq!(sign_in(&store, "1", "nakamoto").await, older);
    assert_eq!(name(&store, &older).await, "nakamoto");
    assert_eq!(name(&store, &newer).await, "satoshi");
}

/// Neither the same id, nor the same name, nor the same email address merges two accounts.
async fn users_of_two_providers_are_two_people(database: TestDatabase) {
    let store = database.store().await;
    for provider in ["twitter", "github", "google"] {
        let identity = identity(provider, "1", Some("satoshi"));
        let profile = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!(profile.username, "satoshi");
    }
    assert_eq!(store.profile_ids().await.unwrap().len(), 3);
}

async fn of_many_who_come_at_once_with_one_name_one_has_it(database: TestDatabase) {
    let store = database.store().await;
    // One of them in six tabs.
    let subjects = ["1", "1", "1", "1", "1", "1", "2", "3", "4", "5", "6"];
    let sign_ins = subjects.map(|subject| sign_in(&store, subject, "satoshi"));
    let mut ids = join_all(sign_ins).await;
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 6);
    let mut named = 0;
    for id in &ids {
        let name = name(&store, id).await;
        named += usize::from(name == "satoshi");
        assert!(name == "satoshi" || name == stand_in(id), "{name}");
    }
    assert_eq!(named, 1);
    assert_eq!(store.profile_ids().await.unwrap().len(), ids.len());
}

async fn two_who_swap_their_names_at_once_both_get_in(database: TestDatabase) {
    let store = database.store().await;
    let both = async |first, second| {
        tokio::join!(sign_in(&store, "1", first), sign_in(&store, "2", second))
    };
    let ids = both("alpha", "omega").await;
    for (first, second) in [("omega", "alpha"), ("alpha", "omega"), ("omega", "alpha")] {
        assert_eq!(both(first, second).await, ids);
        // Each has the name from the provider, or has lost it to the other one.
        for (id, wanted) in [(&ids.0, first), (&ids.1, second)] {
            let name = name(&store, id).await;
            assert!(name == wanted || name == stand_in(id), "{name}");
        }
    }
}

async fn people_without_a_name_may_share_their_default_one(database: TestDatabase) {
    let store = database.store().await;
    for subject in ["1", "2", "3"] {
        let identity = identity("mock", subject, None);
        let first = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!(first.username, stand_in(&first.id));
        // Signing in again keeps the default name from the id.
        let again = store.sign_in(&identity, NOW).await.unwrap();
        assert_eq!((again.id, again.username), (first.id, first.username));
    }
}

async fn the_free_tier_is_chosen_only_while_there_is_none(database: TestDatabase) {
    let store = database.store().await;
    let hal = user(&store, "hal").await;
    store.choose_free_tier(&hal.id, NOW + 1).await.unwrap();
    store.choose_free_tier(&hal.id, NOW + 2).await.unwrap();
    let hal = store.profile(&hal.id).await.unwrap().unwrap();
    let chosen = (hal.tier.as_deref(), hal.updated_at);
    assert_eq!(chosen, (Some("free"), NOW + 1));
}
