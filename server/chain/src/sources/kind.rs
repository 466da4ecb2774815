//! What a kind of source is.

use std::error::Error;
use std::sync::Arc;

use reqwest::Client;

use crate::ChainSource;

/// A kind of source: an entry of the table in `sources.rs`.
pub(super) struct Kind {
    /// The word before the address, as in `esplora:https://host/api`.
    pub(super) prefix: &'static str,
    /// Whether a single source of this kind is enough: it is taken to be the operator's own node, because it needs a password.
    pub(super) own: bool,
    /// Creates the source at an address, without connecting to it.
    pub(super) open: fn(&str, &Client) -> Opened,
}

/// A source, or why its address is refused.
pub(super) type Opened = Result<Arc<dyn ChainSource>, Box<dyn Error + Send + Sync>>;
