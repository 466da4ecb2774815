//! From a file to a proof on the board: read, look up, verify, record.

mod binding;
mod proving;
pub mod statement;
mod statement_blocks;
mod submission;
mod submit;
mod upkeep;

pub use proving::{ProofSettings, Proving};
pub use submission::{NotPublishable, Outcome, Submission, SubmitError, VALIDITY};
