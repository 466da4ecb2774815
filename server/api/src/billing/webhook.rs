//! Events from Stripe. Each only says which customer to read.

use serde::Deserialize;
use serde_json::Value;

use super::Billing;
use super::error::BillingError;
use super::signature;

/// The kinds of events after which a customer's subscriptions are read.
const ABOUT_SUBSCRIPTIONS: [&str; 3] = ["customer.subscription.", "checkout.session.", "invoice."];

#[derive(Debug, Deserialize)]
struct Event {
    id: String,
    #[serde(rename = "type")]
    kind: String,
    livemode: bool,
    data: Data,
}

#[derive(Debug, Deserialize)]
struct Data {
    object: Value,
}

impl Billing {
    /// Handles a signed event once. Its id is recorded last: when anything fails, Stripe sends the event again.
    ///
    /// # Errors
    /// When Stripe did not sign the event within the last minutes, it is of the other mode, or Stripe or the database fails.
    pub async fn webhook(
        &self,
        signature: Option<&str>,
        payload: &[u8],
    ) -> Result<(), BillingError> {
        let (stripe, now) = (self.stripe()?, self.clock.now());
        let signature = signature.unwrap_or_default();
        signature::check(&stripe.settings.webhook_secrets, signature, payload, now)?;
        let event: Event = serde_json::from_slice(payload).map_err(|_| BillingError::NoEvent)?;
        if event.livemode != stripe.settings.live {
            return Err(BillingError::OtherMode);
        }
        if self.store.billing_event_known(&event.id).await? {
            return Ok(());
        }
        let object = &event.data.object;
        if event.kind == "customer.deleted" {
            if let Some(customer_id) = object["id"].as_str() {
                self.close_if_deleted(customer_id).await?;
            }
        } else if ABOUT_SUBSCRIPTIONS
            .iter()
            .any(|kind| event.kind.starts_with(kind))
            && let Some(customer_id) = object["customer"].as_str()
        {
            self.refresh(customer_id).await?;
        }
        self.store.add_billing_event(&event.id, now).await?;
        Ok(())
    }
}
