//! Processes a submission: read, look up, verify, bind, record.

use std::net::IpAddr;
use std::time::Duration;

use tokio::time::sleep;
use uuid::Uuid;

use super::proving::Proving;
use super::statement::Statement;
use super::submission::{NotPublishable, Outcome, Submission, SubmitError, VALIDITY, base_name};
use crate::chain_follower::{self, FollowError};
use crate::limits::queue::customer_of;
use crate::limits::{Limit, REFUSED, REFUSED_FROM};
use chain::{ChainError, Coin, FoundCoins};
use development::MOCK_FILE_NAME;
use store::binding::Binding;
use store::claims::{ActiveProof, NewClaim, NewProof, Recorded};
use store::profiles::Profile;
use verify::{self, Candidate, Refusal, Verified};

/// How long a submission waits before it looks up a coin again about which the sources differed.
const MEMPOOL_DELAY: Duration = Duration::from_secs(2);

/// How long a sender waits until the sources agree on a block and the follower has reached it.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(20);

/// Files with more coins are looked up one at a time: each keeps the sources busy by itself, so several would only delay each other.
const MANY_COINS: usize = 200;

/// A file that has been read.
#[derive(Clone)]
struct File {
    file_name: String,
    candidate: Candidate,
    publish: bool,
}

impl Proving {
    /// Checks a file and records it as a proof of the user who sends it from this address, if it is known. Failures that the sender can fix count
    /// towards a limit (rule C8).
    ///
    /// # Errors
    /// When there were too many failures, the file breaks a rule, or the chain sources or the database fail. Nothing is recorded then.
    pub async fn submit(
        &self,
        (user_id, address): (&str, Option<IpAddr>),
        submission: Submission,
    ) -> Result<Outcome, SubmitError> {
        let account = self.store.profile(user_id).await?;
        let account = account.ok_or(SubmitError::NoAccount)?;
        let subject = format!("{}\0{}", account.provider, account.subject).into_bytes();
        let customer = address.map(customer_of);
        // Attempts at once, on several replicas too, do not reach the limits without having failed.
        let _of_account = self.accounts.turn(Some(subject.clone())).await?;
        let _from_address = self.addresses.turn(customer.clone()).await?;
        let mut limits: Vec<(Limit, &[u8])> = vec![(REFUSED, &subject)];
        limits.extend(customer.as_deref().map(|it| (REFUSED_FROM, it)));
        let attempt = self.limits.admit_all(&limits).await?;
        let outcome = self.prove(&account, submission).await;
        if !is_failure(&outcome)
            && let Err(error) = self.limits.forgive(attempt).await
        {
            // The outcome of the file stands; only its attempt stays counted.
            tracing::warn!(%error, "cannot uncount an attempt that did not fail");
        }
        outcome
    }

    /// Reads the file, checks a signed message, and attempts the rest, a second time if a block arrives meanwhile.
    async fn prove(
        &self,
        account: &Profile,
        submission: Submission,
    ) -> Result<Outcome, SubmitError> {
        let file_name = base_name(&submission.file_name)?;
        let publish = submission.publish;
        let read = move || verify::read(&submission.psbt_base64, submission.hints);
        let candidate = self.off_thread(read).await?;
        let mut statement = self.statement_of(account).await?;
        self.check_message(&account.id, &statement, &candidate)
            .await?;
        let file = File {
            file_name,
            candidate,
            publish,
        };
        match self.attempt(account, &statement, file.clone()).await {
            // A block has arrived meanwhile, or not at all sources yet (rule B8).
            Err(SubmitError::Chain(ChainError::Moved | ChainError::Disagreement { .. })) => {}
            // A transaction reaches the mempools of the sources one after the other.
            Err(SubmitError::UnknownCoin { .. }) => sleep(MEMPOOL_DELAY).await,
            outcome => return outcome,
        }
        self.catch_up().await?;
        // The first block of the period may have changed.
        statement = self.statement_of(account).await?;
        self.attempt(account, &statement, file).await
    }

    /// Looks up, verifies, binds and records the file at one block.
    async fn attempt(
        &self,
        account: &Profile,
        statement: &Statement,
        file: File,
    ) -> Result<Outcome, SubmitError> {
        let user_id = account.id.as_str();
        let found = self.look_up(&file.candidate).await?;
        let min_confirmations = self.settings.min_confirmations;
        let verify = move || verify::verify(file.candidate, &found, min_confirmations);
        let verified = self.off_thread(verify).await?;
        let bound = self.bind(&verified, statement);
        let mut proof = self.new_proof(user_id, file.file_name, &verified);
        let recorded = match bound {
            Ok((binding, line)) => {
                proof.binding = binding;
                if file.publish {
                    let line = line.ok_or(NotPublishable::Unbound)?;
                    proof.publication = Some(self.publication(account, &verified, line)?);
                }
                proof.statement = line.map(|line| (line.block.height.into(), line.name.clone()));
                self.store.record(&proof).await?
            }
            Err(refusal) => {
                // The statement may have changed since this file became an active proof.
                let (tx_hash, now) = (&proof.tx_hash, proof.created_at);
                let active = self.store.active_proof(user_id, tx_hash, now).await?;
                Recorded::AlreadyVerified(active.ok_or(refusal)?)
            }
        };
        let recorded = match recorded {
            Recorded::AlreadyVerified(active) if file.publish && !active.published => {
                self.publish_active(account, &verified, active).await?
            }
            recorded => recorded,
        };
        Ok(Outcome {
            recorded,
            proof,
            next_line: statement.next_line,
        })
    }

    async fn publish_active(
        &self,
        account: &Profile,
        verified: &Verified,
        mut active: ActiveProof,
    ) -> Result<Recorded, SubmitError> {
        let line = self.line_of(account, verified, &active).await?;
        let publication = self.publication(account, verified, &line)?;
        let now = self.clock.now();
        let published = (self.store).publish(&account.id, &active.id, &publication, now);
        if !published.await? {
            // The proof has ended meanwhile, and its transaction never proves again.
            return Ok(Recorded::Replayed);
        }
        active.published = true;
        Ok(Recorded::AlreadyVerified(active))
    }

    /// Runs heavy work on a thread of its own, with at most one per processor, so that other requests are
    /// served meanwhile. A panic becomes a refusal (rule A1).
    async fn off_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, SubmitError> {
        let turn = self.processors.turn(None).await?;
        let done = turn.run(work).await.unwrap_or_else(|error| {
            tracing::error!(%error, "a check panicked");
            Err(Refusal::Uncheckable)
        });
        Ok(done?)
    }

    /// A proof, before its binding is known.
    fn new_proof(&self, user_id: &str, file_name: String, verified: &Verified) -> NewProof {
        let now = self.clock.now();
        let coins = verified
            .claimed()
            .map(|(outpoint, coin)| NewClaim {
                txid: outpoint.txid.to_string(),
                vout: i64::from(outpoint.vout),
                // Checked against 21 million BTC before.
                value_sats: i64::try_from(coin.output.value.to_sat()).unwrap_or(i64::MAX),
                // Every coin has a block and a height: MIN_CONFIRMATIONS is at least 1.
                funding_block: coin.block.map(|hash| hash.to_string()).unwrap_or_default(),
                funding_height: coin.height.map(i64::from).unwrap_or_default(),
            })
            .collect();
        NewProof {
            id: Uuid::now_v7().to_string(),
            user_id: user_id.to_owned(),
            tx_hash: self.hash_of(&verified.transaction),
            mock: self.settings.mocks && file_name == MOCK_FILE_NAME,
            file_name,
            binding: Binding::Unbound,
            statement: None,
            created_at: now,
            expires_at: now + VALIDITY,
            network: self.chain.network_name(),
            tip: verified.tip.hash.to_string(),
            coins,
            publication: None,
        }
    }

    /// The coins of a file.
    ///
    /// # Errors
    /// When the sources fail or do not agree about one of the coins, or when the chain is not followed to the block of the look-up.
    pub(super) async fn look_up(&self, candidate: &Candidate) -> Result<FoundCoins, SubmitError> {
        let (outpoints, locked_in_time) = (candidate.outpoints(), candidate.locked_in_time());
        let turn = match outpoints.len() > MANY_COINS {
            true => Some(self.many_coins.turn(None).await?),
            false => None,
        };
        let found = self
            .chain
            .look_up_with_times(&outpoints, &locked_in_time)
            .await?;
        drop(turn);
        if let Some(index) = found.coins.iter().position(|it| *it == Coin::Unknown) {
            let input = candidate.kind.virtual_inputs() + index;
            return Err(SubmitError::UnknownCoin { input });
        }
        let followed = self.store.cursor(self.chain.network_name()).await?;
        if followed.is_some_and(|cursor| cursor.block.hash == found.tip.hash.to_string()) {
            return Ok(found);
        }
        Err(ChainError::Moved.into())
    }

    /// Waits until the sources agree on the newest block and the chain is followed to it.
    ///
    /// # Errors
    /// When that takes too long, or the sources or the database fail.
    pub(super) async fn catch_up(&self) -> Result<(), SubmitError> {
        tokio::time::timeout(CATCH_UP_TIMEOUT, self.follower.advance(chain_follower::ALL))
            .await
            .unwrap_or(Err(FollowError::Chain(ChainError::Moved)))?;
        Ok(())
    }
}

/// Whether the outcome counts towards the limit: not if it succeeded, and not if this server, the chain sources or the database failed.
fn is_failure(outcome: &Result<Outcome, SubmitError>) -> bool {
    match outcome {
        Ok(outcome) => matches!(
            outcome.recorded,
            Recorded::Conflict | Recorded::Replayed | Recorded::Older
        ),
        Err(error) => !matches!(
            error,
            SubmitError::Chain(_)
                | SubmitError::UnknownCoin { .. }
                | SubmitError::Busy(_)
                | SubmitError::Database(_)
        ),
    }
}
