//! From a file to a proof on the board: read, look up, verify, record.

pub mod attempts;
mod block;
mod expire;
pub mod file_name;
mod look_up;
mod messages;
mod proving;
pub mod publication;
mod reverify;
pub mod statement;
mod statement_blocks;
mod submission;
mod submit;

pub use proving::{ProofSettings, Proving};
pub use submission::{Outcome, Sender, Submission, SubmitError, VALIDITY};
