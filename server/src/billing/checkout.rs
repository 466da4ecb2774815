//! Beginning a purchase: a visit to the provider's own payment page.

use uuid::Uuid;

use super::stripe::{CheckoutSession, Object, StripeError};
use super::{Billing, unavailable};
use crate::clock::UnixTime;
use crate::error::Error;
use crate::state::AppState;
use crate::store::billing::BillingAccount;
use crate::store::profiles::Profile;

/// How long the same attempt to begin a checkout is taken for one, in seconds: two clicks in two tabs lead to one
/// page, and a failure that the provider remembers under the same key is soon forgotten.
const SAME_ATTEMPT: i64 = 60;

impl Billing {
    /// Where this person goes to pay. A page that is still open is used again.
    ///
    /// # Errors
    /// 409 for somebody who is premium, 503 when the provider fails.
    pub async fn checkout(&self, state: &AppState, user_id: &str) -> Result<String, Error> {
        let profile = self.buyer(state, user_id).await?;
        let account = self.account(state, &profile).await?;
        let customer_id = self.customer(state, &profile, &account).await?;
        if let Some(url) = self.open_checkout(state, &account, &customer_id).await? {
            return Ok(url);
        }
        // The checkout before may have been paid a moment ago.
        self.buyer(state, user_id).await?;
        let now = state.clock.now();
        let session = self.begin(state, &account, &customer_id, now).await;
        let session = match session {
            Err(StripeError::Missing) => {
                // The customer was deleted at the provider; trying again makes a new one.
                self.refresh_customer(state, &customer_id).await?;
                return Err(unavailable());
            }
            session => session?,
        };
        let url = session.url.ok_or_else(unavailable)?;
        state.store.set_checkout(&account.id, &session.id).await?;
        Ok(url)
    }

    /// The profile of somebody who can buy.
    async fn buyer(&self, state: &AppState, user_id: &str) -> Result<Profile, Error> {
        let profile = state.store.profile(user_id).await?;
        let profile = profile.ok_or_else(Error::signed_out)?;
        if profile.tier.as_deref() == Some("premium") {
            return Err(Error::Conflict {
                code: "already-premium",
                message: "You already have the premium plan.".to_owned(),
            });
        }
        Ok(profile)
    }

    async fn account(&self, state: &AppState, profile: &Profile) -> Result<BillingAccount, Error> {
        let id = Uuid::new_v4().to_string();
        let now = state.clock.now();
        let account = state
            .store
            .billing_account(&id, &profile.id, self.live, now)
            .await?;
        account.ok_or_else(Error::signed_out)
    }

    /// The customer of the account, made on first use.
    async fn customer(
        &self,
        state: &AppState,
        profile: &Profile,
        account: &BillingAccount,
    ) -> Result<String, Error> {
        if let Some(id) = &account.customer_id {
            return Ok(id.clone());
        }
        let mut form = vec![("metadata[billing_account]", account.id.as_str())];
        form.extend(profile.email.as_deref().map(|email| ("email", email)));
        let attempt = state.clock.now().div_euclid(SAME_ATTEMPT);
        let key = format!("customer-{}-{attempt}", account.id);
        let made: Object = self.stripe.create(&["customers"], &form, &key).await?;
        if !state.store.set_customer(&account.id, &made.id).await? {
            return Err(Error::signed_out());
        }
        Ok(made.id)
    }

    /// The page of a checkout that was begun and is still open. One that was completed is looked into,
    /// in case its event is late.
    async fn open_checkout(
        &self,
        state: &AppState,
        account: &BillingAccount,
        customer_id: &str,
    ) -> Result<Option<String>, Error> {
        let Some(id) = &account.checkout_id else {
            return Ok(None);
        };
        let path = ["checkout", "sessions", id];
        let session: CheckoutSession = match self.stripe.get(&path).await {
            Err(StripeError::Missing) => return Ok(None),
            session => session?,
        };
        match (session.status.as_deref(), session.subscription) {
            (Some("open"), _) => Ok(session.url),
            (Some("complete"), Some(subscription)) => {
                self.refresh(state, &subscription, customer_id).await?;
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    async fn begin(
        &self,
        state: &AppState,
        account: &BillingAccount,
        customer_id: &str,
        now: UnixTime,
    ) -> Result<CheckoutSession, StripeError> {
        let origin = state.config.origin();
        let price = self.price_ids.first().map_or("", String::as_str);
        let form = [
            ("mode", "subscription"),
            ("customer", customer_id),
            ("line_items[0][price]", price),
            ("line_items[0][quantity]", "1"),
            ("success_url", &format!("{origin}/profile")),
            ("cancel_url", &format!("{origin}/choose-plan")),
            // Ours and random: nothing at the provider names the account.
            ("client_reference_id", &account.id),
            ("metadata[billing_account]", &account.id),
            ("subscription_data[metadata][billing_account]", &account.id),
        ];
        let before = account.checkout_id.as_deref().unwrap_or("none");
        let attempt = now.div_euclid(SAME_ATTEMPT);
        let key = format!("checkout-{}-{before}-{attempt}", account.id);
        self.stripe
            .create(&["checkout", "sessions"], &form, &key)
            .await
    }
}
