//! Commands about one user: export, erase, block, unblock.

use uuid::Uuid;

use crate::app::Failure;
use crate::board_log::folder::Folder;
use crate::config::Config;
use crate::providers::{self, Provider};
use crate::sign_in::blocked::Blocked;
use chain::clock::{Clock, UnixTime};
use store::Store;
use store::profiles::Profile;

/// All data of a user, as JSON.
pub(super) async fn export(store: &Store, person: &str) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    let record = store.record_of(&profile.id, Clock::System.now()).await?;
    let record = record.ok_or_else(|| unknown(person))?;
    Ok(serde_json::to_string_pretty(&record)?)
}

/// Deletes a user's account with all data.
pub(super) async fn erase(store: &Store, config: &Config, person: &str) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    let now = Clock::System.now();
    store.delete_profile(&profile.id, now).await?;
    keep_removals(store, config, now).await?;
    Ok(format!(
        "Erased {}. A running server removes the row from open pages, and cancels a subscription.",
        shown_name(&profile)
    ))
}

/// Ends a user's sessions, and refuses further sign-ins.
pub(super) async fn block(store: &Store, config: &Config, person: &str) -> Result<String, Failure> {
    let profile = find(store, person).await?;
    let now = Clock::System.now();
    let blocked = Blocked::load(store.clone(), now).await?;
    let hash = blocked.block(&profile, now).await?;
    keep_removals(store, config, now).await?;
    Ok(format!(
        "Blocked {}: all sessions are ended, and sign-in is refused, also after the account is erased. To undo this, run the command `unblock` with this hash: {hash}",
        shown_name(&profile)
    ))
}

/// Allows a user to sign in again, by name or by the hash that [`block`] has printed.
pub(super) async fn unblock(store: &Store, person: &str) -> Result<String, Failure> {
    let blocked = Blocked::load(store.clone(), Clock::System.now()).await?;
    let is_hash = person.len() == 64 && person.bytes().all(|byte| byte.is_ascii_hexdigit());
    let hash = if is_hash {
        person.to_ascii_lowercase()
    } else {
        let profile = find(store, person).await?;
        blocked.hash(&profile.provider, &profile.subject)
    };
    if !store.unblock(&hash, Clock::System.now()).await? {
        return Err(format!("{person} is not blocked").into());
    }
    Ok(format!("{person} can sign in again."))
}

/// Writes the list of removals to the folder outside the database, so that a restore does not undo them.
async fn keep_removals(store: &Store, config: &Config, now: UnixTime) -> Result<(), Failure> {
    let folder = Folder::new(config.board_log.published_log.clone());
    Ok(folder.keep_removals(store, now).await?)
}

/// The user with this id or name. A name without a provider is an X handle.
async fn find(store: &Store, person: &str) -> Result<Profile, Failure> {
    let mut profiles: Vec<Profile> = match Uuid::try_parse(person) {
        Ok(id) => store.profile(&id.to_string()).await?.into_iter().collect(),
        Err(_) => {
            let (provider, name) = parse_name(person).ok_or_else(|| unknown(person))?;
            store.profiles_named(provider, name).await?
        }
    };
    if profiles.len() > 1 {
        let ids: Vec<String> = profiles.into_iter().map(|it| it.id).collect();
        let ids = ids.join(", ");
        return Err(format!("several users are called {person}; name one by id: {ids}").into());
    }
    profiles.pop().ok_or_else(|| unknown(person))
}

/// The provider and the user's name there. `None` when the text is not a name as the board shows names.
fn parse_name(person: &str) -> Option<(&str, &str)> {
    let (provider, name) = providers::parse_name(person);
    // An X handle has no colon.
    let is_name = !name.is_empty() && (provider.is_some() || !name.contains(':'));
    is_name.then_some((provider.unwrap_or(providers::handles()), name))
}

fn unknown(person: &str) -> Failure {
    let name =
        |(provider, _): (&Provider, _)| providers::shown_name(provider.name, "satoshi", true);
    let names: Vec<String> = providers::oauth().map(name).collect();
    let names = names.join(", ");
    format!(
        "there is nobody called {person}; name a user by the id in the address of the profile, or as the board does: {names}"
    )
    .into()
}

fn shown_name(profile: &Profile) -> String {
    providers::shown_name(&profile.provider, &profile.username, profile.named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_named_as_the_board_does() {
        for (text, provider) in [
            ("@satoshi", "twitter"),
            ("satoshi", "twitter"),
            ("github:satoshi", "github"),
        ] {
            assert_eq!(parse_name(text), Some((provider, "satoshi")));
        }
        for text in ["", "@", "github:", "elsewhere:satoshi"] {
            assert_eq!(parse_name(text), None, "{text}");
        }
    }
}
