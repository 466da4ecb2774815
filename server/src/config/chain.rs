//! Which chain sources to use, and how many must agree.

use url::Url;

use super::{Config, ConfigError};

/// A chain source, as `CHAIN` spells it.
#[derive(Clone, PartialEq, Eq)]
pub enum ChainAddress {
    /// The embedded set of coins.
    Development,
    /// Bitcoin Core's RPC, credentials in the address.
    Bitcoind(Url),
    /// An Esplora REST interface.
    Esplora(Url),
    /// An Electrum server.
    Electrum(Url),
}

impl std::fmt::Debug for ChainAddress {
    /// Leaves the credentials out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (kind, url) = match self {
            Self::Development => return f.write_str("development"),
            Self::Bitcoind(url) => ("bitcoind", url),
            Self::Esplora(url) => ("esplora", url),
            Self::Electrum(url) => ("electrum", url),
        };
        write!(f, "{kind} at {}", url.host_str().unwrap_or("?"))
    }
}

impl std::str::FromStr for ChainAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let help = "use development, bitcoind:URL, esplora:URL or electrum:URL";
        let text = text.trim();
        if text == "development" {
            return Ok(Self::Development);
        }
        let (kind, address) = text.split_once(':').ok_or(help)?;
        let url = Url::parse(address).map_err(|error| format!("{error}; {help}"))?;
        match kind {
            "bitcoind" => Ok(Self::Bitcoind(url)),
            "esplora" => Ok(Self::Esplora(url)),
            "electrum" => Ok(Self::Electrum(url)),
            _ => Err(help.to_owned()),
        }
    }
}

impl ChainAddress {
    /// Whether it is a Bitcoin Core node: with its password one is taken to own it.
    fn is_own_node(&self) -> bool {
        matches!(self, Self::Bitcoind(_))
    }
}

impl Config {
    /// Which chain sources to use, in the order in which they are asked; development falls back to
    /// the embedded one.
    #[must_use]
    pub fn chain_addresses(&self) -> Vec<ChainAddress> {
        if self.chain.is_empty() {
            return vec![ChainAddress::Development];
        }
        self.chain.clone()
    }

    /// How many of the chain sources must agree.
    #[must_use]
    pub fn chain_quorum(&self) -> usize {
        let default = if self.chain.iter().all(ChainAddress::is_own_node) {
            1
        } else {
            self.chain.len().min(2)
        };
        self.chain_quorum.map_or(default, usize::from)
    }

    /// Refuses sources that could lie or never agree (rule B6).
    pub(super) fn validate_chain(&self) -> Result<(), ConfigError> {
        let sources = self.chain_addresses();
        if sources.len() > 1 && sources.contains(&ChainAddress::Development) {
            return Err(ConfigError::DevelopmentChain);
        }
        let repeated = (1..sources.len()).any(|index| sources[..index].contains(&sources[index]));
        if repeated {
            return Err(ConfigError::SameSourceTwice);
        }
        if self.chain_quorum() > sources.len() {
            return Err(ConfigError::QuorumTooLarge);
        }
        let own = sources.iter().all(ChainAddress::is_own_node);
        if !self.development() && !own && self.chain_quorum() < 2 {
            return Err(ConfigError::SinglePublicSource);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    const NODE: &str = "bitcoind:http://user:secret@127.0.0.1:8332";
    const OTHER_NODE: &str = "bitcoind:http://user:secret@127.0.0.2:8332";
    const EXPLORER: &str = "esplora:https://explorer.example/api";
    const ELECTRUM: &str = "electrum:ssl://electrum.example:50002";

    fn config(chain: &[&str], more: &[&str]) -> Config {
        let chain = format!("--chain={}", chain.join(","));
        let usual = [
            "server",
            "--public-url=https://reserves.example",
            chain.as_str(),
        ];
        Config::parse_from(usual.iter().chain(more))
    }

    #[test]
    fn the_development_chain_is_for_development_alone() {
        let refused = Err(ConfigError::DevelopmentChain);
        assert_eq!(config(&["development"], &[]).validate(), refused);
        assert_eq!(config(&[EXPLORER, "development"], &[]).validate(), refused);
        let development = ["--app-env=development"];
        assert_eq!(config(&["development"], &development).validate(), Ok(()));
        let both = config(&["development", EXPLORER], &development);
        assert_eq!(both.validate(), refused);
    }

    #[test]
    fn a_single_public_source_is_not_believed() {
        let refused = Err(ConfigError::SinglePublicSource);
        for source in [EXPLORER, ELECTRUM] {
            assert_eq!(config(&[source], &[]).validate(), refused);
            assert_eq!(
                config(&[source], &["--app-env=development"]).validate(),
                Ok(())
            );
        }
        for sources in [[EXPLORER, ELECTRUM], [NODE, ELECTRUM]] {
            assert_eq!(config(&sources, &["--chain-quorum=1"]).validate(), refused);
            let both = config(&sources, &[]);
            assert_eq!((both.validate(), both.chain_quorum()), (Ok(()), 2));
        }
        let sentence = ConfigError::SinglePublicSource.to_string();
        assert!(sentence.starts_with("a single public chain source"));
    }

    #[test]
    fn ones_own_nodes_stand_in_for_each_other() {
        let one = config(&[NODE], &[]);
        assert_eq!((one.validate(), one.chain_quorum()), (Ok(()), 1));
        let two = config(&[NODE, OTHER_NODE], &[]);
        assert_eq!((two.validate(), two.chain_quorum()), (Ok(()), 1));
        assert_eq!(two.chain_addresses().len(), 2);
        let agreeing = config(&[NODE, OTHER_NODE], &["--chain-quorum=2"]);
        assert_eq!((agreeing.validate(), agreeing.chain_quorum()), (Ok(()), 2));
    }

    #[test]
    fn sources_that_could_never_agree_are_refused() {
        let too_many = config(&[EXPLORER, ELECTRUM], &["--chain-quorum=3"]);
        assert_eq!(too_many.validate(), Err(ConfigError::QuorumTooLarge));
        let twice = config(&[EXPLORER, EXPLORER], &[]);
        assert_eq!(twice.validate(), Err(ConfigError::SameSourceTwice));
    }

    #[test]
    fn credentials_of_the_node_are_not_shown() {
        let shown = format!("{:?}", config(&[NODE, ELECTRUM], &[]));
        assert!(!shown.contains("secret"), "{shown}");
        assert!(shown.contains("electrum at electrum.example"), "{shown}");
    }
}
