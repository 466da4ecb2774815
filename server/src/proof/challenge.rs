//! The amount that binds a transaction to an account (decisions, D4).

use bitcoin::Amount;

use crate::base::clock::{DAY, UnixTime};
use crate::base::keyed_hash::KeyedHash;

/// How long an amount stays the same, in seconds.
pub const PERIOD: i64 = 90 * DAY;

/// How long the previous amount is still accepted after a change, in seconds: a transaction that was
/// signed just before is not lost.
pub const GRACE: i64 = DAY;

/// The smallest amount in sats: far above what any node calls dust.
const SMALLEST: u64 = 10_000;

/// How many different amounts there are, in steps of one sat.
const AMOUNTS: u64 = 90_000;

/// Makes the amounts. They follow from the account at the provider, not from the profile, so that
/// deleting the profile and signing up again does not roll a new one (rule C4).
#[derive(Clone, Debug)]
pub struct Challenges(KeyedHash);

/// The amounts of one account at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Challenge {
    /// The amount to pay.
    pub amount: Amount,
    /// The amount of the period before, while it is still accepted.
    pub previous: Option<Amount>,
    /// When the amount changes, unix seconds.
    pub changes_at: UnixTime,
}

impl Challenge {
    /// Whether a payment of this amount counts.
    #[must_use]
    pub fn accepts(&self, amount: Amount) -> bool {
        self.amount == amount || self.previous == Some(amount)
    }
}

impl Challenges {
    /// Amounts that follow from this secret.
    #[must_use]
    pub fn new(secret: KeyedHash) -> Self {
        Self(secret)
    }

    /// The amounts of the account `subject` at `provider`.
    #[must_use]
    pub fn of(&self, provider: &str, subject: &str, now: UnixTime) -> Challenge {
        let period = now.div_euclid(PERIOD);
        let in_grace = now.rem_euclid(PERIOD) < GRACE;
        Challenge {
            amount: self.amount(provider, subject, period),
            previous: in_grace.then(|| self.amount(provider, subject, period - 1)),
            changes_at: (period + 1) * PERIOD,
        }
    }

    /// 10,000 to 99,999 sats. The whole hash is one number of 256 bits, so the bias of the remainder
    /// is far below anything that could be counted.
    fn amount(&self, provider: &str, subject: &str, period: i64) -> Amount {
        let hash = self.0.of(&[
            provider.as_bytes(),
            subject.as_bytes(),
            &period.to_be_bytes(),
        ]);
        let remainder = hash.iter().fold(0, |remainder, byte| {
            (remainder * 256 + u64::from(*byte)) % AMOUNTS
        });
        Amount::from_sat(SMALLEST + remainder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: UnixTime = 230 * PERIOD;

    fn challenges() -> Challenges {
        Challenges::new(KeyedHash::new(b"secret"))
    }

    #[test]
    fn an_amount_lasts_for_a_period_and_a_day() {
        let at = |now| challenges().of("github", "42", now);
        let first = at(START + GRACE);
        assert_eq!(first.previous, None);
        assert_eq!(first, at(START + PERIOD - 1));
        assert_eq!(first.changes_at, START + PERIOD);
        let second = at(START + PERIOD);
        assert_ne!(second.amount, first.amount);
        assert!(second.accepts(first.amount) && second.accepts(second.amount));
        assert!(at(START + PERIOD + GRACE - 1).accepts(first.amount));
        assert!(!at(START + PERIOD + GRACE).accepts(first.amount));
    }

    #[test]
    fn accounts_have_amounts_of_their_own() {
        let amount = |provider, subject| challenges().of(provider, subject, START).amount;
        assert_eq!(amount("github", "42"), amount("github", "42"));
        assert_ne!(amount("github", "42"), amount("google", "42"));
        assert_ne!(amount("github", "42"), amount("github", "43"));
        let other_server = Challenges::new(KeyedHash::new(b"other"));
        assert_ne!(
            amount("github", "42"),
            other_server.of("github", "42", START).amount
        );
    }

    #[test]
    fn amounts_spread_over_the_whole_range() {
        let challenges = challenges();
        let mut tenths = [0; 10];
        for subject in 0..10_000 {
            let challenge = challenges.of("mock", &subject.to_string(), START);
            let above = challenge.amount.to_sat() - SMALLEST;
            assert!(above < AMOUNTS);
            tenths[usize::try_from(above / 9_000).expect("a tenth")] += 1;
        }
        // Six standard deviations around the 1,000 that each tenth expects.
        assert!(
            tenths.iter().all(|count| (820..1_180).contains(count)),
            "{tenths:?}"
        );
    }
}
