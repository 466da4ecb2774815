//! What the legal pages say of whoever runs the site.

use std::fmt;
use std::str::FromStr;

use clap::Args;
use time::Date;
use time::format_description::well_known::Iso8601;

use super::error::ConfigError;

/// Words of the privacy policy and the terms. Without them the pages show placeholders, as specified, and production does not
/// start (decisions, D18).
#[derive(Clone, Debug, Args)]
pub struct LegalConfig {
    /// The company or person that runs the site.
    #[arg(long, env = "LEGAL_COMPANY")]
    pub legal_company: Option<String>,

    /// Their postal address, in one line.
    #[arg(long, env = "LEGAL_POSTAL_ADDRESS")]
    pub legal_postal_address: Option<String>,

    /// The country whose law applies.
    #[arg(long, env = "LEGAL_COUNTRY")]
    pub legal_country: Option<String>,

    /// The e-mail address for questions about personal data.
    #[arg(long, env = "LEGAL_PRIVACY_EMAIL")]
    pub legal_privacy_email: Option<String>,

    /// The e-mail address for everything else.
    #[arg(long, env = "LEGAL_CONTACT_EMAIL")]
    pub legal_contact_email: Option<String>,

    /// The day on which the pages last changed, as `2025-05-07`.
    #[arg(long, env = "LEGAL_UPDATED")]
    pub legal_updated: Option<Day>,
}

/// A day as ISO 8601 writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day(Date);

/// What is no day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a day as 2025-05-07")]
pub struct DayError;

impl FromStr for Day {
    type Err = DayError;

    fn from_str(text: &str) -> Result<Self, DayError> {
        let written = text.trim();
        let day = Date::parse(written, &Iso8601::DATE).map_err(|_| DayError)?;
        // Weeks and days of the year are ISO 8601 as well, and nobody's habit.
        (day.to_string() == written)
            .then_some(Self(day))
            .ok_or(DayError)
    }
}

impl Day {
    /// As a date of the calendar.
    #[must_use]
    pub fn date(self) -> Date {
        self.0
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl LegalConfig {
    pub(super) fn validate(&self, development: bool) -> Result<(), ConfigError> {
        let texts = [
            ("LEGAL_COMPANY", &self.legal_company),
            ("LEGAL_POSTAL_ADDRESS", &self.legal_postal_address),
            ("LEGAL_COUNTRY", &self.legal_country),
            ("LEGAL_PRIVACY_EMAIL", &self.legal_privacy_email),
            ("LEGAL_CONTACT_EMAIL", &self.legal_contact_email),
        ];
        let unset = |text: &Option<String>| {
            let text = text.as_deref().map_or("", str::trim);
            text.is_empty() || text.starts_with('[')
        };
        let mut missing: Vec<&str> = texts
            .into_iter()
            .filter(|(_, text)| unset(text))
            .map(|(name, _)| name)
            .collect();
        if self.legal_updated.is_none() {
            missing.push("LEGAL_UPDATED");
        }
        if development || missing.is_empty() {
            Ok(())
        } else {
            Err(ConfigError::LegalUnset(missing.join(", ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        legal: LegalConfig,
    }

    #[test]
    fn production_says_who_runs_the_site() {
        let all = [
            "--legal-company=A Company",
            "--legal-postal-address=1 Street, Town",
            "--legal-country=Country",
            "--legal-privacy-email=privacy@reserves.example",
            "--legal-contact-email=hello@reserves.example",
            "--legal-updated=2026-11-22",
        ];
        let settings = |arguments: &[&str]| {
            let arguments = ["server"].iter().chain(arguments);
            Settings::try_parse_from(arguments).map(|settings| settings.legal)
        };
        assert_eq!(settings(&all).unwrap().validate(false), Ok(()));
        for left_out in 0..all.len() {
            let mut some = all.to_vec();
            let name = some.remove(left_out);
            let name = name[2..].split('=').next().unwrap().to_uppercase();
            let missing = name.replace('-', "_");
            assert_eq!(
                settings(&some).unwrap().validate(false),
                Err(ConfigError::LegalUnset(missing))
            );
            assert_eq!(settings(&some).unwrap().validate(true), Ok(()));
        }
        let mut placeholder = all.to_vec();
        placeholder[0] = "--legal-company=[Company name]";
        assert!(settings(&placeholder).unwrap().validate(false).is_err());
        for day in ["May 07, 2025", "2025-5-7", "2025-02-30", "2025-W19-3", ""] {
            let day = format!("--legal-updated={day}");
            assert!(settings(&[&day]).is_err(), "{day}");
        }
    }
}
