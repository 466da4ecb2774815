//! What stands in a page before any script has run: as HTML for whoever reads it, and as data for the web app to begin with.

use serde::Serialize;

use crate::http::error::Error;
use crate::http::etag;

/// The body of a page in both forms.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// What the app draws from this data, and takes over.
    pub(super) html: String,
    /// A data block, which no browser runs.
    pub(super) data: String,
    /// Tells one state of the page from another.
    pub(super) tag: String,
}

impl Body {
    /// This HTML, drawn from this data, which the app finds by this id.
    pub(super) fn new(html: String, id: &str, data: &impl Serialize) -> Result<Self, Error> {
        let data = data_block(id, data)?;
        let tag = etag::of(format!("{html}{data}").as_bytes(), "");
        Ok(Self { html, data, tag })
    }
}

/// JSON inside HTML: without a `<` nothing in it can end the element or begin another (HTML, section 4.12.1.3).
fn data_block(id: &str, data: &impl Serialize) -> Result<String, Error> {
    let json = serde_json::to_string(data).map_err(|error| Error::internal(error))?;
    let json = json.replace('<', "\\u003c");
    Ok(format!(
        "<script type=\"application/json\" id=\"{id}\">{json}</script>"
    ))
}
