//! Beginning a purchase: a visit to the provider's own payment page.

use uuid::Uuid;

use super::error::BillingError;
use super::stripe::{CheckoutSession, Object, StripeError};
use super::{Billing, Seller};
use crate::store::billing::BillingAccount;
use crate::store::profiles::Profile;

/// How long the same attempt to begin a checkout is taken for one, in seconds: two clicks in two tabs lead to one
/// page, and a failure that the provider remembers under the same key is soon forgotten.
const SAME_ATTEMPT: i64 = 60;

/// How often to look again when another purchase of the same person was begun meanwhile.
const TRIES: usize = 3;

impl Billing {
    /// Where this person goes to pay. A page that is still open is used again: nobody has two at which they could pay twice.
    ///
    /// # Errors
    /// When somebody is premium already, or the provider fails.
    pub async fn checkout(&self, user_id: &str) -> Result<String, BillingError> {
        for _ in 0..TRIES {
            if let Some(url) = self.page(user_id).await? {
                return Ok(url);
            }
        }
        Err(BillingError::Busy)
    }

    /// The page that is open, or a new one; none when another one was begun meanwhile.
    async fn page(&self, user_id: &str) -> Result<Option<String>, BillingError> {
        let seller = self.seller()?;
        let profile = self.buyer(user_id).await?;
        let new_id = Uuid::new_v4().to_string();
        let now = self.clock.now();
        let account = self
            .store
            .billing_account(&new_id, &profile.id, seller.live, now)
            .await?
            .ok_or(BillingError::NoAccount)?;
        let customer_id = self.customer(seller, &profile, &account).await?;
        if let Some(url) = self.open_checkout(seller, &account).await? {
            return Ok(Some(url));
        }
        // One that its event has not told of yet, or whose first payment is under way.
        for subscription in seller.running(&customer_id).await? {
            self.refresh(&subscription.id, &customer_id).await?;
            if subscription.status == "incomplete" {
                return Err(BillingError::Pending);
            }
        }
        self.buyer(user_id).await?;
        let session = match self.begin(seller, &account, &customer_id).await {
            Err(StripeError::Missing) => {
                // The customer was deleted at the provider; trying again makes a new one.
                self.refresh_customer(&customer_id).await?;
                return Err(StripeError::Missing.into());
            }
            session => session?,
        };
        let no_page = || StripeError::Unreadable("a new checkout has no page".to_owned());
        let url = session.url.ok_or_else(no_page)?;
        if self.store.set_checkout(&account, &session.id).await? {
            return Ok(Some(url));
        }
        // Nobody has been sent to this one.
        if let Err(error) = seller.stripe.expire_checkout(&session.id).await {
            tracing::warn!(%error, "a payment page too many stays open, whose address nobody has");
        }
        Ok(None)
    }

    /// The profile of somebody who can buy.
    async fn buyer(&self, user_id: &str) -> Result<Profile, BillingError> {
        let profile = self.store.profile(user_id).await?;
        let profile = profile.ok_or(BillingError::NoAccount)?;
        match profile.tier.as_deref() {
            Some("premium") => Err(BillingError::AlreadyPremium),
            _ => Ok(profile),
        }
    }

    /// The customer of the account, made on first use. Of two that are made at once the first counts, for everybody.
    async fn customer(
        &self,
        seller: &Seller,
        profile: &Profile,
        account: &BillingAccount,
    ) -> Result<String, BillingError> {
        if let Some(id) = &account.customer_id {
            return Ok(id.clone());
        }
        let mut form = vec![("metadata[billing_account]", account.id.as_str())];
        form.extend(profile.email.as_deref().map(|email| ("email", email)));
        let key = format!("customer-{}-{}", account.id, self.attempt());
        let made: Object = seller.stripe.create(&["customers"], &form, &key).await?;
        let customer = self.store.set_customer(&account.id, &made.id).await?;
        let customer = customer.ok_or(BillingError::NoAccount)?;
        if customer != made.id {
            // Another purchase was begun in the minute before. Nobody has been sent to pay as this one.
            if let Err(error) = seller.stripe.delete(&["customers", &made.id]).await {
                tracing::warn!(%error, "a customer too many stays at the payment provider");
            }
        }
        Ok(customer)
    }

    /// The page of a checkout that was begun and is still open.
    async fn open_checkout(
        &self,
        seller: &Seller,
        account: &BillingAccount,
    ) -> Result<Option<String>, BillingError> {
        let Some(id) = &account.checkout_id else {
            return Ok(None);
        };
        let path = ["checkout", "sessions", id];
        match seller.stripe.get::<CheckoutSession>(&path).await {
            Ok(session) if session.status.as_deref() == Some("open") => Ok(session.url),
            Ok(_) | Err(StripeError::Missing) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    async fn begin(
        &self,
        seller: &Seller,
        account: &BillingAccount,
        customer_id: &str,
    ) -> Result<CheckoutSession, StripeError> {
        let origin = &self.origin;
        let price = seller.price_ids.first().map_or("", String::as_str);
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
        let key = format!("checkout-{}-{before}-{}", account.id, self.attempt());
        let path = ["checkout", "sessions"];
        seller.stripe.create(&path, &form, &key).await
    }

    fn attempt(&self) -> i64 {
        self.clock.now().div_euclid(SAME_ATTEMPT)
    }
}
