//! Proofs that their owners have published, with what a stranger needs to check them (proofs, section 4).

use serde::Serialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::records::Time;
use super::tx::Tx;
use chain::clock::UnixTime;

/// What is kept of a proof beyond its row when it is published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// Name of the network.
    pub network: &'static str,
    /// The final transaction, hex.
    pub transaction: String,
    /// The outputs that its inputs spend, in their order: a list in the consensus encoding, hex.
    pub previous_outputs: String,
    /// The statement that was signed.
    pub statement: String,
    /// What its code commits to beside the account: the origin of the board,
    pub origin: String,
    /// the provider,
    pub provider: String,
    /// the person's permanent id there,
    pub subject: String,
    /// the nonce, hex,
    pub nonce: String,
    /// and the full name and the block; none in a proof that is not dated.
    pub dated: Option<Dated>,
}

/// What the code of a dated statement commits to besides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dated {
    /// The full name as signed.
    pub name: String,
    /// Height of the block.
    pub height: i64,
    /// Its header of 80 bytes, hex.
    pub header: String,
}

/// A published proof that counts.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct PublishedProof {
    pub id: String,
    /// Whose it is.
    pub user_id: String,
    /// The name shown.
    pub username: String,
    /// The name of the provider that says who this is.
    pub profile_provider: String,
    /// `message` or `transaction`.
    pub binding: String,
    pub created_at: UnixTime,
    pub expires_at: UnixTime,
    pub published_at: UnixTime,
    /// See [`Publication`].
    pub network: String,
    pub final_transaction: String,
    pub previous_outputs: String,
    pub statement: String,
    pub origin: String,
    pub provider: String,
    pub subject: String,
    pub nonce: String,
    pub statement_name: Option<String>,
    pub block_height: Option<i64>,
    pub block_header: Option<String>,
}

/// The data of a published proof beyond its row.
#[derive(Clone, Debug, FromRow, Serialize, ToSchema)]
#[schema(as = Publication)]
pub struct RecordedPublication {
    #[serde(skip)]
    pub proof_id: String,
    published_at: Time,
    /// Hex.
    #[serde(rename = "transaction")]
    final_transaction: String,
    /// The outputs that its inputs spend, as a list in the consensus encoding, hex.
    previous_outputs: String,
    statement: String,
    /// The origin and the nonce, hex, to which the code of the statement commits in addition to the account.
    origin: String,
    nonce: String,
    /// The full name, and height and header (hex) of the block, to which a dated code commits as well.
    statement_name: Option<String>,
    block_height: Option<i64>,
    block_header: Option<String>,
}

/// A published proof as lists show it.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct ListedProof {
    pub id: String,
    /// Whose it is.
    pub user_id: String,
    /// The name shown.
    pub username: String,
    /// The provider that says who this is.
    pub provider: String,
    /// What counts of it now, in sats.
    pub amount_sats: i64,
    pub published_at: UnixTime,
}

impl Store {
    /// A published proof, if it still counts.
    pub async fn published_proof(&self, id: &str) -> Result<Option<PublishedProof>, sqlx::Error> {
        self.query(
            "select published_proofs.proof_id as id, published_proofs.user_id, profiles.username,
               profiles.provider as profile_provider, proofs.binding, proofs.created_at, proofs.expires_at, published_at,
               network, final_transaction, previous_outputs, statement, origin, published_proofs.provider,
               published_proofs.subject, nonce, published_proofs.statement_name, block_height, block_header
             from published_proofs join proofs on proofs.id = published_proofs.proof_id
             join profiles on profiles.id = published_proofs.user_id
             where published_proofs.proof_id = $1 and proofs.ended_at is null",
            &[&id],
        )
        .optional()
        .await
    }

    /// The outpoints of a proof that count now.
    pub async fn counting_coins(&self, proof: &str) -> Result<Vec<(String, i64)>, sqlx::Error> {
        self.query(
            "select txid, vout from claims where proof_id = $1 and ended_at is null",
            &[&proof],
        )
        .all()
        .await
    }

    /// So many published proofs with ids after `after`, by their ids: everybody's, or those of one person.
    pub async fn published_proofs(
        &self,
        user_id: Option<&str>,
        after: &str,
        limit: i64,
    ) -> Result<Vec<ListedProof>, sqlx::Error> {
        // Whoever ends a proof deletes it here.
        let everybody = "select proof_id as id, user_id, published_at,
               (select username from profiles where profiles.id = published_proofs.user_id) as username,
               (select provider from profiles where profiles.id = published_proofs.user_id) as provider,
               (select cast(coalesce(sum(value_sats), 0) as bigint) from claims
                where claims.proof_id = published_proofs.proof_id and claims.ended_at is null) as amount_sats
             from published_proofs where proof_id > $1 order by proof_id limit $2";
        let one = "select proof_id as id, user_id, published_at,
               (select username from profiles where profiles.id = published_proofs.user_id) as username,
               (select provider from profiles where profiles.id = published_proofs.user_id) as provider,
               (select cast(coalesce(sum(value_sats), 0) as bigint) from claims
                where claims.proof_id = published_proofs.proof_id and claims.ended_at is null) as amount_sats
             from published_proofs where user_id = $3 and proof_id > $1 order by proof_id limit $2";
        match user_id {
            None => self.query(everybody, &[&after, &limit]).all().await,
            Some(user) => self.query(one, &[&after, &limit, &user]).all().await,
        }
    }

    /// Everything that a person has published.
    pub async fn recorded_publications(
        &self,
        user_id: &str,
    ) -> Result<Vec<RecordedPublication>, sqlx::Error> {
        self.query(
            "select proof_id, published_at, final_transaction, previous_outputs, statement, origin, nonce,
               statement_name, block_height, block_header
             from published_proofs where user_id = $1 order by proof_id",
            &[&user_id],
        )
        .all()
        .await
    }

    /// Publishes a proof of a user that counts. Answers whether there is one.
    pub async fn publish(
        &self,
        user_id: &str,
        proof: &str,
        publication: &Publication,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        self.write(|mut tx| async move {
            // A request that ends the proof or deletes the account waits.
            if !tx.touch_profile(user_id, now).await? {
                return Ok(false);
            }
            let active: bool = tx
                .query(
                    "select exists (select 1 from proofs where id = $1 and user_id = $2 and ended_at is null)",
                    &[&proof, &user_id],
                )
                .value()
                .await?;
            if active {
                tx.add_publication(user_id, proof, publication, now).await?;
                tx.settle_holdings(user_id, now).await?;
            } else {
                tx.undo();
            }
            tx.end(active).await
        })
        .await
    }

    /// Deletes what was published of a user's proof. Answers whether anything was.
    pub async fn withdraw(
        &self,
        user_id: &str,
        proof: &str,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let withdrawn = self
            .write(|mut tx| async move {
                let withdrawn = tx.withdraw(user_id, proof, now).await?;
                tx.end(withdrawn).await
            })
            .await?;
        if withdrawn && let Err(error) = self.empty_log().await {
            tracing::warn!(%error, "what was withdrawn is still in the database's log, which is emptied later");
        }
        Ok(withdrawn)
    }
}

impl Tx {
    async fn withdraw(
        &mut self,
        user_id: &str,
        proof: &str,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        self.touch_profile(user_id, now).await?;
        let withdrawn = self
            .query(
                "delete from published_proofs where proof_id = $1 and user_id = $2",
                &[&proof, &user_id],
            )
            .execute()
            .await?;
        if withdrawn == 1 {
            self.settle_holdings(user_id, now).await?;
        } else {
            self.undo();
        }
        Ok(withdrawn == 1)
    }
    /// Keeps what is published of a proof. What is published already stays as it is.
    pub(crate) async fn add_publication(
        &mut self,
        user_id: &str,
        proof: &str,
        publication: &Publication,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        let dated = publication.dated.as_ref();
        self.query(
            "insert into published_proofs
               (proof_id, user_id, published_at, network, final_transaction, previous_outputs, statement, origin, provider,
                subject, nonce, statement_name, block_height, block_header)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict (proof_id) do nothing",
            &[
                &proof,
                &user_id,
                &now,
                &publication.network,
                &publication.transaction,
                &publication.previous_outputs,
                &publication.statement,
                &publication.origin,
                &publication.provider,
                &publication.subject,
                &publication.nonce,
                &dated.map(|dated| dated.name.clone()),
                &dated.map(|dated| dated.height),
                &dated.map(|dated| dated.header.clone()),
            ],
        )
        .run()
        .await
    }
}
