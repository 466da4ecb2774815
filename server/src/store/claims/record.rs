//! One attempt to record a proof: a transaction that either does everything or nothing.

use sqlx::QueryBuilder;
use uuid::Uuid;

use super::settle::{expire_due, settle_holdings};
use super::takeover::{Live, Takeover, end_claims, live_claims};
use super::{ActiveProof, NewProof, Recorded};
use crate::clock::UnixTime;
use crate::proof::binding::Binding;
use crate::store::{Store, begin};

/// How many rows one statement names: far below both databases' limits on parameters.
const CHUNK: usize = 200;

/// What became of an attempt.
pub(super) enum Attempt {
    /// It is decided.
    Done(Recorded),
    /// Another transaction changed a claim in between; nothing happened, try again.
    Crossed,
    /// The chain is not followed to where the coins were looked up; nothing happened.
    Moved,
}

/// $1 the user, $2 the name of the transaction, $3 now.
pub(super) const ACTIVE_PROOF: &str =
    "select proofs.binding, proofs.expires_at, profiles.holdings_sats from proofs
     join profiles on profiles.id = proofs.user_id
     where proofs.user_id = $1 and proofs.tx_hash = $2
       and proofs.ended_at is null and proofs.expires_at > $3";

/// A row of [`ACTIVE_PROOF`].
pub(super) fn active_proof(
    (binding, expires_at, total_sats): (String, UnixTime, Option<i64>),
) -> Option<ActiveProof> {
    Some(ActiveProof {
        binding: Binding::from_word(&binding)?,
        expires_at,
        total_sats: total_sats.unwrap_or(0),
    })
}

macro_rules! insert_proof {
    ($transaction:ident, $proof:expr, $renewed:expr) => {
        sqlx::query(
            "insert into proofs (id, user_id, tx_hash, file_name, amount_sats, status, binding, mock, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(&$proof.id)
        .bind(&$proof.user_id)
        .bind(&$proof.tx_hash)
        .bind(&$proof.file_name)
        .bind($proof.coins.iter().map(|coin| coin.value_sats).sum::<i64>())
        .bind(if $renewed { "reverified" } else { "verified" })
        .bind($proof.binding.as_str())
        .bind($proof.mock)
        .bind($proof.created_at)
        .bind($proof.expires_at)
        .execute(&mut *$transaction)
        .await?
    };
}

macro_rules! insert_claims {
    ($transaction:ident, $proof:expr, $coins:expr, $takeover:expr) => {{
        let mut query = QueryBuilder::new(
            "insert into claims (id, proof_id, user_id, network, txid, vout, value_sats, funding_block, bound) ",
        );
        query.push_values($coins, |mut row, coin| {
            row.push_bind(Uuid::now_v7().to_string())
                .push_bind(&$proof.id)
                .push_bind(&$proof.user_id)
                .push_bind($proof.network)
                .push_bind(&coin.txid)
                .push_bind(coin.vout)
                .push_bind(coin.value_sats)
                .push_bind(&coin.funding_block)
                .push_bind($proof.binding.is_bound() || $takeover.was_bound(coin));
        });
        query.build().execute(&mut *$transaction).await?
    }};
}

impl Store {
    pub(super) async fn try_record(&self, proof: &NewProof) -> Result<Attempt, sqlx::Error> {
        let now = proof.created_at;
        let mut coins = proof.coins.clone();
        // One order for everybody, so that two transactions rarely wait for each other.
        coins.sort();
        let holding_the_cursor = self.holding_the_cursor();
        begin!(self, |transaction| {
            let followed: Option<String> = sqlx::query_scalar(holding_the_cursor)
                .bind(proof.network)
                .fetch_optional(&mut *transaction)
                .await?;
            if followed.as_ref() != Some(&proof.tip) {
                return Ok(Attempt::Moved);
            }
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
                let found = sqlx::query_as(ACTIVE_PROOF)
                    .bind(&proof.user_id)
                    .bind(&proof.tx_hash)
                    .bind(now)
                    .fetch_optional(&mut *transaction)
                    .await?;
                if let Some(active) = found.and_then(active_proof) {
                    return Ok(Attempt::Done(active.into()));
                }
            }

            let mut takeover = Takeover::default();
            for chunk in coins.chunks(CHUNK) {
                let live = live_claims!(transaction, proof.network, chunk);
                let (own, others): (Vec<_>, Vec<_>) = live
                    .into_iter()
                    .partition(|claim| claim.user_id == proof.user_id);
                if others
                    .iter()
                    .any(|claim| claim.bound || !proof.binding.is_bound())
                {
                    return Ok(Attempt::Done(Recorded::Conflict));
                }
                for (claims, reason) in [(&own, "renewed"), (&others, "taken-over")] {
                    if claims.is_empty() {
                        continue;
                    }
                    let ids: Vec<&str> = claims.iter().map(|claim| claim.id.as_str()).collect();
                    let ended = end_claims!(transaction, ids, reason, now);
                    if ended != ids.len() as u64 {
                        return Ok(Attempt::Crossed);
                    }
                }
                takeover.add(own, others);
            }
            if !fresh {
                return Ok(Attempt::Done(Recorded::Replayed));
            }

            let renewed = takeover.own == coins.len();
            insert_proof!(transaction, proof, renewed);
            if let Some(nonce) = &proof.nonce {
                let used = sqlx::query(
                    "update message_nonces set proof_id = $1
                     where nonce = $2 and user_id = $3 and proof_id is null and expires_at > $4",
                )
                .bind(&proof.id)
                .bind(nonce)
                .bind(&proof.user_id)
                .bind(now)
                .execute(&mut *transaction)
                .await?
                .rows_affected();
                if used == 0 {
                    return Ok(Attempt::Done(Recorded::MessageSpent));
                }
            }
            for chunk in coins.chunks(CHUNK) {
                insert_claims!(transaction, proof, chunk, takeover);
            }
            let mut total_sats = 0;
            takeover.settle.insert(proof.user_id.clone());
            for user_id in &takeover.settle {
                let total = settle_holdings!(transaction, user_id, now);
                if *user_id == proof.user_id {
                    total_sats = total;
                }
            }
            sqlx::query("update profiles set last_verified = $2 where id = $1")
                .bind(&proof.user_id)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            transaction.commit().await?;
            Ok(Attempt::Done(if renewed {
                Recorded::Reverified { total_sats }
            } else {
                Recorded::Verified { total_sats }
            }))
        })
    }
}
