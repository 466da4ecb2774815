//! Purchases: each is a visit to Stripe's payment page, which Stripe calls a checkout session.

use uuid::Uuid;

use super::stripe::{CheckoutSession, Object, Stripe, StripeError};
use super::{Billing, BillingError};
use store::billing::BillingAccount;
use store::profiles::Profile;

/// How long requests for a customer share an idempotency key, in seconds: two clicks make one customer, and an error that Stripe
/// remembers under the key is soon forgotten.
const SAME_ATTEMPT: i64 = 60;

impl Billing {
    /// The address of a new page where this user pays.
    ///
    /// # Errors
    /// When the user has the premium plan already, a payment is under way, or Stripe fails.
    pub async fn checkout(&self, user_id: &str) -> Result<String, BillingError> {
        let stripe = self.stripe()?;
        let profile = self.buyer(user_id).await?;
        let (new_id, now) = (Uuid::new_v4().to_string(), self.clock.now());
        let account = self
            .store
            .billing_account(&new_id, &profile.id, now)
            .await?;
        let account = account.ok_or(BillingError::NoAccount)?;
        let customer_id = self.customer(stripe, &profile, &account).await?;
        // A payment whose event has not arrived yet.
        let running = self.refresh(&customer_id).await?;
        if running.is_some_and(|it| it.status == "incomplete") {
            return Err(BillingError::Pending);
        }
        self.buyer(user_id).await?;
        let session = match self.begin(stripe, &account, &customer_id).await {
            Err(StripeError::Missing) => {
                // The customer was deleted at Stripe. The next attempt makes a new one.
                self.close_if_deleted(&customer_id).await?;
                return Err(StripeError::Missing.into());
            }
            session => session?,
        };
        let no_page = || StripeError::Unreadable("a new checkout has no page".into());
        Ok(session.url.ok_or_else(no_page)?)
    }

    /// The profile of a user who can buy.
    async fn buyer(&self, user_id: &str) -> Result<Profile, BillingError> {
        let profile = self.store.profile(user_id).await?;
        let profile = profile.ok_or(BillingError::NoAccount)?;
        match profile.tier.as_deref() {
            Some("premium") => Err(BillingError::AlreadyPremium),
            _ => Ok(profile),
        }
    }

    /// The account's customer at Stripe, made on first use. Of two that are made at once the first is kept.
    async fn customer(
        &self,
        stripe: &Stripe,
        profile: &Profile,
        account: &BillingAccount,
    ) -> Result<String, BillingError> {
        if let Some(id) = &account.customer_id {
            return Ok(id.clone());
        }
        let mut form = vec![("metadata[billing_account]", account.id.as_str())];
        form.extend(profile.email.as_deref().map(|email| ("email", email)));
        let attempt = self.clock.now().div_euclid(SAME_ATTEMPT);
        let key = format!("customer-{}-{attempt}", account.id);
        let new: Object = stripe.create(&["customers"], &form, &key).await?;
        let customer_id = self.store.set_customer(&account.id, &new.id).await?;
        let customer_id = customer_id.ok_or(BillingError::NoAccount)?;
        if customer_id != new.id
            && let Err(error) = stripe.delete(&["customers", &new.id]).await
        {
            tracing::warn!(%error, "cannot delete an unused customer at Stripe");
        }
        Ok(customer_id)
    }

    async fn begin(
        &self,
        stripe: &Stripe,
        account: &BillingAccount,
        customer_id: &str,
    ) -> Result<CheckoutSession, StripeError> {
        let origin = &self.origin;
        let form = [
            ("mode", "subscription"),
            ("customer", customer_id),
            ("line_items[0][price]", &stripe.settings.price_ids[0]),
            ("line_items[0][quantity]", "1"),
            ("success_url", &format!("{origin}/profile")),
            ("cancel_url", &format!("{origin}/choose-plan")),
            // Random ids of our own: nothing at Stripe names the account.
            ("client_reference_id", &account.id),
            ("metadata[billing_account]", &account.id),
            ("subscription_data[metadata][billing_account]", &account.id),
        ];
        let key = Uuid::new_v4().to_string();
        stripe.create(&["checkout", "sessions"], &form, &key).await
    }
}
