//! Events from Stripe. Each only says which customer to read. Stripe signs them: HMAC-SHA256 over time and body, in the header
//! `Stripe-Signature: t=…,v1=…` (Stripe, "Verify webhook signatures manually").

use hmac::{Hmac, KeyInit, Mac};
use serde::Deserialize;
use serde_json::Value;
use sha2::Sha256;

use super::{Billing, BillingError};
use crate::config::Secret;
use chain::clock::UnixTime;

/// The kinds of events after which a customer's subscriptions are read.
const ABOUT_SUBSCRIPTIONS: [&str; 3] = ["customer.subscription.", "checkout.session.", "invoice."];

/// How far the time in a signature may be from ours, in seconds. Stripe signs an event again whenever it sends it again.
const TOLERANCE: i64 = 300;

#[derive(Debug, Deserialize)]
struct Event {
    #[serde(rename = "type")]
    kind: String,
    data: Value,
}

impl Billing {
    /// Handles a signed event. When anything fails, Stripe sends the event again.
    ///
    /// # Errors
    /// When Stripe did not sign the event within the last minutes, or Stripe or the database fails.
    pub async fn webhook(
        &self,
        signature: Option<&str>,
        payload: &[u8],
    ) -> Result<(), BillingError> {
        let (stripe, now) = (self.stripe()?, self.clock.now());
        let signature = signature.unwrap_or_default();
        check_signature(&stripe.settings.webhook_secrets, signature, payload, now)
            .map_err(BillingError::Event)?;
        let event = serde_json::from_slice(payload);
        let event: Event = event.map_err(|_| BillingError::Event(NO_EVENT))?;
        let object = &event.data["object"];
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
        Ok(())
    }
}

const NO_EVENT: &str = "The body is not a Stripe event. Only Stripe may call this address.";

/// The header is missing or has another form.
const MALFORMED: &str = "the header Stripe-Signature is missing or malformed";

/// None of the signatures was made with one of our secrets.
const WRONG: &str = "the Stripe-Signature does not match the body; check STRIPE_WEBHOOK_SECRET";

/// It was signed too long ago, or in the future.
const OLD: &str =
    "the Stripe-Signature is older than five minutes, or from the future; check the server's clock";

/// Checks the header against the body, byte for byte as it arrived. Several `secrets` are valid while one is being replaced.
fn check_signature(
    secrets: &[Secret],
    header: &str,
    payload: &[u8],
    now: UnixTime,
) -> Result<(), &'static str> {
    let mut time = None;
    let mut signatures = Vec::new();
    for part in header.split(',') {
        match part.trim().split_once('=') {
            Some(("t", value)) => time = Some(value),
            // Other schemes, such as v0 of test events, prove nothing.
            Some(("v1", value)) => signatures.extend(hex::decode(value)),
            _ => {}
        }
    }
    let time = time.ok_or(MALFORMED)?;
    let signed_at: UnixTime = time.parse().map_err(|_| MALFORMED)?;
    if signatures.is_empty() {
        return Err(MALFORMED);
    }
    let fits = secrets.iter().any(|secret| {
        let mac = Hmac::<Sha256>::new_from_slice(secret.expose().as_bytes())
            .expect("HMAC takes a key of any length (RFC 2104)");
        let mac = mac.chain_update(time).chain_update(b".");
        let mac = mac.chain_update(payload);
        // Compares in constant time.
        signatures
            .iter()
            .any(|signature| mac.clone().verify_slice(signature).is_ok())
    });
    if !fits {
        return Err(WRONG);
    }
    if now.abs_diff(signed_at) > TOLERANCE.unsigned_abs() {
        return Err(OLD);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: UnixTime = 1_790_000_000;
    const BODY: &[u8] = br#"{"id":"evt_1"}"#;

    fn sign(secret: &str, time: UnixTime, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
        mac.update(time.to_string().as_bytes());
        mac.update(b".");
        mac.update(body);
        hex::encode(mac.finalize().into_bytes())
    }

    fn check(header: &str) -> Result<(), &'static str> {
        let secrets = ["whsec_new", "whsec_old"].map(|secret| Secret::from(secret.to_owned()));
        check_signature(&secrets, header, BODY, NOW)
    }

    #[test]
    fn any_of_several_signatures_and_secrets_will_do() {
        for secret in ["whsec_new", "whsec_old"] {
            let good = sign(secret, NOW, BODY);
            let other = sign("whsec_other", NOW, BODY);
            assert_eq!(check(&format!("t={NOW},v1={good},v0=00")), Ok(()));
            assert_eq!(check(&format!("t={NOW}, v1={other}, v1={good}")), Ok(()));
        }
    }

    #[test]
    fn a_forged_or_changed_event_is_not_believed() {
        let good = sign("whsec_new", NOW, BODY);
        for (header, refused) in [
            (String::new(), MALFORMED),
            (format!("v1={good}"), MALFORMED),
            (format!("t={NOW}"), MALFORMED),
            (format!("t={NOW},v0={good}"), MALFORMED),
            (format!("t=later,v1={good}"), MALFORMED),
            (format!("t={NOW},v1={}", &good[..62]), WRONG),
            (format!("t={},v1={good}", NOW + 1), WRONG),
            // The last time counts, for the signature as for the clock.
            (format!("t={NOW},v1={good},t={}", NOW + 1), WRONG),
            (
                format!("t={NOW},v1={}", sign("whsec_other", NOW, BODY)),
                WRONG,
            ),
            (
                format!("t={NOW},v1={}", sign("whsec_new", NOW, b"{}")),
                WRONG,
            ),
        ] {
            assert_eq!(check(&header), Err(refused), "{header}");
        }
    }

    #[test]
    fn a_signature_is_good_for_five_minutes() {
        for (age, expected) in [
            (300, Ok(())),
            (-300, Ok(())),
            (301, Err(OLD)),
            (-301, Err(OLD)),
        ] {
            let time = NOW - age;
            let signature = sign("whsec_new", time, BODY);
            assert_eq!(check(&format!("t={time},v1={signature}")), expected);
        }
    }
}
