//! What an operator does for or about one person: copy, erase, keep out.

use super::database;
use crate::app::StartError;
use crate::config::{Config, Person};
use crate::providers;
use crate::records;
use crate::sign_in::blocked::Blocked;
use chain::clock::Clock;
use store::Store;
use store::profiles::Profile;

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
pub(super) enum PeopleError {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("the database failed: {0}")]
    Database(#[from] sqlx::Error),
    #[error(
        "there is nobody called {0}; name a person by the id in the address of the profile, or as the board does: @satoshi, github:satoshi"
    )]
    Nobody(String),
    #[error("several people are called {0}; name one by id: {1}")]
    Several(String, String),
    #[error("{0} is not blocked")]
    NotBlocked(String),
    #[error("the copy cannot be written: {0}")]
    Json(#[from] serde_json::Error),
}

/// Everything that is on record about somebody, as JSON.
pub(super) async fn export(config: &Config, person: &Person) -> Result<String, PeopleError> {
    let store = database::open(config).await?;
    let profile = find(&store, person).await?;
    let record = records::of(&store, &profile.id, Clock::System.now()).await?;
    let record = record.ok_or_else(|| PeopleError::Nobody(person.to_string()))?;
    store.close().await;
    Ok(serde_json::to_string_pretty(&record)?)
}

/// Deletes somebody's account with everything that is theirs.
pub(super) async fn erase(config: &Config, person: &Person) -> Result<String, PeopleError> {
    let store = database::open(config).await?;
    let profile = find(&store, person).await?;
    store.delete_profile(&profile.id).await?;
    store.close().await;
    Ok(format!(
        "{} is erased. A running server takes them off open pages, and cancels a subscription.",
        shown(&profile)
    ))
}

/// Ends somebody's sessions, and lets them in no more.
pub(super) async fn block(config: &Config, person: &Person) -> Result<String, PeopleError> {
    let store = database::open(config).await?;
    let profile = find(&store, person).await?;
    let now = Clock::System.now();
    let blocked = Blocked::load(store.clone(), now).await?;
    let word = blocked.block(&profile, now).await?;
    store.close().await;
    Ok(format!(
        "{} is signed out and stays out, also when the account is erased. This lets them in again: server unblock {word}",
        shown(&profile)
    ))
}

/// Lets somebody in again, by name or by what [`block`] has said.
pub(super) async fn unblock(config: &Config, person: &Person) -> Result<String, PeopleError> {
    let store = database::open(config).await?;
    let blocked = Blocked::load(store.clone(), Clock::System.now()).await?;
    let lifted = match person.word() {
        Some(word) => blocked.lift_word(word).await?,
        None => blocked.lift(&find(&store, person).await?).await?,
    };
    if !lifted {
        return Err(PeopleError::NotBlocked(person.to_string()));
    }
    store.close().await;
    Ok(format!("{person} can sign in again."))
}

async fn find(store: &Store, person: &Person) -> Result<Profile, PeopleError> {
    let mut found = match person {
        Person::Id(id) => store.profile(id).await?.into_iter().collect(),
        Person::Named { provider, name } => {
            let bare = providers::of_bare_names().unwrap_or_default();
            let provider = provider.as_deref().unwrap_or(bare);
            store.profiles_named(provider, name).await?
        }
        Person::Word(_) => Vec::new(),
    };
    match (found.pop(), found.len()) {
        (Some(profile), 0) => Ok(profile),
        (Some(last), _) => {
            let ids = found
                .iter()
                .chain([&last])
                .map(|profile| profile.id.clone());
            let ids: Vec<String> = ids.collect();
            Err(PeopleError::Several(person.to_string(), ids.join(", ")))
        }
        (None, _) => Err(PeopleError::Nobody(person.to_string())),
    }
}

fn shown(profile: &Profile) -> String {
    providers::shown_name(&profile.provider, &profile.username, profile.named)
}
