//! The commands of the program.

use std::path::PathBuf;

use clap::Subcommand;

use chain::Secret;

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
    #[command(flatten)]
    OnDatabase(DatabaseCommand),
    /// Asks the server at `LISTEN` whether it is alive; for containers.
    Healthcheck,
}

/// The commands that open the service's database.
#[derive(Clone, Debug, PartialEq, Eq, Subcommand)]
pub enum DatabaseCommand {
    /// Makes a new key for access tokens. Running servers sign with it eleven minutes later; users stay signed in.
    RotateKeys,
    /// Makes a new key for the append-only log, signed by the old one. Running servers sign with it at once.
    RotateLogKey,
    /// Continues the log after an older copy of the database was restored: puts back what these folders (`PUBLISHED_LOG` of each replica) have
    /// and the database lacks, and removes again what was erased, blocked, hidden or unpublished since. Stop the servers first.
    RestoreLog {
        #[arg(required = true, value_name = "FOLDER")]
        folders: Vec<PathBuf>,
    },
    /// Begins a new append-only log, when `restore-log` cannot continue the old one. Visitors who saw the old log get a
    /// notice. Stop the servers first.
    NewLog {
        /// The reason, in one sentence. It is public.
        #[arg(long, value_name = "SENTENCE")]
        because: String,
        /// The folders (`PUBLISHED_LOG`) of the other replicas, when the database is a restored copy.
        #[arg(value_name = "FOLDER")]
        folders: Vec<PathBuf>,
    },
    /// Writes all data of a user to standard output, as JSON.
    Export {
        /// The id in the address of the profile, or the name as the board shows it: `@satoshi`, or `provider:satoshi`.
        person: String,
    },
    /// Deletes a user's account with all data.
    Erase {
        /// As for `export`.
        person: String,
    },
    /// Ends a user's sessions, and refuses further sign-ins.
    Block {
        /// As for `export`.
        person: String,
    },
    /// Allows a blocked user to sign in again.
    Unblock {
        /// As for `export`, or the hash that `block` has printed.
        person: String,
    },
}
