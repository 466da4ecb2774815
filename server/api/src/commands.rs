//! The commands of the program: `serve`, and those that end by themselves.

use std::io::{Write, stdout};

use crate::app::Failure;
use crate::config::{Command, Config};

mod backup;
mod database;
mod healthcheck;
mod log;
mod move_database;
mod open_files;
mod people;
mod rotate_keys;
mod serve;

/// Runs the command of the command line.
///
/// # Errors
/// A sentence for the operator.
pub async fn run(config: Config) -> Result<(), Failure> {
    let url = config.database_url.expose();
    let report = match config.command.clone().unwrap_or(Command::Serve) {
        Command::Serve => {
            let served = serve::run(config).await;
            return served.map_err(|error| format!("The server cannot start: {error}").into());
        }
        Command::Audit { .. } => {
            return Err(
                "`server audit` is now a separate program: run `reserves-audit` with the same arguments".into(),
            );
        }
        Command::Healthcheck => return healthcheck::run(config.listen).await,
        Command::Move { to } => move_database::run(url, to.expose()).await?,
        Command::Backup { to } => backup::run(url, &to).await?,
        Command::RotateKeys => rotate_keys::run(&config).await?,
        Command::RotateLogKey => log::rotate_key(&config).await?,
        Command::NewLog { because } => log::begin_again(&config, &because).await?,
        Command::Export { person } => people::export(&config, &person).await?,
        Command::Erase { person } => people::erase(&config, &person).await?,
        Command::Block { person } => people::block(&config, &person).await?,
        Command::Unblock { person } => people::unblock(&config, &person).await?,
    };
    writeln!(stdout(), "{report}").map_err(|error| {
        format!("The command succeeded, but its output cannot be written: {error}").into()
    })
}
