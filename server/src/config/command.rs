//! What the program can be asked to do.

use std::path::PathBuf;

use clap::Subcommand;

use super::person::Person;
use super::secret::Secret;

/// What the program is asked to do. Without a word it serves.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Runs the server (the default).
    Serve,
    /// Copies everything from the SQLite database in `DATABASE_URL` into an empty PostgreSQL database.
    Move {
        /// `postgres://user@host/database`. Leave the password out and set `PGPASSWORD`: others on this
        /// machine can read command lines.
        #[arg(long, value_name = "URL")]
        to: Secret,
    },
    /// Writes a copy of the SQLite database in `DATABASE_URL`, also while a server runs on it.
    Backup {
        /// A file that does not exist yet.
        #[arg(long, value_name = "FILE")]
        to: PathBuf,
    },
    /// Makes a new key for access tokens. Running servers find it by themselves and sign with it eleven minutes later;
    /// nobody is signed out.
    RotateKeys,
    /// Writes everything that is on record about somebody to standard output, as JSON.
    Export {
        /// The id in the address of the profile, or the name as the board shows it: `@satoshi`, `github:satoshi`.
        person: Person,
    },
    /// Deletes somebody's account with everything that is theirs.
    Erase {
        /// As for `export`.
        person: Person,
    },
    /// Ends somebody's sessions, and lets them in no more.
    Block {
        /// As for `export`.
        person: Person,
    },
    /// Lets somebody in again.
    Unblock {
        /// As for `export`, or what `block` has said.
        person: Person,
    },
    /// Asks the server at `LISTEN` whether it is alive; for containers.
    Healthcheck,
}
