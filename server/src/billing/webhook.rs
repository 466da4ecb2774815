//! Events of the payment provider: each only says what to ask about.

use serde::Deserialize;

use super::Billing;
use crate::error::Error;
use crate::state::AppState;

/// A signed event.
#[derive(Debug, Deserialize)]
pub struct Event {
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
    /// Reads an event. The body has been signed, so what it says is what the provider sent.
    ///
    /// # Errors
    /// 400 for anything else.
    pub fn read(payload: &[u8]) -> Result<Self, Error> {
        serde_json::from_slice(payload)
            .map_err(|_| Error::bad_request("invalid-body", "The body is no event."))
    }

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
    /// Deals with an event, once. It counts as dealt with only after everything has been recorded: when this
    /// fails, the provider sends it again.
    ///
    /// # Errors
    /// 400 for an event of the other mode, 503 while the provider cannot be asked.
    pub async fn receive(&self, state: &AppState, event: &Event) -> Result<(), Error> {
        if event.livemode != self.live {
            return Err(Error::bad_request(
                "wrong-mode",
                "This event is of the other mode, test or live, than the key of this server.",
            ));
        }
        if state.store.billing_event_known(&event.id).await? {
            return Ok(());
        }
        match event.subject() {
            Some(Subject::Subscription { id, customer }) => {
                let customer = customer.unwrap_or_default();
                self.refresh(state, &id, &customer).await?;
            }
            Some(Subject::DeletedCustomer(id)) => self.refresh_customer(state, &id).await?,
            None => {}
        }
        let now = state.clock.now();
        state.store.add_billing_event(&event.id, now).await?;
        Ok(())
    }
}
