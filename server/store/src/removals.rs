//! What must not come back with a restored copy of the database (decisions, D24): accounts that were erased or blocked, totals that were
//! hidden, proofs that were unpublished. Each is written in the transaction that removes it, as a keyed hash, and deleted when no backup from
//! before it is left.

use sqlx::{FromRow, Type};
use strum::{EnumString, IntoStaticStr};

use super::Store;
use super::keyed_hash::KeyedHash;
use super::keys::{ADD_KEY, NEWEST_KEY};
use super::sql::Value;
use super::tx::Tx;
use chain::clock::UnixTime;

/// How long backups are kept, and removals with them, in seconds: 30 days.
pub const KEPT: UnixTime = 30 * 24 * 60 * 60;

/// The name of the secret of the hashes in the database.
pub const PURPOSE: &str = "removals";

/// What was removed.
#[derive(Clone, Copy, Debug, EnumString, Eq, Hash, IntoStaticStr, PartialEq, Type)]
#[sqlx(type_name = "text", rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum What {
    /// An account.
    Erased,
    /// A user, by the hash in `blocked_people`.
    Blocked,
    /// The exact total of an account.
    Hidden,
    /// A published proof.
    Unpublished,
    /// Nothing any more: the user was unblocked, the total shown again, the proof published again.
    Undone,
}

impl What {
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// The newest removal of one thing.
#[derive(Clone, Debug, Eq, FromRow, PartialEq)]
pub struct Removal {
    pub at: UnixTime,
    pub what: What,
    pub keyed_hash: String,
}

/// The hash of an account's id as an erased account, of its total, or of a published proof.
pub fn hash_of(secret: &KeyedHash, what: What, id: &str) -> String {
    hex::encode(secret.hash(&[what.as_str().as_bytes(), id.as_bytes()]))
}

/// A later event has a later time, also within one second and by another clock: of two lists the newer line is right.
const PUT: &str = "insert into removals (keyed_hash, what, at) values ($1, $2, $3)
    on conflict (keyed_hash) do update set what = excluded.what,
      at = case when removals.at < excluded.at then excluded.at else removals.at + 1 end";

const ADD: &str = "insert into removals (keyed_hash, what, at) values ($1, $2, $3)
    on conflict (keyed_hash) do update set what = excluded.what, at = excluded.at where removals.at < excluded.at";

impl Store {
    /// All of them, oldest first.
    pub async fn removals(&self) -> sqlx::Result<Vec<Removal>> {
        let all = "select at, what, keyed_hash from removals order by at, keyed_hash";
        self.query(all, &[]).all().await
    }

    /// Adds what another replica has written, unless something newer is known.
    pub async fn add_removal(&self, removal: &Removal) -> sqlx::Result<()> {
        let values: [&dyn Value; 3] = [&removal.keyed_hash, &removal.what, &removal.at];
        self.query(ADD, &values).run().await
    }

    /// Deletes those from before this time.
    pub async fn forget_removals(&self, before: UnixTime) -> sqlx::Result<()> {
        let forget = "delete from removals where at < $1";
        self.query(forget, &[&before]).run().await
    }
}

impl Tx {
    /// Notes that this was removed; ids are those of accounts and proofs.
    pub(crate) async fn note_removal(
        &mut self,
        what: What,
        id: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        let hash = self.hash_of_removal(what, id, now).await?;
        self.put_removal(what, &hash, now).await
    }

    /// Notes that this may come back.
    pub(crate) async fn undo_removal(
        &mut self,
        what: What,
        id: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        let hash = self.hash_of_removal(what, id, now).await?;
        self.undo_removal_of(&hash, now).await
    }

    pub(crate) async fn put_removal(
        &mut self,
        what: What,
        hash: &str,
        now: UnixTime,
    ) -> sqlx::Result<()> {
        self.query(PUT, &[&hash, &what, &now]).run().await
    }

    pub(crate) async fn undo_removal_of(&mut self, hash: &str, now: UnixTime) -> sqlx::Result<()> {
        let undo = "update removals set what = $2, at = case when at < $3 then $3 else at + 1 end where keyed_hash = $1";
        self.query(undo, &[&hash, &What::Undone, &now]).run().await
    }

    async fn hash_of_removal(
        &mut self,
        what: What,
        id: &str,
        now: UnixTime,
    ) -> sqlx::Result<String> {
        let fresh = hex::encode(rand::random::<[u8; 32]>());
        self.query(ADD_KEY, &[&PURPOSE, &PURPOSE, &fresh, &now])
            .run()
            .await?;
        let secret: String = self.query(NEWEST_KEY, &[&PURPOSE]).value().await?;
        let secret = hex::decode(secret).map_err(|error| sqlx::Error::Decode(error.into()))?;
        Ok(hash_of(&KeyedHash::new(&secret), what, id))
    }
}
