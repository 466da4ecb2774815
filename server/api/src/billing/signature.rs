//! Signatures of events: HMAC-SHA256 over time and body, in the header `Stripe-Signature: t=…,v1=…` (Stripe, "Verify webhook
//! signatures manually").

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use crate::config::Secret;
use chain::clock::UnixTime;

/// How far the time in a signature may be from ours, in seconds. Stripe signs an event again whenever it sends it again.
const TOLERANCE: i64 = 300;

/// Why an event is not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSignature {
    /// The header is missing or has another form.
    #[error("the header Stripe-Signature is missing or malformed")]
    Missing,
    /// None of the signatures was made with one of our secrets.
    #[error("the Stripe-Signature does not match the body; check STRIPE_WEBHOOK_SECRET")]
    Wrong,
    /// It was signed too long ago, or in the future.
    #[error(
        "the Stripe-Signature is older than five minutes, or from the future; check the server's clock"
    )]
    Old,
}

/// Checks the header against the body, byte for byte as it arrived. Several `secrets` are valid while one is being replaced.
pub(super) fn check(
    secrets: &[Secret],
    header: &str,
    payload: &[u8],
    now: UnixTime,
) -> Result<(), BadSignature> {
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
    let time = time.ok_or(BadSignature::Missing)?;
    let signed_at: UnixTime = time.parse().map_err(|_| BadSignature::Missing)?;
    if signatures.is_empty() {
        return Err(BadSignature::Missing);
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
        return Err(BadSignature::Wrong);
    }
    if now.abs_diff(signed_at) > TOLERANCE.unsigned_abs() {
        return Err(BadSignature::Old);
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

    fn check(header: &str) -> Result<(), BadSignature> {
        let secrets = ["whsec_new", "whsec_old"].map(|secret| Secret::from(secret.to_owned()));
        super::check(&secrets, header, BODY, NOW)
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
            (String::new(), BadSignature::Missing),
            (format!("v1={good}"), BadSignature::Missing),
            (format!("t={NOW}"), BadSignature::Missing),
            (format!("t={NOW},v0={good}"), BadSignature::Missing),
            (format!("t=later,v1={good}"), BadSignature::Missing),
            (format!("t={NOW},v1={}", &good[..62]), BadSignature::Wrong),
            (format!("t={},v1={good}", NOW + 1), BadSignature::Wrong),
            // The last time counts, for the signature as for the clock.
            (
                format!("t={NOW},v1={good},t={}", NOW + 1),
                BadSignature::Wrong,
            ),
            (
                format!("t={NOW},v1={}", sign("whsec_other", NOW, BODY)),
                BadSignature::Wrong,
            ),
            (
                format!("t={NOW},v1={}", sign("whsec_new", NOW, b"{}")),
                BadSignature::Wrong,
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
            (301, Err(BadSignature::Old)),
            (-301, Err(BadSignature::Old)),
        ] {
            let time = NOW - age;
            let signature = sign("whsec_new", time, BODY);
            assert_eq!(check(&format!("t={time},v1={signature}")), expected);
        }
    }
}
