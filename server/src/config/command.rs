//! What the program can be asked to do, and how it reads its command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};

use super::Config;

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
        to: String,
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
    /// Asks the server at `LISTEN` whether it is alive; for containers.
    Healthcheck,
}

impl Config {
    /// Reads the environment and the command line, and ends the process with an explanation when they make
    /// no sense. The explanation repeats no value that may be a secret.
    #[must_use]
    pub fn read() -> Self {
        let mut arguments: Vec<OsString> = std::env::args_os().collect();
        from_files(|name| std::env::var_os(name))
            .and_then(|settings| {
                arguments.splice(1..1, settings);
                Self::try_parse_from(arguments)
            })
            .unwrap_or_else(|error| without_secrets(error).exit())
    }
}

/// Secrets that are in files, as service managers and containers hand them over: a setting `NAME` whose value is
/// not shown in `--help` may come from the file that `NAME_FILE` names.
fn from_files(
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    let mut command = Config::command();
    let mut settings = Vec::new();
    let mut trouble = None;
    for argument in command.get_arguments() {
        let (Some(name), Some(long), true) = (
            argument.get_env().and_then(|name| name.to_str()),
            argument.get_long(),
            argument.is_hide_env_values_set(),
        ) else {
            continue;
        };
        let Some(file) = environment(&format!("{name}_FILE")) else {
            continue;
        };
        if environment(name).is_some() {
            trouble = Some(format!(
                "both {name} and {name}_FILE are set; leave one out"
            ));
            break;
        }
        match std::fs::read_to_string(&file) {
            Ok(value) => settings.push(format!("--{long}={}", value.trim_end()).into()),
            Err(error) => {
                let file = file.to_string_lossy();
                trouble = Some(format!("{name}_FILE: {file} cannot be read: {error}"));
                break;
            }
        }
    }
    match trouble {
        None => Ok(settings),
        Some(sentence) => Err(command.error(ErrorKind::Io, sentence)),
    }
}

/// The same explanation without the value, when it is of a setting whose value is not shown in `--help`.
fn without_secrets(mut error: clap::Error) -> clap::Error {
    let Some(ContextValue::String(blamed)) = error.get(ContextKind::InvalidArg) else {
        return error;
    };
    let mut command = Config::command();
    // Its arguments know how they are spelled only then.
    command.build();
    let secret = command
        .get_arguments()
        .any(|argument| argument.is_hide_env_values_set() && argument.to_string() == *blamed);
    if secret {
        let hidden = ContextValue::String("(not shown)".to_owned());
        error.insert(ContextKind::InvalidValue, hidden);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(arguments: &[&str]) -> String {
        let arguments = std::iter::once("server").chain(arguments.iter().copied());
        without_secrets(Config::try_parse_from(arguments).expect_err("nonsense")).to_string()
    }

    #[test]
    fn a_complaint_repeats_no_secret() {
        for chain in [
            "--chain=bitcoin:http://user:hunter2@127.0.0.1:8332",
            "--chain=bitcoind:http://user:hunter2@[127.0.0.1:8332",
            "--chain=esplora:https://a.example,user:hunter2@127.0.0.1",
        ] {
            let complaint = complaint(&[chain]);
            assert!(!complaint.contains("hunter2"), "{complaint}");
            assert!(complaint.contains("--chain"), "{complaint}");
        }
        // Where there is nothing to hide, it says what was wrong.
        assert!(complaint(&["--min-confirmations=none"]).contains("'none'"));
    }

    #[test]
    fn a_secret_may_be_in_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("database");
        std::fs::write(&file, "postgres://user:hunter2@host/reserves\n").expect("a file");
        let path = |name: &str| (name == "DATABASE_URL_FILE").then(|| file.clone().into());
        let settings = from_files(path).expect("settings");
        let arguments = std::iter::once(OsString::from("server")).chain(settings);
        let config = Config::parse_from(arguments);
        assert_eq!(config.database_url, "postgres://user:hunter2@host/reserves");

        let both = from_files(|name| name.starts_with("DATABASE_URL").then(|| "x".into()));
        let said = both.expect_err("two answers").to_string();
        assert!(
            said.contains("both DATABASE_URL and DATABASE_URL_FILE"),
            "{said}"
        );
        let nowhere = from_files(|name| (name == "CHAIN_FILE").then(|| "/nowhere".into()));
        let said = nowhere.expect_err("no file").to_string();
        assert!(
            said.contains("CHAIN_FILE: /nowhere cannot be read"),
            "{said}"
        );
    }

    #[test]
    fn without_a_word_it_serves() {
        assert_eq!(Config::parse_from(["server"]).command, None);
        let backup = Config::parse_from(["server", "backup", "--to=copy.sqlite"]);
        let to = PathBuf::from("copy.sqlite");
        assert_eq!(backup.command, Some(Command::Backup { to }));
    }
}
