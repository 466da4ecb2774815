//! Sources that answer, but lag too far behind to say which coins are unspent (rule B6).

/// Why a source lags. The texts are for the operator of the server; as a static string it is a stable kebab-case code.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, thiserror::Error, strum::IntoStaticStr, strum::VariantNames,
)]
pub enum Behind {
    /// It is still downloading blocks whose headers it has, or reports that it is syncing.
    #[strum(serialize = "chain-syncing")]
    #[error("it is still downloading the chain (blocks: {blocks}, headers: {headers})")]
    Syncing { blocks: u32, headers: u32 },
    /// Its newest block is old. Mainnet never goes so long without a block.
    #[strum(serialize = "chain-stale")]
    #[error("its newest block is {hours} hours old")]
    Stale { hours: i64 },
}

impl Behind {
    /// The public message, which names no source.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Syncing { .. } => {
                "A chain source is still downloading the chain and cannot say yet which coins are unspent."
            }
            Self::Stale { .. } => {
                "The newest block of a chain source is hours old, so it cannot say which coins are unspent."
            }
        }
    }
}
