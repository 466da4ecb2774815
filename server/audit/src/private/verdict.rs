//! Right, false, or not checked.

use std::process::ExitCode;

use psbt_wasm::joined::{MAX_COINS, MAX_FILES, ProofStatus};

/// Why a proof is not right, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It is false.
    False(String),
    /// Not everything could be checked.
    Unchecked(String),
}

impl Wrong {
    pub(super) fn status(&self) -> ProofStatus {
        match self {
            Self::False(_) => ProofStatus::False,
            Self::Unchecked(_) => ProofStatus::Unchecked,
        }
    }

    pub(super) fn sentence(&self) -> &str {
        match self {
            Self::False(sentence) | Self::Unchecked(sentence) => sentence,
        }
    }
}

/// Of more files or coins than are checked together.
pub(super) fn too_many() -> Wrong {
    Wrong::Unchecked(format!(
        "at most {MAX_FILES} files and {MAX_COINS} coins can be checked together."
    ))
}

/// The status with which the program ends.
pub(super) fn exit_code(status: ProofStatus) -> ExitCode {
    ExitCode::from(match status {
        ProofStatus::Right => 0,
        ProofStatus::False => 1,
        ProofStatus::Unchecked => 2,
    })
}
