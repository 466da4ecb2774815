//! The sample holders of a new development board (D11). They sign in, and their files are checked and recorded, as those of everyone.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::chain_follower::Follower;
use crate::limits::RateLimits;
use crate::proof::{ProofSettings, Proving, Submission, SubmitError};
use crate::providers::handles;
use chain::Chain;
use chain::clock::{Clock, DAY};
use chain::sources::development::DevelopmentChain;
use development::{HOLDERS, Holder};
use store::Store;
use store::profiles::Identity;
use store::shown_as::ShownAs;

/// What their subjects begin with. A subject of the provider has digits only.
const SUBJECT: &str = "sample-";

/// Adds and removes the sample holders.
#[derive(Debug)]
pub struct SampleHolders {
    pub(crate) store: Store,
    pub(crate) clock: Clock,
    pub(crate) chain: Arc<Chain>,
    pub(crate) coins: Arc<DevelopmentChain>,
    pub(crate) follower: Arc<Follower>,
    pub(crate) limits: Arc<RateLimits>,
    pub(crate) settings: ProofSettings,
}

impl SampleHolders {
    /// Adds them to a database without profiles.
    ///
    /// # Errors
    /// When the database fails, or a sample is not a proof.
    pub async fn add(&self) -> Result<(), SubmitError> {
        if !self.store.profile_ids().await?.is_empty() {
            return Ok(());
        }
        for (number, holder) in HOLDERS.iter().enumerate() {
            self.add_one(number, holder).await?;
        }
        Ok(())
    }

    async fn add_one(&self, number: usize, holder: &Holder) -> Result<(), SubmitError> {
        let clock = Clock::manual(self.clock.now() - holder.days * DAY);
        let identity = Identity {
            provider: handles(),
            subject: format!("{SUBJECT}{number}"),
            username: Some(holder.name.clone()),
            email: None,
            avatar_url: None,
        };
        let account = self.store.sign_in(&identity, clock.now()).await?.id;
        self.store.choose_free_tier(&account, clock.now()).await?;
        if holder.range {
            (self.store)
                .show_as(&account, ShownAs::Range, clock.now())
                .await?;
        }
        holder.fund(&self.coins, &account);
        let settings = self.settings.clone();
        let (store, chain, follower) = (&self.store, &self.chain, &self.follower);
        let limits = &self.limits;
        let proving = Proving::load(store, &clock, chain, follower, limits, settings).await?;
        let statement = proving.statement(&account).await?;
        let submission = Submission {
            psbt_base64: STANDARD.encode(holder.file(&account, statement.line())),
            hints: Vec::new(),
            file_name: format!("{}.psbt", holder.name),
            publish: holder.published,
        };
        proving.submit((&account, None), submission).await?;
        Ok(())
    }

    /// The number of sample holders on the board.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn count(&self) -> sqlx::Result<usize> {
        Ok(self.accounts().await?.len())
    }

    /// Deletes their accounts, and nothing else.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn remove(&self) -> sqlx::Result<()> {
        for (account, _) in self.accounts().await? {
            self.store
                .delete_profile(&account, self.clock.now())
                .await?;
        }
        Ok(())
    }

    async fn accounts(&self) -> sqlx::Result<Vec<(String, String)>> {
        accounts(&self.store).await
    }
}

async fn accounts(store: &Store) -> sqlx::Result<Vec<(String, String)>> {
    store.profiles_with_subject(handles(), SUBJECT).await
}

/// The sample holders in the database, each with its account.
///
/// # Errors
/// When the database fails.
pub async fn stored(store: &Store) -> sqlx::Result<Vec<(String, &'static Holder)>> {
    let accounts = accounts(store).await?;
    let holders = accounts.into_iter().filter_map(|(account, subject)| {
        let number: usize = subject.strip_prefix(SUBJECT)?.parse().ok()?;
        Some((account, HOLDERS.get(number)?))
    });
    Ok(holders.collect())
}
