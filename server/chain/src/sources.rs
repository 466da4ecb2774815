//! The chain sources that `CHAIN` can name, and which combinations are safe (rule B6).
//!
//! A new source is a file and its line in [`KINDS`].

use std::error::Error;
use std::sync::Arc;

use reqwest::Client;
use url::Url;

use super::address::is_loopback;
use super::{ChainSource, hosts};

pub mod core_rpc;
pub mod development;
pub mod esplora;
mod kind;

use development::DevelopmentChain;
use kind::Kind;

/// Every source that has an address.
static KINDS: [Kind; 2] = [core_rpc::KIND, esplora::KIND];

/// The name of the source without an address: the embedded chain.
const EMBEDDED: &str = "development";

/// Sources that have not been contacted yet.
#[derive(Debug)]
pub struct Sources {
    /// In the order in which they are asked.
    pub list: Vec<Arc<dyn ChainSource>>,
    /// The number of them that must agree.
    pub quorum: usize,
    /// The embedded chain of development mode, to register coins in, when it is the source.
    pub embedded: Option<Arc<DevelopmentChain>>,
}

/// Why the sources are refused, and what to do instead. Never repeats an address, which may contain a password.
#[derive(Debug, thiserror::Error)]
pub enum SourcesError {
    /// The embedded chain proves nothing.
    #[error(
        "CHAIN=development is only for APP_ENV=development, and without other sources; set CHAIN to bitcoind:URL, or to several sources"
    )]
    Development,
    /// Production has no default.
    #[error("CHAIN is not set; set it to bitcoind:URL, or to several sources separated by commas")]
    NotSet,
    /// One operator could make up coins.
    #[error(
        "a single public chain source could make up coins; name at least two sources of different operators in CHAIN, separated by commas, with CHAIN_QUORUM=2 or more, or only your own Bitcoin Core node (bitcoind:URL)"
    )]
    SinglePublicSource,
    /// More sources must agree than there are.
    #[error("CHAIN_QUORUM is larger than the number of sources in CHAIN")]
    QuorumTooLarge,
    /// A server would agree with itself.
    #[error(
        "CHAIN names the same server twice, under another path, password or host name; it cannot count twice towards CHAIN_QUORUM, so name each server once"
    )]
    SameSourceTwice,
    /// A malformed source, or an invalid address.
    #[error("CHAIN: {0}")]
    Unusable(#[source] Box<dyn Error + Send + Sync>),
}

/// How much a set of sources must offer to be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// A board: public sources count only together.
    Production,
    /// The embedded chain, or any source.
    Development,
    /// An audit: a source on this machine is the auditor's own.
    Audit,
}

impl Sources {
    /// The sources that the settings name.
    ///
    /// # Errors
    /// When one cannot be used, or together they could lie or never agree.
    pub async fn open(
        chain: &[&str],
        quorum: Option<u8>,
        trust: Trust,
        client: &Client,
    ) -> Result<Self, SourcesError> {
        let (sources, urls) = Self::read(chain, quorum, trust, client)?;
        match hosts::repeat(&urls).await {
            true => Err(SourcesError::SameSourceTwice),
            false => Ok(sources),
        }
    }

    /// The sources and their addresses, before the host names are looked up.
    fn read(
        chain: &[&str],
        quorum: Option<u8>,
        trust: Trust,
        client: &Client,
    ) -> Result<(Self, Vec<Url>), SourcesError> {
        let development = trust == Trust::Development;
        let named: Vec<&str> = chain.iter().map(|source| source.trim()).collect();
        let quorum = quorum.map(usize::from);
        match named[..] {
            [] if !development => return Err(SourcesError::NotSet),
            [] | [EMBEDDED] if development && quorum > Some(1) => {
                return Err(SourcesError::QuorumTooLarge);
            }
            [] | [EMBEDDED] if development => return Ok((Self::embedded(), Vec::new())),
            _ if named.contains(&EMBEDDED) => return Err(SourcesError::Development),
            _ => {}
        }
        let (mut list, mut urls, mut own) = (Vec::new(), Vec::new(), true);
        for text in named {
            let (kind, url) = parse(text).map_err(SourcesError::Unusable)?;
            own &= kind.own || (trust == Trust::Audit && is_loopback(&url));
            list.push((kind.open)(url.as_str(), client).map_err(SourcesError::Unusable)?);
            urls.push(url);
        }
        if hosts::same_name(&urls) {
            return Err(SourcesError::SameSourceTwice);
        }
        let quorum = quorum.unwrap_or(if own { 1 } else { list.len().min(2) });
        if quorum > list.len() {
            return Err(SourcesError::QuorumTooLarge);
        }
        if !development && !own && quorum < 2 {
            return Err(SourcesError::SinglePublicSource);
        }
        let sources = Self {
            list,
            quorum,
            embedded: None,
        };
        Ok((sources, urls))
    }

    fn embedded() -> Self {
        let chain = Arc::new(DevelopmentChain::new());
        Self {
            list: vec![chain.clone()],
            quorum: 1,
            embedded: Some(chain),
        }
    }
}

/// The kind and the address of a source.
fn parse(text: &str) -> Result<(&'static Kind, Url), Box<dyn Error + Send + Sync>> {
    let (prefix, url) = text.split_once(':').ok_or_else(help)?;
    let kind = KINDS.iter().find(|kind| kind.prefix == prefix);
    let url = Url::parse(url).map_err(|error| format!("{error}; {}", help()));
    Ok((kind.ok_or_else(help)?, url?))
}

/// The valid forms of a source.
fn help() -> String {
    let named = KINDS.each_ref().map(|kind| format!("{}:URL", kind.prefix));
    let (last, others) = named.split_last().expect("there are sources");
    format!("use {EMBEDDED}, {} or {last}", others.join(", "))
}

#[cfg(test)]
mod tests;
