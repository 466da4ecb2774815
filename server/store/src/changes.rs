//! The newest changes of the board: each has a number, and replicas read from this list what they have missed.

use futures_util::TryStreamExt;
use serde::Deserialize;
use serde_json::json;
use sqlx::FromRow;

use super::Store;
use super::shown_as::ShownAs;
use chain::clock::UnixTime;

/// The channel on which PostgreSQL notifies the replicas.
pub const CHANNEL: &str = "profiles_changed";

/// How many numbers the list goes back. A replica that is further behind reads the whole board again.
const KEPT: i64 = 10_000;

/// A profile as the public sees it. The database derives the public columns (decisions, D17), so a total of which only
/// a range is shown is in neither the board nor this list.
#[derive(Clone, Debug, Deserialize, FromRow, PartialEq, Eq)]
pub struct ShownProfile {
    pub id: String,
    pub provider: String,
    pub username: String,
    /// The name in lower case, for searches.
    pub username_folded: String,
    /// Address of the picture at the provider.
    pub avatar_url: Option<String>,
    pub shown_as: ShownAs,
    /// The sats shown as proven; none when nothing is.
    pub shown_sats: Option<i64>,
    /// The sats of published proofs; none when there are none, and for a range.
    pub published_sats: Option<i64>,
    /// When a proof was last accepted, unix seconds; none for a range.
    pub shown_verified: Option<UnixTime>,
    /// When the profile last changed, unix seconds; for a range, when the range was chosen.
    pub shown_updated_at: UnixTime,
}

/// What has changed on the board since a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changes {
    /// The number of the newest change, and the changes.
    Since(i64, Vec<Change>),
    /// The list does not go back so far: the whole board has to be read again.
    Unknown,
}

/// A change of one profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The profile is new or has changed.
    Shown(ShownProfile),
    /// The profile is deleted. The list keeps only the start of its id.
    Gone(String),
}

/// A row of the list, with the numbers that say how far the list goes.
#[derive(FromRow)]
struct Listed {
    newest: i64,
    forgotten: i64,
    /// Without a provider when the profile is deleted, and without an id when there is no row.
    #[sqlx(flatten)]
    profile: ShownProfile,
}

/// Writes every noted profile into the list, as it is now. An account that is set aside counts nothing, here and in every other query
/// of the board, because its row may be out of date (decisions, D20). The `where` is for SQLite, which would read `on conflict` as a part
/// of the join.
const PASS_ON: &str = "insert into board_changes
        (profile_id, sequence, provider, username, username_folded, avatar_url, shown_as, holdings_sats, published_sats,
         last_verified, updated_at)
    select changed.noted, cast($1 as bigint), provider, username, username_folded, avatar_url, shown_as,
        case when id in (select user_id from accounts_set_aside) then null else shown_sats end,
        case when id in (select user_id from accounts_set_aside) then null else published_sats end,
        shown_verified, shown_updated_at
    from (select distinct noted from $rows) as changed left join profiles on profiles.id = changed.noted where true
    on conflict (profile_id) do update set
        sequence = excluded.sequence, provider = excluded.provider, username = excluded.username,
        username_folded = excluded.username_folded, avatar_url = excluded.avatar_url, shown_as = excluded.shown_as,
        holdings_sats = excluded.holdings_sats, published_sats = excluded.published_sats,
        last_verified = excluded.last_verified, updated_at = excluded.updated_at";

impl Store {
    /// Moves the noted changes into the list, notifies the other replicas, and returns the number of the newest change.
    ///
    /// Only committed changes are listed, and the number moves after them: a reader that has the number reads the change as well.
    pub async fn pass_on_changes(&self) -> sqlx::Result<i64> {
        let sql = "select coalesce((select sequence from live_sequence where id = 1), 0),
            exists (select 1 from unsent_changes)";
        let (newest, unsent): (i64, bool) = self.query(sql, &[]).one().await?;
        if !unsent {
            return Ok(newest);
        }
        let mut tx = self.begin().await?;
        // First, so that replicas wait for each other.
        let sql = "insert into live_sequence (id, sequence, forgotten) values (1, 1, 0)
            on conflict (id) do update set
              sequence = live_sequence.sequence + 1,
              forgotten = case
                when live_sequence.forgotten < live_sequence.sequence - $1 then live_sequence.sequence - $1
                else live_sequence.forgotten end
            returning sequence";
        let next: i64 = tx.query(sql, &[&KEPT]).value().await?;
        let passed = "delete from unsent_changes returning noted";
        let passed: Vec<String> = tx.query(passed, &[]).column().await?;
        if passed.is_empty() {
            // Another replica was faster, and has notified the others.
            return Ok(next - 1);
        }
        let rows = passed.iter().map(|id| json!({"noted": id}));
        let pass_on = tx
            .query(PASS_ON, &[&next])
            .rows("noted text", rows.collect());
        pass_on.run().await?;
        let gone = "select profile_id from board_changes where sequence = $1 and provider is null";
        let gone: Vec<String> = tx.query(gone, &[&next]).column().await?;
        for start in gone {
            // Deletes the earlier rows of the deleted profile, which name its owner.
            let names =
                "delete from board_changes where profile_id > $1 and profile_id < $1 || 'g'";
            tx.query(names, &[&start]).run().await?;
        }
        let forget = "delete from board_changes where sequence <= $1";
        tx.query(forget, &[&(next - 1 - KEPT)]).run().await?;
        if tx.is_postgres() {
            // Committing a notification locks the whole database. So it happens here, a few times a second at most, and not in every
            // transaction that changes something.
            let notify = "select pg_notify($1, '')";
            tx.query(notify, &[&CHANNEL]).run().await?;
        }
        tx.commit().await?;
        Ok(next)
    }

    /// The number of the newest change in the list.
    pub async fn newest_change(&self) -> sqlx::Result<i64> {
        let newest = "select coalesce((select sequence from live_sequence where id = 1), 0)";
        self.query(newest, &[]).value().await
    }

    /// The changes after the number `seen`.
    pub async fn changes_since(&self, seen: i64) -> sqlx::Result<Changes> {
        // One statement, so that the rows belong to the number.
        let sql = "select live_sequence.sequence as newest, forgotten, coalesce(profile_id, '') as id, coalesce(provider, '') as provider,
              coalesce(username, '') as username, coalesce(username_folded, '') as username_folded, avatar_url,
              coalesce(shown_as, 'exact') as shown_as, holdings_sats as shown_sats, published_sats, last_verified as shown_verified,
              coalesce(updated_at, 0) as shown_updated_at
            from live_sequence left join board_changes on board_changes.sequence > $1 where live_sequence.id = 1";
        let mut list: Vec<Listed> = self.query(sql, &[&seen]).all().await?;
        // The order in which a database returns rows reveals which of them changed recently, and that may be hidden.
        list.sort_unstable_by(|one, other| one.profile.id.cmp(&other.profile.id));
        let Some(&Listed {
            newest, forgotten, ..
        }) = list.first()
        else {
            return Ok(Changes::Since(0, Vec::new()));
        };
        if newest < seen || forgotten > seen {
            return Ok(Changes::Unknown);
        }
        let rows = list.into_iter().map(|it| it.profile);
        let rows = rows.filter(|profile| !profile.id.is_empty());
        let changes = rows
            .map(|profile| match profile.provider.is_empty() {
                true => Change::Gone(profile.id),
                false => Change::Shown(profile),
            })
            .collect();
        Ok(Changes::Since(newest, changes))
    }

    /// At most `count` profiles with ids after `after` and before `end`, by their ids.
    pub async fn shown_profiles(
        &self,
        after: &str,
        end: &str,
        count: i64,
    ) -> sqlx::Result<Vec<ShownProfile>> {
        let sql = "select $portion from (
              select id, provider, username, username_folded, avatar_url, shown_as,
                case when id in (select user_id from accounts_set_aside) then null else shown_sats end as shown_sats,
                case when id in (select user_id from accounts_set_aside) then null else published_sats end as published_sats,
                shown_verified, shown_updated_at
              from profiles where id > $1 and id < $2 order by id limit $3
            ) as shown";
        let profiles = self.query(sql, &[&after, &end, &count]).portions(
            "id, provider, username, username_folded, avatar_url, shown_as, shown_sats, published_sats, shown_verified, shown_updated_at",
        )?;
        profiles.try_concat().await
    }
}
