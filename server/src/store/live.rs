//! Which changes to profiles open pages have not been told yet (see [`crate::live`]).

use super::{Store, begin, each};

/// What to listen to on PostgreSQL.
pub const CHANNEL: &str = "profiles_changed";

/// The lock under which one replica at a time makes the trigger; any number that nobody else uses.
const TRIGGER_LOCK: i64 = 0x706f_725f_6c69_7665;

/// Notes every change of what others can see, in one and the same row: SQLite has one writer at a time anyway.
/// An `insert or ignore` would not do, because under an upsert SQLite takes the outer statement's conflict
/// policy for those inside its triggers too.
const SQLITE_TRIGGERS: &str = "
    create trigger if not exists profiles_inserted after insert on profiles
    begin insert into unsent_changes (transaction_id)
        select '' where not exists (select 1 from unsent_changes); end;
    create trigger if not exists profiles_updated
    after update of username, named, avatar_url, tier, holdings_sats, last_verified, last_auto_reverify on profiles
    begin insert into unsent_changes (transaction_id)
        select '' where not exists (select 1 from unsent_changes); end;
    create trigger if not exists profiles_deleted after delete on profiles
    begin insert into unsent_changes (transaction_id)
        select '' where not exists (select 1 from unsent_changes); end;";

/// The same for PostgreSQL: once for each statement, in a row of the transaction's own, so that
/// transactions do not wait for each other.
const POSTGRES_TRIGGER: &str = "
    create or replace function note_changed_profiles() returns trigger language plpgsql as $$
    begin
        insert into unsent_changes (transaction_id) values (pg_current_xact_id()::text)
        on conflict (transaction_id) do nothing;
        return null;
    end $$;
    create trigger profiles_changed
    after insert or delete
    or update of username, named, avatar_url, tier, holdings_sats, last_verified, last_auto_reverify
    on profiles for each statement execute function note_changed_profiles();";

impl Store {
    /// Makes sure that changes to profiles are noted. Several replicas may do it at once.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note_changes(&self) -> Result<(), sqlx::Error> {
        match self {
            Self::Sqlite(pool) => {
                sqlx::raw_sql(SQLITE_TRIGGERS).execute(pool).await?;
            }
            Self::Postgres(pool) => {
                let mut transaction = pool.begin().await?;
                sqlx::query("select pg_advisory_xact_lock($1)")
                    .bind(TRIGGER_LOCK)
                    .execute(&mut *transaction)
                    .await?;
                // Looked for first: making it locks the table for a moment.
                let there: bool = sqlx::query_scalar(
                    "select exists (select 1 from pg_trigger
                     where tgrelid = 'profiles'::regclass and tgname = 'profiles_changed')",
                )
                .fetch_one(&mut *transaction)
                .await?;
                if !there {
                    sqlx::raw_sql(POSTGRES_TRIGGER)
                        .execute(&mut *transaction)
                        .await?;
                }
                transaction.commit().await?;
            }
        }
        each!(self, |pool| {
            sqlx::query("insert into live_sequence (id, sequence) values (1, 0) on conflict (id) do nothing")
                .execute(pool)
                .await?;
        });
        Ok(())
    }

    /// Passes on what has been noted since the last time, to the other replicas too, and answers the
    /// number of the newest change.
    ///
    /// Only changes that are committed are seen, and the number moves after them: whoever reads
    /// the profiles after learning of it reads the change.
    ///
    /// # Errors
    /// When the database fails. What was noted stays noted then.
    pub async fn pass_on_changes(&self) -> Result<i64, sqlx::Error> {
        let (told, unsent): (i64, i64) = each!(self, |pool| {
            sqlx::query_as("select sequence, (select count(*) from unsent_changes) from live_sequence where id = 1")
                .fetch_one(pool)
                .await?
        });
        if unsent == 0 {
            return Ok(told);
        }
        begin!(self, |transaction| {
            // First, so that replicas do it one after another.
            let next: i64 = sqlx::query_scalar(
                "update live_sequence set sequence = sequence + 1 where id = 1 returning sequence",
            )
            .fetch_one(&mut *transaction)
            .await?;
            let passed = sqlx::query("delete from unsent_changes")
                .execute(&mut *transaction)
                .await?;
            if passed.rows_affected() == 0 {
                // Another replica was faster, and has said so.
                transaction.rollback().await?;
                return Ok(next - 1);
            }
            if matches!(self, Self::Postgres(_)) {
                // The commit of a notification holds a lock of the whole database. That is why it happens here, a
                // few times a second at most, and not in the transactions that change something.
                sqlx::query("select pg_notify($1, '')")
                    .bind(CHANNEL)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await?;
            Ok(next)
        })
    }
}
