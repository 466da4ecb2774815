//! Sources that answer, but know too little of the chain to say which coins are unspent (rule B6).

use std::fmt;

/// What a source lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// It is still downloading blocks whose headers it has, or has said so itself.
    Syncing { blocks: u32, headers: u32 },
    /// Its newest block is old, and no chain of mainnet stands still for so long.
    Stale { hours: i64 },
}

/// For whoever operates the server.
impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syncing { blocks, headers } => write!(
                f,
                "it is still downloading the chain (blocks: {blocks}, headers: {headers})"
            ),
            Self::Stale { hours } => write!(f, "its newest block is {hours} hours old"),
        }
    }
}

impl Behind {
    /// Stable kebab-case code.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Syncing { .. } => "chain-syncing",
            Self::Stale { .. } => "chain-stale",
        }
    }

    /// For everybody: names no source.
    #[must_use]
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
