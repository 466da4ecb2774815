//! Pages of prose, which are readable without scripts: the guide and the legal pages.

use serde::Serialize;

use super::body::Body;
use super::template::{Template, Words};
use crate::http::error::Error;
use crate::http::site::{Legal, Network, Site};

/// What the app begins with (`web/src/api/first-page.ts`).
#[derive(Serialize)]
struct Prose<'a> {
    year: i32,
    network: Network,
    legal: &'a Legal,
}

impl Body {
    /// Writes a page of prose.
    pub(super) fn of_prose(site: &Site, year: i32, template: &Template) -> Result<Self, Error> {
        let html = template.filled(&words(site, year), &[]);
        let Site { network, legal } = site;
        let data = Prose {
            year,
            network: *network,
            legal,
        };
        Self::new(html, "prose", &data)
    }
}

/// The words that only the server knows.
pub(super) fn words(site: &Site, year: i32) -> Words {
    let Legal {
        company,
        postal_address,
        country,
        privacy_email,
        contact_email,
        updated,
    } = &site.legal;
    Words::from([
        ("year", year.to_string()),
        ("network", site.network.name().to_owned()),
        ("company", company.clone()),
        ("address", postal_address.clone()),
        ("country", country.clone()),
        ("privacyEmail", privacy_email.clone()),
        ("contactEmail", contact_email.clone()),
        ("updated", updated.clone()),
    ])
}
