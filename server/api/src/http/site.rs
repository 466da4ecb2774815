//! What pages say of this site: who runs it, and whose coins count.

use serde::{Serialize, Serializer};
use time::Date;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::config::LegalConfig;
use chain::package_network;

/// Who runs the site, as the legal pages name them. In development these are the places that the specification leaves open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Legal {
    pub company: String,
    pub postal_address: String,
    /// Whose law applies.
    pub country: String,
    pub privacy_email: String,
    pub contact_email: String,
    /// The day on which the pages last changed, in words.
    #[schema(example = "May 07, 2025")]
    pub updated: String,
}

impl Legal {
    /// As the operator has set it.
    pub fn of(config: &LegalConfig) -> Self {
        let or =
            |set: &Option<String>, place: &str| set.clone().unwrap_or_else(|| place.to_owned());
        Self {
            company: or(&config.legal_company, "[Company name]"),
            postal_address: or(&config.legal_postal_address, "[Postal address]"),
            country: or(&config.legal_country, "[country]"),
            privacy_email: or(&config.legal_privacy_email, "[privacy email address]"),
            contact_email: or(&config.legal_contact_email, "[contact email address]"),
            updated: or(&config.legal_updated.map(in_words), "May 07, 2025"),
        }
    }
}

/// A day as documents write it.
fn in_words(date: Date) -> String {
    format!("{} {:02}, {}", date.month(), date.day(), date.year())
}

/// The chain whose coins count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network(psbt_wasm::Network);

impl From<bitcoin::Network> for Network {
    fn from(network: bitcoin::Network) -> Self {
        Self(package_network(network))
    }
}

impl Network {
    /// Its name on the wire, and in the templates of pages.
    pub fn name(self) -> &'static str {
        self.0.name()
    }
}

impl Serialize for Network {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl PartialSchema for Network {
    fn schema() -> RefOr<Schema> {
        let names = psbt_wasm::Network::ALL.map(psbt_wasm::Network::name);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("The chain whose coins count."))
            .enum_values(Some(names))
            .into()
    }
}

impl ToSchema for Network {}

/// What all pages of one server have in common.
#[derive(Clone, Debug, Serialize)]
pub struct Site {
    pub network: Network,
    pub legal: Legal,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_set_is_as_specified() {
        let mut config = LegalConfig {
            legal_company: None,
            legal_postal_address: None,
            legal_country: None,
            legal_privacy_email: None,
            legal_contact_email: None,
            legal_updated: None,
        };
        let legal = Legal::of(&config);
        assert_eq!(legal.company, "[Company name]");
        assert_eq!(legal.privacy_email, "[privacy email address]");
        assert_eq!(legal.updated, "May 07, 2025");
        config.legal_company = Some("A Company".to_owned());
        config.legal_updated = Date::from_ordinal_date(2026, 306).ok();
        let legal = Legal::of(&config);
        assert_eq!(
            (&*legal.company, &*legal.updated),
            ("A Company", "November 02, 2026")
        );
        assert_eq!(legal.country, "[country]");
    }
}
