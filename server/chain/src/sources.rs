//! The chain sources that `CHAIN` can name, and which combinations are safe (rule B6).
//!
//! A new source is a file and its line in [`KINDS`].

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use reqwest::Client;
use url::Url;

use super::address::is_loopback;
use super::{ChainSource, hosts};

pub mod core_rpc;
pub mod development;
pub mod electrum;
pub mod esplora;

use development::DevelopmentChain;

/// Every source that has an address.
static KINDS: [Kind; 3] = [core_rpc::KIND, esplora::KIND, electrum::KIND];

/// A kind of source: an entry of the table in [`KINDS`].
struct Kind {
    /// The word before the address, as in `esplora:https://host/api`.
    prefix: &'static str,
    /// Whether a single source of this kind is enough: it is taken to be the operator's own node, because it needs a password.
    own: bool,
    /// Creates the source at an address, without connecting to it.
    open: fn(&str, &Client) -> Opened,
}

/// A source, or why its address is refused.
type Opened = Result<Arc<dyn ChainSource>, Box<dyn Error + Send + Sync>>;

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

/// A safe combination of sources.
#[derive(Debug)]
enum Choice {
    Embedded,
    Named {
        addresses: Vec<Address>,
        quorum: usize,
    },
}

/// A source in the syntax of `CHAIN`.
struct Address {
    kind: &'static Kind,
    url: Url,
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
    /// A malformed source.
    #[error("CHAIN: {0}")]
    Misspelled(String),
    /// An invalid address.
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
    pub async fn open<S: AsRef<str>>(
        chain: &[S],
        quorum: Option<u8>,
        trust: Trust,
        client: &Client,
    ) -> Result<Self, SourcesError> {
        match Choice::read(chain, quorum, trust)? {
            Choice::Embedded => {
                let chain = Arc::new(DevelopmentChain::new());
                Ok(Self {
                    list: vec![chain.clone()],
                    quorum: 1,
                    embedded: Some(chain),
                })
            }
            Choice::Named { addresses, quorum } => {
                let open = |address: &Address| (address.kind.open)(address.url.as_str(), client);
                let list: Result<_, _> = addresses.iter().map(open).collect();
                let list = list.map_err(SourcesError::Unusable)?;
                if hosts::repeat(&urls(&addresses)).await {
                    return Err(SourcesError::SameSourceTwice);
                }
                Ok(Self {
                    list,
                    quorum,
                    embedded: None,
                })
            }
        }
    }
}

impl Choice {
    fn read<S: AsRef<str>>(
        chain: &[S],
        quorum: Option<u8>,
        trust: Trust,
    ) -> Result<Self, SourcesError> {
        let development = trust == Trust::Development;
        let named: Vec<&str> = chain.iter().map(|source| source.as_ref().trim()).collect();
        let quorum = quorum.map(usize::from);
        match named[..] {
            [] if !development => return Err(SourcesError::NotSet),
            [] | [EMBEDDED] if development && quorum > Some(1) => {
                return Err(SourcesError::QuorumTooLarge);
            }
            [] | [EMBEDDED] if development => return Ok(Self::Embedded),
            _ if named.contains(&EMBEDDED) => return Err(SourcesError::Development),
            _ => {}
        }
        let addresses: Vec<Address> = named
            .into_iter()
            .map(Address::read)
            .collect::<Result<_, _>>()?;
        if hosts::same_name(&urls(&addresses)) {
            return Err(SourcesError::SameSourceTwice);
        }
        let own = addresses.iter().all(|address| {
            address.kind.own || (trust == Trust::Audit && is_loopback(&address.url))
        });
        let quorum = quorum.unwrap_or(if own { 1 } else { addresses.len().min(2) });
        if quorum > addresses.len() {
            return Err(SourcesError::QuorumTooLarge);
        }
        if !development && !own && quorum < 2 {
            return Err(SourcesError::SinglePublicSource);
        }
        Ok(Self::Named { addresses, quorum })
    }
}

fn urls(addresses: &[Address]) -> Vec<&Url> {
    addresses.iter().map(|address| &address.url).collect()
}

impl Address {
    fn read(text: &str) -> Result<Self, SourcesError> {
        let misspelled = || SourcesError::Misspelled(help());
        let (prefix, url) = text.split_once(':').ok_or_else(misspelled)?;
        let kind = KINDS.iter().find(|kind| kind.prefix == prefix);
        let kind = kind.ok_or_else(misspelled)?;
        let url = Url::parse(url)
            .map_err(|error| SourcesError::Misspelled(format!("{error}; {}", help())))?;
        Ok(Self { kind, url })
    }
}

/// The valid forms of a source.
fn help() -> String {
    let named = KINDS.each_ref().map(|kind| format!("{}:URL", kind.prefix));
    let (last, others) = named.split_last().expect("there are sources");
    format!("use {EMBEDDED}, {} or {last}", others.join(", "))
}

/// Omits the credentials.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let host = self.url.host_str().unwrap_or("?");
        write!(f, "{} at {host}", self.kind.prefix)
    }
}

#[cfg(test)]
mod tests;
