//! The statement of an account: the line that says for whom a proof was signed (proofs, section 1).

use psbt_wasm::statement::{self, Person, StatementError};

use crate::providers;
use chain::clock::{DAY, UnixTime};
use store::keyed_hash::KeyedHash;
use store::profiles::Profile;

/// How long the line of an account stays the same, in seconds. It counts for one period more, because cosigners are
/// slow.
pub const PERIOD: i64 = 14 * DAY;

/// Makes the statements. Nothing about them is stored or used up: they follow from the account, the period and a secret.
#[derive(Clone, Debug)]
pub struct Statements {
    secret: KeyedHash,
    origin: String,
    site: String,
    last_old_period: i64,
}

/// What one account has to say at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line of this period.
    pub line: String,
    /// The other lines that count: that of the period before, and those with a name of the old form.
    pub others: Vec<String>,
    /// Until when the line of this period counts, unix seconds.
    pub counts_until: UnixTime,
}

impl Statement {
    /// When the next line begins, unix seconds.
    #[must_use]
    pub fn next_line(&self) -> UnixTime {
        self.counts_until - PERIOD
    }

    /// The lines that count now.
    pub fn lines(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.line)
            .chain(&self.others)
            .map(String::as_str)
    }
}

/// A line that an account has said, with what its code commits to beside the account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Said {
    pub line: String,
    pub origin: String,
    pub nonce: [u8; 16],
}

impl Statements {
    /// Statements of the board at this origin, whose codes follow from this secret. `upgraded` is when this board began to
    /// write names in their present form: lines of that period and the one before count with the old form as well. Once every
    /// board has been upgraded for two periods, the old form can go: this argument, `old_line`, and `old_name` of psbt-wasm.
    ///
    /// # Panics
    /// When the origin is none that the configuration lets a server start with.
    #[must_use]
    pub fn new(secret: KeyedHash, origin: &str, upgraded: UnixTime) -> Self {
        Self {
            last_old_period: upgraded.div_euclid(PERIOD),
            secret,
            origin: origin.to_owned(),
            site: statement::site(origin).expect("the configuration has been validated"),
        }
    }

    /// The statement of an account.
    #[must_use]
    pub fn of(&self, account: &Profile, now: UnixTime) -> Statement {
        let period = now.div_euclid(PERIOD);
        let mut others = vec![self.line(account, period - 1)];
        let old = [period, period - 1]
            .into_iter()
            .filter(|period| *period <= self.last_old_period);
        others.extend(old.filter_map(|period| self.old_line(account, period)));
        Statement {
            line: self.line(account, period),
            others,
            counts_until: (period + 2) * PERIOD,
        }
    }

    /// What makes a line the account's that counted at that moment, whatever name the account had then; none when it did not
    /// count.
    #[must_use]
    pub fn said(&self, account: &Profile, line: String, at: UnixTime) -> Option<Said> {
        let period = at.div_euclid(PERIOD);
        let mut periods = [period, period - 1].into_iter();
        let nonce = periods.find_map(|period| {
            let nonce = self.nonce(&account.id, period);
            let is_theirs = self.person(account).is_statement(&line, &nonce);
            is_theirs.then_some(nonce)
        })?;
        Some(Said {
            line,
            origin: self.origin.clone(),
            nonce,
        })
    }

    fn line(&self, account: &Profile, period: i64) -> String {
        let username = account.named.then_some(account.username.as_str());
        let name = self.person(account).name(&self.site, username);
        self.with_name(account, &name, period)
            .expect("the configuration has been validated")
    }

    fn old_line(&self, account: &Profile, period: i64) -> Option<String> {
        let shown = providers::shown_name(&account.provider, &account.username, account.named);
        let name = statement::old_name(&self.site, &shown);
        self.with_name(account, &name, period).ok()
    }

    fn with_name(
        &self,
        account: &Profile,
        name: &str,
        period: i64,
    ) -> Result<String, StatementError> {
        let code = self.person(account).code(&self.nonce(&account.id, period));
        statement::statement(&self.site, name, &code)
    }

    fn person<'a>(&'a self, account: &'a Profile) -> Person<'a> {
        Person {
            origin: &self.origin,
            provider: &account.provider,
            subject: &account.subject,
            account: &account.id,
        }
    }

    fn nonce(&self, account: &str, period: i64) -> [u8; 16] {
        let hash = self.secret.of(&[account.as_bytes(), &period.to_be_bytes()]);
        std::array::from_fn(|at| hash[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::shown_as::ShownAs;

    const START: UnixTime = 5_000 * PERIOD;

    fn statements(origin: &str) -> Statements {
        Statements::new(KeyedHash::new(b"secret"), origin, START - PERIOD)
    }

    fn account(provider: &str, username: &str) -> Profile {
        Profile {
            id: "0190d0c2-0000-7000-8000-000000000001".to_owned(),
            provider: provider.to_owned(),
            subject: "42".to_owned(),
            username: username.to_owned(),
            named: true,
            email: None,
            avatar_url: None,
            tier: None,
            holdings_sats: None,
            last_verified: None,
            last_auto_reverify: None,
            created_at: START,
            updated_at: START,
            shown_as: ShownAs::Exact,
            shown_since: None,
        }
    }

    fn line(account: &Profile) -> String {
        statements("https://board.example").of(account, START).line
    }

    #[test]
    fn a_line_counts_in_its_period_and_the_one_after() {
        let (statements, hal) = (
            statements("https://board.example"),
            account("twitter", "hal"),
        );
        let first = statements.of(&hal, START);
        assert_eq!(first, statements.of(&hal, START + PERIOD - 1));
        assert_eq!(first.counts_until, START + 2 * PERIOD);
        assert_eq!(first.next_line(), START + PERIOD);
        let second = statements.of(&hal, first.counts_until - 1);
        assert_ne!(second.line, first.line);
        assert_eq!(second.others, std::slice::from_ref(&first.line));
        let third = statements.of(&hal, first.counts_until);
        assert!(third.lines().all(|line| line != first.line));
    }

    /// Somebody may have signed a line before the upgrade.
    #[test]
    fn an_old_line_counts_until_its_period_is_over() {
        let long = "https://the-reserves.example";
        let at = |upgraded| Statements::new(KeyedHash::new(b"secret"), long, upgraded);
        let nakamoto = account("github", "satoshi-nakamoto");
        let old = |statements: &Statements, now| -> Vec<String> {
            let lines = statements.of(&nakamoto, now).others;
            lines
                .into_iter()
                .filter(|line| line.contains(" github:"))
                .collect()
        };
        let upgraded = at(START + 5);
        let both = old(&upgraded, START + 5);
        assert_eq!(both.len(), 2, "{both:?}");
        assert!(both.iter().all(|line| line.len() == 75), "{both:?}");
        assert_eq!(old(&upgraded, START + PERIOD - 1), both);
        assert_eq!(old(&upgraded, START + PERIOD), both[..1]);
        assert!(old(&upgraded, START + 2 * PERIOD).is_empty());
        // It can be published later, as what it is.
        let said = upgraded.said(&nakamoto, both[0].clone(), START + PERIOD);
        assert_eq!(said.map(|said| said.line), Some(both[0].clone()));
        // A board that has written no old line since then takes none.
        assert!(old(&at(START - 2 * PERIOD), START).is_empty());
    }

    #[test]
    fn the_line_names_the_site_and_the_person() {
        for (provider, username, expected) in [
            ("twitter", "Hal", "Proof of Reserves board.example @hal "),
            ("github", "Hal", "Proof of Reserves board.example gh:hal "),
        ] {
            let line = line(&account(provider, username));
            assert_eq!(&line[..line.len() - 20], expected);
        }
        // Somebody's handle could be the name that we made up.
        let unnamed = Profile {
            named: false,
            ..account("twitter", "user_0190d")
        };
        assert!(line(&unnamed).contains(" ~"), "{}", line(&unnamed));
        assert!(!line(&unnamed).contains("user_"));
    }

    /// Every name in a statement says which provider it is from.
    #[test]
    fn the_same_name_at_two_providers_is_two_names() {
        let mut names: Vec<String> = providers::ALL
            .iter()
            .map(|provider| {
                let line = line(&account(provider.name, "hal"));
                line.split(' ').nth(4).unwrap_or_default().to_owned()
            })
            .collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), providers::ALL.len(), "{names:?}");
    }

    #[test]
    fn what_was_said_is_recognised_after_the_name_has_changed() {
        let statements = statements("https://board.example");
        let hal = account("twitter", "hal");
        let line = statements.of(&hal, START).line;
        let renamed = account("twitter", "finney");
        let said = statements
            .said(&renamed, line.clone(), START + PERIOD)
            .unwrap();
        assert_eq!(
            (said.line.as_str(), said.origin.as_str()),
            (line.as_str(), "https://board.example")
        );
        let code = statements.person(&hal).code(&said.nonce);
        assert!(line.ends_with(&code));
        assert_eq!(
            statements.said(&hal, line.clone(), START + 2 * PERIOD),
            None
        );
        assert_eq!(statements.said(&hal, line.clone(), START - 1), None);
        for other in [
            line.replacen("Proof", "proof", 1),
            line.replacen("board.example", "other.example", 1),
            format!("{line} "),
            line.replacen(" @hal", "", 1),
            line.replacen("@hal", "@hal @eve", 1),
        ] {
            assert_eq!(statements.said(&hal, other.clone(), START), None, "{other}");
        }
    }

    #[test]
    fn everybody_has_a_line_of_their_own() {
        let hal = account("twitter", "hal");
        let others = [
            account("github", "hal"),
            Profile {
                subject: "43".to_owned(),
                ..hal.clone()
            },
            Profile {
                id: "0190d0c2-0000-7000-8000-000000000002".to_owned(),
                ..hal.clone()
            },
        ];
        let code = |line: &str| line[line.len() - 20..].to_owned();
        for other in &others {
            assert_ne!(code(&line(other)), code(&line(&hal)));
        }
        let elsewhere = statements("https://board.example:8443").of(&hal, START);
        assert_ne!(code(&elsewhere.line), code(&line(&hal)));
        let other_server =
            Statements::new(KeyedHash::new(b"other"), "https://board.example", 0).of(&hal, START);
        assert_ne!(code(&other_server.line), code(&line(&hal)));
    }
}
