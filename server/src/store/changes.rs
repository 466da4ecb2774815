//! What has changed on the board: told to everybody under a number, and kept for replicas that follow
//! (see [`crate::board::keeper`]).

use std::sync::LazyLock;

use serde::Deserialize;
use sqlx::FromRow;

use super::Store;
use super::shown_as::ShownAs;
use crate::base::clock::UnixTime;

/// What to listen to on PostgreSQL.
pub const CHANNEL: &str = "profiles_changed";

/// How many numbers the log goes back. Who is further behind reads the board anew.
const KEPT: i64 = 10_000;

/// A profile as everybody may see it. What is public about a total is derived in the database (decisions, D17): a total of which
/// a range is shown is nowhere in the board or in the log of its changes.
#[derive(Clone, Debug, Deserialize, FromRow, PartialEq, Eq)]
pub struct ShownProfile {
    pub id: String,
    pub provider: String,
    pub username: String,
    /// The name in lower case, by which it is searched.
    pub username_folded: String,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
    #[sqlx(try_from = "String")]
    pub shown_as: ShownAs,
    /// What is shown as proven; none when nothing is.
    pub shown_sats: Option<i64>,
    /// How much of that stands on published proofs; none when nothing does, and of a range.
    pub published_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds; none of a range.
    pub shown_verified: Option<UnixTime>,
    /// When anything about it last changed, unix seconds; of a range when it was chosen.
    pub shown_updated_at: UnixTime,
}

/// What the board is after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// This has happened, and everything else is as before. The number is of the newest change.
    Since(i64, Vec<Change>),
    /// The log does not say what has changed: the board has to be read anew.
    Unknown,
}

/// What has happened to a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It is there, like this.
    Shown(ShownProfile),
    /// It is gone. Nothing remembers more of it than the start of its id.
    Gone(String),
}

impl Change {
    /// Whose it is: an id, or the start of one.
    fn id(&self) -> &str {
        match self {
            Self::Shown(profile) => &profile.id,
            Self::Gone(start) => start,
        }
    }
}

/// A row of the log beside how far it goes.
#[derive(FromRow)]
struct Logged {
    told: i64,
    logged: i64,
    forgotten: i64,
    profile_id: Option<String>,
    provider: Option<String>,
    username: Option<String>,
    username_folded: Option<String>,
    avatar_url: Option<String>,
    shown_as: Option<String>,
    holdings_sats: Option<i64>,
    published_sats: Option<i64>,
    last_verified: Option<UnixTime>,
    updated_at: Option<UnixTime>,
}

impl Logged {
    fn change(self) -> Option<Change> {
        let id = self.profile_id?;
        let Some(provider) = self.provider else {
            return Some(Change::Gone(id));
        };
        Some(Change::Shown(ShownProfile {
            id,
            provider,
            username: self.username?,
            username_folded: self.username_folded?,
            avatar_url: self.avatar_url,
            shown_as: self.shown_as?.parse().ok()?,
            shown_sats: self.holdings_sats,
            published_sats: self.published_sats,
            shown_verified: self.last_verified,
            shown_updated_at: self.updated_at?,
        }))
    }
}

/// Puts everybody who was `passed` into the log, as they are now. An account that is set aside counts nothing, here and wherever the board
/// is read: its row may be out of date (decisions, D20). The `where` keeps SQLite from taking the conflict for a part of
/// the join.
const LOG: &str = "insert into board_changes
        (profile_id, sequence, provider, username, username_folded, avatar_url, shown_as, holdings_sats, published_sats,
         last_verified, updated_at)
    select changed.noted, cast($1 as bigint), provider, username, username_folded, avatar_url, shown_as,
        case when id in (select user_id from accounts_set_aside) then null else shown_sats end,
        case when id in (select user_id from accounts_set_aside) then null else published_sats end,
        shown_verified, shown_updated_at
    from (select distinct noted from passed) as changed left join profiles on profiles.id = changed.noted where true
    on conflict (profile_id) do update set
        sequence = excluded.sequence, provider = excluded.provider, username = excluded.username,
        username_folded = excluded.username_folded, avatar_url = excluded.avatar_url, shown_as = excluded.shown_as,
        holdings_sats = excluded.holdings_sats, published_sats = excluded.published_sats,
        last_verified = excluded.last_verified, updated_at = excluded.updated_at";

/// One statement, so that what is taken off the notes and what goes into the log are of one moment.
static LOG_ON_POSTGRES: LazyLock<String> =
    LazyLock::new(|| format!("with passed as (delete from unsent_changes returning noted) {LOG}"));

/// Nobody else writes before the notes are deleted.
static LOG_ON_SQLITE: LazyLock<String> =
    LazyLock::new(|| format!("with passed as (select noted from unsent_changes) {LOG}"));

impl Store {
    /// Passes on what has been noted since the last time, to the other replicas too, and answers the
    /// number of the newest change.
    ///
    /// Only changes that are committed are seen, and the number moves after them: whoever reads
    /// the profiles after learning of it reads the change.
    pub async fn pass_on_changes(&self) -> Result<i64, sqlx::Error> {
        let (told, unsent): (i64, bool) = self
            .query(
                "select coalesce((select sequence from live_sequence where id = 1), 0),
                   exists (select 1 from unsent_changes)",
                &[],
            )
            .one()
            .await?;
        if !unsent {
            return Ok(told);
        }
        let mut tx = self.begin().await?;
        // First, so that replicas do it one after another.
        let next: i64 = tx
            .query(
                "insert into live_sequence (id, sequence, logged) values (1, 1, 1)
                 on conflict (id) do update set
                   sequence = live_sequence.sequence + 1, logged = live_sequence.sequence + 1,
                   forgotten = case
                     when live_sequence.logged <> live_sequence.sequence then live_sequence.sequence
                     when live_sequence.forgotten < live_sequence.sequence - $1 then live_sequence.sequence - $1
                     else live_sequence.forgotten end
                 returning sequence",
                &[&KEPT],
            )
            .value()
            .await?;
        let passed = if tx.is_postgres() {
            tx.query(LOG_ON_POSTGRES.as_str(), &[&next])
                .execute()
                .await?
        } else {
            let passed = tx.query(LOG_ON_SQLITE.as_str(), &[&next]).execute().await?;
            tx.query("delete from unsent_changes", &[]).run().await?;
            passed
        };
        if passed == 0 {
            // Another replica was faster, and has said so.
            return Ok(next - 1);
        }
        let gone = "select profile_id from board_changes where sequence = $1 and provider is null";
        let gone: Vec<String> = tx.query(gone, &[&next]).column().await?;
        for start in gone {
            // Whatever was told of them before, and who they were.
            let names =
                "delete from board_changes where profile_id > $1 and profile_id < $1 || 'g'";
            tx.query(names, &[&start]).run().await?;
        }
        let forget = "delete from board_changes where sequence <= $1";
        tx.query(forget, &[&(next - 1 - KEPT)]).run().await?;
        if tx.is_postgres() {
            // The commit of a notification holds a lock of the whole database. That is why it happens here, a
            // few times a second at most, and not in the transactions that change something.
            let notify = "select pg_notify($1, '')";
            tx.query(notify, &[&CHANNEL]).execute().await?;
        }
        tx.commit().await?;
        Ok(next)
    }

    /// The number of the newest change that has been told.
    pub async fn newest_change(&self) -> Result<i64, sqlx::Error> {
        let newest = "select coalesce((select sequence from live_sequence where id = 1), 0)";
        self.query(newest, &[]).value().await
    }

    /// What has been told since the change of this number.
    pub async fn changes_since(&self, seen: i64) -> Result<Changes, sqlx::Error> {
        // One statement, so that the rows are those of the number.
        let log: Vec<Logged> = self
            .query(
                "select live_sequence.sequence as told, logged, forgotten, profile_id, provider, username, username_folded,
                   avatar_url, shown_as, holdings_sats, published_sats, last_verified, updated_at
                 from live_sequence left join board_changes on board_changes.sequence > $1 where live_sequence.id = 1",
                &[&seen],
            )
            .all()
            .await?;
        let Some(Logged {
            told,
            logged,
            forgotten,
            ..
        }) = log.first()
        else {
            return Ok(Changes::Since(0, Vec::new()));
        };
        let told = *told;
        if told != seen && (told < seen || *logged != told || *forgotten > seen) {
            return Ok(Changes::Unknown);
        }
        let mut changes: Vec<Change> = log.into_iter().filter_map(Logged::change).collect();
        // The order in which a database has rows tells which of them it has changed lately, and that may be hidden.
        changes.sort_unstable_by(|one, other| one.id().cmp(other.id()));
        Ok(Changes::Since(told, changes))
    }

    /// So many profiles with ids after `after` and before `end`, by their ids.
    pub async fn shown_profiles(
        &self,
        after: &str,
        end: &str,
        count: i64,
    ) -> Result<Vec<ShownProfile>, sqlx::Error> {
        self.query(
            "select id, provider, username, username_folded, avatar_url, shown_as,
               case when id in (select user_id from accounts_set_aside) then null else shown_sats end as shown_sats,
               case when id in (select user_id from accounts_set_aside) then null else published_sats end as published_sats,
               shown_verified, shown_updated_at
             from profiles where id > $1 and id < $2 order by id limit $3",
            &[&after, &end, &count],
        )
        .all()
        .await
    }
}
