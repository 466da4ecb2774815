//! Published proofs, with everything that anyone needs to check them (proofs, section 4).

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::claims::{Publication, RecordError};
use super::removals::What;
use super::sql::Value;
use super::tx::{Tx, is_check_violation};
use super::values::Time;
use chain::clock::UnixTime;

/// A published proof.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct PublishedProof {
    pub id: String,
    /// The owner.
    pub user_id: String,
    /// The owner's name as shown.
    pub username: String,
    /// The owner's provider now.
    pub profile_provider: String,
    /// `message` or `transaction`.
    pub binding: String,
    pub created_at: UnixTime,
    pub expires_at: UnixTime,
    #[sqlx(flatten)]
    pub publication: Publication,
}

/// A published proof in a list.
#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
#[schema(as = Listed)]
pub struct ListedProof {
    pub id: String,
    /// Whose it is.
    pub profile_id: String,
    /// The name in the person's row.
    username: String,
    /// The name of the provider that says who this is.
    provider: String,
    /// Whether the provider gave that name; false for a made-up one.
    named: bool,
    /// What counts of it now, in sats.
    amount_sats: i64,
    /// RFC 3339.
    #[schema(value_type = String)]
    published_at: Time,
}

impl Store {
    /// A published proof, if it still counts.
    pub async fn published_proof(&self, id: &str) -> sqlx::Result<Option<PublishedProof>> {
        let sql = "select published_proofs.proof_id as id, published_proofs.user_id, profiles.username,
              profiles.provider as profile_provider, proofs.binding, proofs.created_at, proofs.expires_at, published_at,
              network, final_transaction, previous_outputs, statement, origin, published_proofs.provider,
              published_proofs.subject, nonce, published_proofs.statement_name, block_height, block_header
            from published_proofs join proofs on proofs.id = published_proofs.proof_id
            join profiles on profiles.id = published_proofs.user_id
            where published_proofs.proof_id = $1 and proofs.ended_at is null";
        self.query(sql, &[&id]).optional().await
    }

    /// The outpoints of a proof that count now.
    pub async fn counting_coins(&self, proof: &str) -> sqlx::Result<Vec<(String, i64)>> {
        let sql = "select txid, vout from claims where proof_id = $1 and ended_at is null";
        self.query(sql, &[&proof]).all().await
    }

    /// At most `limit` published proofs with ids after `after`, by their ids: all, or those of one user.
    pub async fn published_proofs(
        &self,
        user_id: Option<&str>,
        after: &str,
        limit: i64,
    ) -> sqlx::Result<Vec<ListedProof>> {
        // A proof that ends is deleted from this table, so all of these count. Two whole statements, because the test of query plans reads
        // them in the source.
        let all = "select proof_id as id, user_id as profile_id, published_at, username, profiles.provider, named,
               (select cast(coalesce(sum(value_sats), 0) as bigint) from claims
                where claims.proof_id = published_proofs.proof_id and claims.ended_at is null) as amount_sats
             from published_proofs join profiles on profiles.id = user_id
             where proof_id > $1 order by proof_id limit $2";
        let of_user = "select proof_id as id, user_id as profile_id, published_at, username, profiles.provider, named,
               (select cast(coalesce(sum(value_sats), 0) as bigint) from claims
                where claims.proof_id = published_proofs.proof_id and claims.ended_at is null) as amount_sats
             from published_proofs join profiles on profiles.id = user_id
             where user_id = $3 and proof_id > $1 order by proof_id limit $2";
        match user_id {
            None => self.query(all, &[&after, &limit]).all().await,
            Some(user) => self.query(of_user, &[&after, &limit, &user]).all().await,
        }
    }

    /// Publishes an active proof of a user. Returns whether there is one.
    ///
    /// # Errors
    /// [`RecordError::Range`] when its owner shows a range.
    pub async fn publish(
        &self,
        user_id: &str,
        proof: &str,
        publication: &Publication,
        now: UnixTime,
    ) -> Result<bool, RecordError> {
        let active = "select exists (select 1 from proofs where id = $1 and user_id = $2 and ended_at is null)";
        let published = self.write(|mut tx| async move {
            // Requests that end the proof or delete the account wait.
            let active = tx.touch_profile(user_id, now).await?
                && tx.query(active, &[&proof, &user_id]).value().await?;
            if !active {
                return Ok(false);
            }
            tx.add_publication(user_id, proof, publication).await?;
            tx.undo_removal(What::Unpublished, proof, now).await?;
            tx.settle_holdings(user_id, now).await?;
            tx.end(true).await
        });
        match published.await {
            Err(error) if is_check_violation(&error) => Err(RecordError::Range),
            published => Ok(published?),
        }
    }

    /// Withdraws a user's published proof. Returns whether it was published.
    pub async fn withdraw(&self, user_id: &str, proof: &str, now: UnixTime) -> sqlx::Result<bool> {
        let withdraw = "delete from published_proofs where proof_id = $1 and user_id = $2";
        let withdrawn = self
            .write(|mut tx| async move {
                tx.touch_profile(user_id, now).await?;
                let withdrawn = tx.query(withdraw, &[&proof, &user_id]);
                if !withdrawn.has_changed().await? {
                    return Ok(false);
                }
                tx.note_removal(What::Unpublished, proof, now).await?;
                tx.settle_holdings(user_id, now).await?;
                tx.end(true).await
            })
            .await?;
        if withdrawn {
            self.empty_wal_or_warn().await;
        }
        Ok(withdrawn)
    }
}

impl Tx {
    /// Stores what is published of a proof. Does not change a publication that is there already.
    pub(crate) async fn add_publication(
        &mut self,
        user_id: &str,
        proof: &str,
        publication: &Publication,
    ) -> sqlx::Result<()> {
        let sql = "insert into published_proofs
              (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin, provider,
               subject, nonce, statement_name, block_height, block_header)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (proof_id) do nothing";
        let values: &[&dyn Value] = &[
            &proof,
            &user_id,
            &publication.published_at,
            &publication.network,
            &publication.transaction,
            &publication.previous_outputs,
            &publication.statement,
            &publication.origin,
            &publication.provider,
            &publication.subject,
            &publication.nonce,
            &publication.statement_name,
            &publication.block_height,
            &publication.block_header,
        ];
        self.query(sql, values).run().await
    }
}
