//! Events of the payment provider: each only says what to ask about.

use serde::Deserialize;

use super::Billing;
use super::error::BillingError;

/// A signed event. What it says is what the provider sent.
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
    object: Named,
}

/// Where the objects of different kinds name their subscription and customer.
#[derive(Debug, Deserialize)]
struct Named {
    id: Option<String>,
    customer: Option<String>,
    subscription: Option<String>,
    parent: Option<Parent>,
}

/// Where invoices name it since version 2025-03-31.
#[derive(Debug, Deserialize)]
struct Parent {
    subscription_details: Option<SubscriptionDetails>,
}

#[derive(Debug, Deserialize)]
struct SubscriptionDetails {
    subscription: Option<String>,
}

/// What an event is about.
enum Subject {
    Subscription {
        id: String,
        customer: Option<String>,
    },
    DeletedCustomer(String),
}

impl Event {
    /// What to ask the provider about; none for events that change nothing here.
    fn subject(&self) -> Option<Subject> {
        let object = &self.data.object;
        if self.kind == "customer.deleted" {
            return object.id.clone().map(Subject::DeletedCustomer);
        }
        let id = if self.kind.starts_with("customer.subscription.") {
            object.id.clone()
        } else if self.kind.starts_with("checkout.session.") || self.kind.starts_with("invoice.") {
            let parent = object.parent.as_ref();
            let details = parent.and_then(|parent| parent.subscription_details.as_ref());
            let nested = details.and_then(|details| details.subscription.clone());
            object.subscription.clone().or(nested)
        } else {
            None
        };
        let customer = object.customer.clone();
        id.map(|id| Subject::Subscription { id, customer })
    }
}

impl Billing {
    /// Deals with an event that the provider has signed, once. It counts as dealt with only after everything has been
    /// recorded: when this fails, the provider sends it again.
    ///
    /// # Errors
    /// When the provider did not sign it just now, it is of the other mode, or the provider cannot be asked.
    pub async fn webhook(
        &self,
        signature: Option<&str>,
        payload: &[u8],
    ) -> Result<(), BillingError> {
        let seller = self.seller()?;
        let signature = signature.unwrap_or_default();
        seller
            .signatures
            .check(signature, payload, self.clock.now())?;
        let event: Event = serde_json::from_slice(payload).map_err(|_| BillingError::NoEvent)?;
        if event.livemode != seller.live {
            return Err(BillingError::OtherMode);
        }
        if self.store.billing_event_known(&event.id).await? {
            return Ok(());
        }
        match event.subject() {
            Some(Subject::Subscription { id, customer }) => {
                self.refresh(&id, &customer.unwrap_or_default()).await?;
            }
            Some(Subject::DeletedCustomer(id)) => self.refresh_customer(&id).await?,
            None => {}
        }
        let now = self.clock.now();
        self.store.add_billing_event(&event.id, now).await?;
        Ok(())
    }
}
