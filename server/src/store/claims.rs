//! Recording a proof and its claims: one transaction that either does everything or nothing.

use sqlx::QueryBuilder;

use super::{Store, begin, is_unique_violation};
use crate::clock::UnixTime;

/// A proof that has passed every check, ready to be recorded.
#[derive(Clone, Debug)]
pub struct NewProof {
    /// A fresh UUID.
    pub id: String,
    /// Who proved it.
    pub user_id: String,
    /// Keyed hash of the transaction without scriptSigs and witnesses.
    pub tx_hash: String,
    /// Base name of the file, shown to its owner alone.
    pub file_name: String,
    /// `unbound`, `amount` or `message` (decisions, D4).
    pub binding: &'static str,
    /// Whether it is development's mock proof.
    pub mock: bool,
    /// Now, unix seconds.
    pub created_at: UnixTime,
    /// When it stops counting, unix seconds.
    pub expires_at: UnixTime,
    /// Name of the network, part of what makes a claim unique.
    pub network: &'static str,
    /// The coins, at least one, without duplicates.
    pub coins: Vec<NewClaim>,
}

/// One coin of a proof.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NewClaim {
    /// Txid of the outpoint, hex as people write it.
    pub txid: String,
    /// Output index of the outpoint.
    pub vout: i64,
    /// Value in sats.
    pub value_sats: i64,
    /// Hash of the block that funded it.
    pub funding_block: String,
}

/// What came of it (decisions, D3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// At least one outpoint is new. The user's new total in sats.
    Verified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// Every outpoint was already this user's; the proof is good for another 90 days.
    Reverified {
        /// Sum of all live claims of the user.
        total_sats: i64,
    },
    /// This very transaction is an active proof of this user. Nothing changed.
    AlreadyVerified {
        /// Sum of all live claims of the user.
        total_sats: i64,
        /// Until when the proof counts, unix seconds.
        expires_at: UnixTime,
    },
    /// Somebody else has a live claim on one of the outpoints. Nothing changed.
    Conflict,
    /// The transaction has proven something before and never proves again. Nothing changed.
    Replayed,
}

/// How many rows one statement names: far below both databases' limits on parameters.
const CHUNK: usize = 200;

/// Releases the claims of every proof whose time is over, in the transaction that finds them.
macro_rules! expire_due {
    ($transaction:ident, $now:expr) => {{
        sqlx::query(
            "update claims set ended_at = $1, end_reason = 'expired'
             where ended_at is null
               and proof_id in (select id from proofs where ended_at is null and expires_at <= $1)",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        sqlx::query(
            "update profiles set updated_at = $1, holdings_sats =
               (select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null)
             where id in (select user_id from proofs where ended_at is null and expires_at <= $1)",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?;
        sqlx::query(
            "update proofs set ended_at = expires_at where ended_at is null and expires_at <= $1",
        )
        .bind($now)
        .execute(&mut *$transaction)
        .await?
        .rows_affected()
    }};
}

/// Sums the live claims of a user into the profile and answers the sum in sats.
macro_rules! settle_holdings {
    ($transaction:ident, $user:expr, $now:expr) => {{
        let total: Option<i64> = sqlx::query_scalar(
            "update profiles set updated_at = $2, holdings_sats =
               (select cast(sum(value_sats) as bigint) from claims
                where claims.user_id = profiles.id and claims.ended_at is null)
             where id = $1 returning holdings_sats",
        )
        .bind($user)
        .bind($now)
        .fetch_one(&mut *$transaction)
        .await?;
        total.unwrap_or(0)
    }};
}
pub(super) use settle_holdings;

impl Store {
    /// Records a proof, or says why not. All of its outpoints or none.
    ///
    /// Two submissions of one outpoint at the same moment, on any number of servers, are decided by
    /// the unique index on live claims: the one that commits second is the conflict.
    ///
    /// # Errors
    /// When the database fails; nothing is recorded then.
    pub async fn record(&self, proof: &NewProof) -> Result<Recorded, sqlx::Error> {
        match self.try_record(proof).await {
            Err(error) if is_unique_violation(&error) => Ok(Recorded::Conflict),
            other => other,
        }
    }

    async fn try_record(&self, proof: &NewProof) -> Result<Recorded, sqlx::Error> {
        let now = proof.created_at;
        let mut coins = proof.coins.clone();
        // One order for everybody, so that two transactions never wait for each other.
        coins.sort();
        begin!(self, |transaction| {
            expire_due!(transaction, now);
            let fresh = sqlx::query(
                "insert into recorded_transactions (tx_hash, recorded_at) values ($1, $2)
                 on conflict (tx_hash) do nothing",
            )
            .bind(&proof.tx_hash)
            .bind(now)
            .execute(&mut *transaction)
            .await?
            .rows_affected()
                == 1;
            if !fresh {
                let active: Option<(UnixTime, Option<i64>)> = sqlx::query_as(
                    "select proofs.expires_at, profiles.holdings_sats from proofs
                     join profiles on profiles.id = proofs.user_id
                     where proofs.tx_hash = $1 and proofs.user_id = $2 and proofs.ended_at is null",
                )
                .bind(&proof.tx_hash)
                .bind(&proof.user_id)
                .fetch_optional(&mut *transaction)
                .await?;
                if let Some((expires_at, total_sats)) = active {
                    return Ok(Recorded::AlreadyVerified {
                        total_sats: total_sats.unwrap_or(0),
                        expires_at,
                    });
                }
            }

            let mut own = 0;
            for chunk in coins.chunks(CHUNK) {
                let mut query = QueryBuilder::new(
                    "select user_id, id from claims where ended_at is null and network = ",
                );
                query.push_bind(proof.network);
                query.push(" and (txid, vout) in (values ");
                let mut rows = query.separated(", ");
                for coin in chunk {
                    rows.push("(");
                    rows.push_bind_unseparated(&coin.txid);
                    rows.push_unseparated(", ");
                    rows.push_bind_unseparated(coin.vout);
                    rows.push_unseparated(")");
                }
                query.push(")");
                let live: Vec<(String, String)> =
                    query.build_query_as().fetch_all(&mut *transaction).await?;
                if live.iter().any(|(user_id, _)| *user_id != proof.user_id) {
                    return Ok(Recorded::Conflict);
                }
                own += live.len();
                for (_, claim) in live {
                    sqlx::query(
                        "update claims set ended_at = $2, end_reason = 'renewed' where id = $1",
                    )
                    .bind(claim)
                    .bind(now)
                    .execute(&mut *transaction)
                    .await?;
                }
            }
            if !fresh {
                return Ok(Recorded::Replayed);
            }

            let renewed = own == coins.len();
            sqlx::query(
                "insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            )
            .bind(&proof.id)
            .bind(&proof.user_id)
            .bind(&proof.tx_hash)
            .bind(&proof.file_name)
            .bind(coins.iter().map(|coin| coin.value_sats).sum::<i64>())
            .bind(if renewed { "reverified" } else { "verified" })
            .bind(proof.binding)
            .bind(proof.mock)
            .bind(now)
            .bind(proof.expires_at)
            .execute(&mut *transaction)
            .await?;
            for chunk in coins.chunks(CHUNK) {
                let mut query = QueryBuilder::new(
                    "insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block) ",
                );
                query.push_values(chunk, |mut row, coin| {
                    row.push_bind(uuid::Uuid::now_v7().to_string())
                        .push_bind(&proof.id)
                        .push_bind(&proof.user_id)
                        .push_bind(proof.network)
                        .push_bind(&coin.txid)
                        .push_bind(coin.vout)
                        .push_bind(coin.value_sats)
                        .push_bind(&coin.funding_block);
                });
                query.build().execute(&mut *transaction).await?;
            }
            // A proof whose every coin has moved to a newer one has nothing left to say.
            sqlx::query(
                "update proofs set ended_at = $2 where user_id = $1 and ended_at is null
                   and not exists (select 1 from claims where claims.proof_id = proofs.id and claims.ended_at is null)",
            )
            .bind(&proof.user_id)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
            sqlx::query("update profiles set last_verified = $2 where id = $1")
                .bind(&proof.user_id)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            let total_sats = settle_holdings!(transaction, &proof.user_id, now);
            transaction.commit().await?;
            Ok(if renewed {
                Recorded::Reverified { total_sats }
            } else {
                Recorded::Verified { total_sats }
            })
        })
    }

    /// Ends every proof whose time is over and releases its claims. Answers how many ended.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn expire_due(&self, now: UnixTime) -> Result<u64, sqlx::Error> {
        if !self.anything_due(now).await? {
            return Ok(0);
        }
        begin!(self, |transaction| {
            let ended = expire_due!(transaction, now);
            transaction.commit().await?;
            Ok(ended)
        })
    }
}
