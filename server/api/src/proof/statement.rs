//! The statement of an account: the line that says for whom a proof was signed (proofs, section 1).

use psbt_wasm::statement::{self, Person};
use verify::binding::is_statement_of;

use chain::clock::{DAY, UnixTime};
use store::keyed_hash::KeyedHash;
use crate::providers;
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
}

/// What one account has to say at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The line of this period.
    pub line: String,
    /// The line of the period before, which counts as well.
    pub previous: String,
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
    #[must_use]
    pub fn lines(&self) -> [&str; 2] {
        [&self.line, &self.previous]
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
    /// Statements of the board at this origin, whose codes follow from this secret.
    ///
    /// # Panics
    /// When the origin is none that the configuration lets a server start with.
    #[must_use]
    pub fn new(secret: KeyedHash, origin: &str) -> Self {
        Self {
            secret,
            origin: origin.to_owned(),
            site: statement::site(origin).expect("the configuration has been validated"),
        }
    }

    /// The statement of an account.
    #[must_use]
    pub fn of(&self, account: &Profile, now: UnixTime) -> Statement {
        let period = now.div_euclid(PERIOD);
        Statement {
            line: self.line(account, period),
            previous: self.line(account, period - 1),
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
            let code = self.person(account).code(&nonce);
            is_statement_of(&line, &self.site, &code).then_some(nonce)
        })?;
        Some(Said {
            line,
            origin: self.origin.clone(),
            nonce,
        })
    }

    fn line(&self, account: &Profile, period: i64) -> String {
        let code = self.person(account).code(&self.nonce(&account.id, period));
        statement::statement(&self.site, &name(account), &code)
            .expect("the configuration has been validated")
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

/// The name that the board shows.
fn name(account: &Profile) -> String {
    providers::shown_name(&account.provider, &account.username, account.named)
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::shown_as::ShownAs;

    const START: UnixTime = 5_000 * PERIOD;

    fn statements(origin: &str) -> Statements {
        Statements::new(KeyedHash::new(b"secret"), origin)
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
        assert_eq!(second.previous, first.line);
        let third = statements.of(&hal, first.counts_until);
        assert!(!third.lines().contains(&first.line.as_str()));
    }

    #[test]
    fn the_line_names_the_site_and_the_person_as_the_board_does() {
        for (provider, username, expected) in [
            ("twitter", "hal", "Proof of Reserves board.example @hal "),
            (
                "github",
                "hal",
                "Proof of Reserves board.example github:hal ",
            ),
        ] {
            let line = line(&account(provider, username));
            assert_eq!(&line[..line.len() - 20], expected);
        }
        // Somebody's handle could be the name that we made up.
        let unnamed = Profile {
            named: false,
            ..account("twitter", "user_0190d")
        };
        assert!(line(&unnamed).contains(" user_0190d "));
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
            Statements::new(KeyedHash::new(b"other"), "https://board.example").of(&hal, START);
        assert_ne!(code(&other_server.line), code(&line(&hal)));
    }
}
