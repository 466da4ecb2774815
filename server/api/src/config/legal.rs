//! The operator's data on the legal pages.

use clap::Args;
use serde::{Serialize, Serializer};
use time::Date;
use time::format_description::well_known::Iso8601;
use utoipa::ToSchema;

use super::checks::{ConfigError, require};

/// Who runs the site, as the legal pages name them. In development these are the placeholders of the specification; without real data
/// production does not start (decisions, D18).
#[derive(Clone, Debug, PartialEq, Eq, Args, Serialize, ToSchema)]
#[schema(as = Legal)]
pub struct LegalConfig {
    /// The company or person that runs the site.
    #[serde(rename = "company")]
    #[arg(long, env, default_value = "[Company name]")]
    pub legal_company: String,

    /// The postal address, in one line.
    #[serde(rename = "postal_address")]
    #[arg(long, env, default_value = "[Postal address]")]
    pub legal_postal_address: String,

    /// The country whose law applies.
    #[serde(rename = "country")]
    #[arg(long, env, default_value = "[country]")]
    pub legal_country: String,

    /// The e-mail address for questions about personal data.
    #[serde(rename = "privacy_email")]
    #[arg(long, env, default_value = "[privacy email address]")]
    pub legal_privacy_email: String,

    /// The e-mail address for everything else.
    #[serde(rename = "contact_email")]
    #[arg(long, env, default_value = "[contact email address]")]
    pub legal_contact_email: String,

    /// The date of the last change of the pages: set as `2025-05-07`, shown in words.
    #[arg(long, env, value_parser = day)]
    #[serde(rename = "updated", serialize_with = "in_words")]
    #[schema(value_type = String, example = "May 07, 2025")]
    pub legal_updated: Option<Date>,
}

fn day(text: &str) -> Result<Date, &'static str> {
    let date = Date::parse(text.trim(), &Iso8601::DATE).ok();
    // Not a week or a day of the year, which ISO 8601 has too.
    date.filter(|date| date.to_string() == text.trim())
        .ok_or("not a date such as 2025-05-07")
}

/// The date as documents write it; the specification's, until it is set.
fn in_words<S: Serializer>(date: &Option<Date>, serializer: S) -> Result<S::Ok, S::Error> {
    match date {
        None => serializer.serialize_str("May 07, 2025"),
        Some(date) => {
            let (month, day, year) = (date.month(), date.day(), date.year());
            serializer.collect_str(&format_args!("{month} {day:02}, {year}"))
        }
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
        let unset = |text: &str| text.trim().is_empty() || text.trim().starts_with('[');
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

    #[test]
    fn what_is_not_set_is_as_specified() {
        let settings = |arguments: &[&str]| {
            let arguments = ["server"].iter().chain(arguments);
            serde_json::to_value(Settings::parse_from(arguments).legal).unwrap()
        };
        let legal = settings(&[]);
        assert_eq!(legal["company"], "[Company name]");
        assert_eq!(legal["privacy_email"], "[privacy email address]");
        assert_eq!(legal["updated"], "May 07, 2025");
        let legal = settings(&["--legal-company=A Company", "--legal-updated=2026-11-02"]);
        assert_eq!(legal["company"], "A Company");
        assert_eq!(legal["updated"], "November 02, 2026");
        assert_eq!(legal["country"], "[country]");
    }
}
