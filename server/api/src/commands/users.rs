//! Commands about one user: export, erase, block, unblock.

use crate::app::Failure;
use crate::config::Person;
use crate::providers;
use crate::records;
use crate::sign_in::blocked::Blocked;
use chain::clock::Clock;
use store::Store;
use store::profiles::Profile;

/// All data of a user, as JSON.
pub(super) async fn export(store: &Store, person: &Person) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    let record = records::read(store, &profile.id, Clock::System.now()).await?;
    let record = record.ok_or_else(|| unknown(person))?;
    Ok(serde_json::to_string_pretty(&record)?)
}

/// Deletes a user's account with all data.
pub(super) async fn erase(store: &Store, person: &Person) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    store.delete_profile(&profile.id).await?;
    Ok(format!(
        "Erased {}. A running server removes the row from open pages, and cancels a subscription.",
        shown_name(&profile)
    ))
}

/// Ends a user's sessions, and refuses further sign-ins.
pub(super) async fn block(store: &Store, person: &Person) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    let now = Clock::System.now();
    let blocked = Blocked::load(store.clone(), now).await?;
    let hash = blocked.block(&profile, now).await?;
    Ok(format!(
        "Blocked {}: all sessions are ended, and sign-in is refused, also after the account is erased. To undo this: server unblock {hash}",
        shown_name(&profile)
    ))
}

/// Allows a user to sign in again, by name or by the hash that [`block`] has printed.
pub(super) async fn unblock(store: &Store, person: &Person) -> Result<String, Failure> {
    let blocked = Blocked::load(store.clone(), Clock::System.now()).await?;
    let unblocked = match person {
        Person::BlockedHash(hash) => blocked.unblock_hash(hash).await?,
        _ => blocked.unblock(&find(store, person).await?).await?,
    };
    if !unblocked {
        return Err(format!("{person} is not blocked").into());
    }
    Ok(format!("{person} can sign in again."))
}

async fn find(store: &Store, person: &Person) -> Result<Profile, Failure> {
    let mut profiles = match person {
        Person::Id(id) => store.profile(id).await?.into_iter().collect(),
        Person::Named { provider, name } => {
            let provider = provider.as_deref().unwrap_or(providers::HANDLES);
            store.profiles_named(provider, name).await?
        }
        Person::BlockedHash(_) => Vec::new(),
    };
    let profile = profiles.pop().ok_or_else(|| unknown(person))?;
    if profiles.is_empty() {
        return Ok(profile);
    }
    let ids: Vec<&str> = profiles
        .iter()
        .chain([&profile])
        .map(|it| it.id.as_str())
        .collect();
    Err(format!(
        "several users are called {person}; name one by id: {}",
        ids.join(", ")
    )
    .into())
}

fn unknown(person: &Person) -> Failure {
    format!(
        "there is nobody called {person}; name a user by the id in the address of the profile, or as the board does: @satoshi, github:satoshi"
    )
    .into()
}

fn shown_name(profile: &Profile) -> String {
    providers::shown_name(&profile.provider, &profile.username, profile.named)
}
