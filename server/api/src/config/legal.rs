//! The operator's data on the legal pages.

use clap::Args;
use time::Date;
use time::format_description::well_known::Iso8601;

use super::error::{ConfigError, require};

/// The operator's data in the privacy policy and the terms. Without it the pages show placeholders, as specified, and production
/// does not start (decisions, D18).
#[derive(Clone, Debug, Args)]
pub struct LegalConfig {
    /// The company or person that runs the site.
    #[arg(long, env = "LEGAL_COMPANY")]
    pub legal_company: Option<String>,

    /// The postal address, in one line.
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

    /// The date of the last change of the pages, as `2025-05-07`.
    #[arg(long, env = "LEGAL_UPDATED", value_parser = day)]
    pub legal_updated: Option<Date>,
}

fn day(text: &str) -> Result<Date, &'static str> {
    let date = Date::parse(text.trim(), &Iso8601::DATE).ok();
    // Not a week or a day of the year, which ISO 8601 has too.
    date.filter(|date| date.to_string() == text.trim())
        .ok_or("not a date such as 2025-05-07")
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
            let text = text.as_deref().unwrap_or_default().trim();
            text.is_empty() || text.starts_with('[')
        };
        let texts = texts.into_iter().filter(|(_, text)| unset(text));
        let date = self.legal_updated.is_none().then_some("LEGAL_UPDATED");
        let missing: Vec<&str> = texts.map(|(name, _)| name).chain(date).collect();
        require(
            development || missing.is_empty(),
            format!(
                "the legal pages do not say who runs the site; set {} (.env.example says what each is)",
                missing.join(", ")
            ),
        )
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
            let refused = settings(&some).unwrap().validate(false).unwrap_err();
            assert!(
                refused.to_string().contains(&format!("set {missing} (")),
                "{refused}"
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
