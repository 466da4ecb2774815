//! What the program can be asked to do.

use std::path::PathBuf;

use clap::Subcommand;

use super::person::Person;
use chain::Secret;

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
    /// Makes a new key for the append-only log, signed by the old one. Running servers sign with it at once.
    RotateLogKey,
    /// Begins a new append-only log: the way out when the database is an old copy, and a newer one is lost. Everybody who has seen the
    /// old log is told. Stop the servers first.
    NewLog {
        /// Why, in a sentence that everybody can read.
        #[arg(long, value_name = "SENTENCE")]
        because: String,
    },
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
    /// Replaced by the program `reserves-audit`.
    #[command(hide = true, disable_help_flag = true)]
    Audit {
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        arguments: Vec<String>,
    },
    /// Asks the server at `LISTEN` whether it is alive; for containers.
    Healthcheck,
}
