//! Removes what came back with a restored database.

use std::collections::HashMap;
use std::path::PathBuf;

use super::error::Result;
use super::removals;
use crate::sign_in::blocked::Blocked;
use chain::clock::UnixTime;
use store::Store;
use store::removals::{PURPOSE, Removal, What, hash_of};
use store::shown_as::ShownAs;

/// How many published proofs are read at a time.
const PROOFS: i64 = 1_000;

/// Removes what came back with a restored database and is on the lists of these folders. Returns how much that was.
///
/// # Errors
/// When a list cannot be read, or the database fails.
pub async fn remove_again(store: &Store, folders: &[PathBuf], now: UnixTime) -> Result<usize> {
    let lists = folders.iter().map(|folder| removals::read(folder));
    let lists: Vec<Vec<Removal>> = lists.collect::<Result<_>>()?;
    let mut newest: HashMap<String, Removal> = HashMap::new();
    for removal in lists.concat().into_iter().chain(store.removals().await?) {
        let known = newest.get(&removal.keyed_hash);
        if known.is_none_or(|known| known.at < removal.at) {
            newest.insert(removal.keyed_hash.clone(), removal);
        }
    }
    let secret = store.keyed_hash(PURPOSE, now).await?;
    let is = |what: What, id: &str| {
        let found = newest.get(&hash_of(&secret, what, id));
        found.is_some_and(|it| it.what == what)
    };
    let mut removed = unpublish(store, |proof| is(What::Unpublished, proof), now).await?;
    let blocked = Blocked::load(store.clone(), now).await?;
    for id in store.profile_ids().await? {
        if is(What::Erased, &id) {
            removed += usize::from(store.delete_profile(&id, now).await?);
            continue;
        }
        let Some(profile) = store.profile(&id).await? else {
            continue;
        };
        if is(What::Hidden, &id) && profile.shown_as == ShownAs::Exact {
            // They have ended since, or their owner could not have hidden the total.
            for proof in store.published_proofs(Some(&id), "", PROOFS).await? {
                store.withdraw(&id, &proof.id, now).await?;
            }
            removed += usize::from(store.show_as(&id, ShownAs::Range, now).await?);
        }
        let hash = blocked.hash(&profile.provider, &profile.subject);
        if newest.get(&hash).is_some_and(|it| it.what == What::Blocked) {
            store.end_sessions(&id).await?;
        }
    }
    for removal in newest.values() {
        if removal.what == What::Blocked {
            removed += usize::from(!store.is_blocked(&removal.keyed_hash).await?);
            store.block(&removal.keyed_hash, removal.at).await?;
        }
        store.add_removal(removal).await?;
    }
    Ok(removed)
}

/// Withdraws the published proofs that this is true for.
async fn unpublish(store: &Store, is_gone: impl Fn(&str) -> bool, now: UnixTime) -> Result<usize> {
    let (mut removed, mut after) = (0, String::new());
    loop {
        let proofs = store.published_proofs(None, &after, PROOFS).await?;
        let Some(last) = proofs.last() else {
            return Ok(removed);
        };
        after.clone_from(&last.id);
        for proof in proofs.iter().filter(|proof| is_gone(&proof.id)) {
            removed += usize::from(store.withdraw(&proof.profile_id, &proof.id, now).await?);
        }
    }
}
