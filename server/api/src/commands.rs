//! The commands of the program: `serve`, and those that end by themselves.

use std::io::{Write, stdout};

use crate::app::Failure;
use crate::config::{Command, Config, DatabaseCommand};
use crate::sign_in::keys;
use chain::clock::Clock;
use store::Store;
use store::sqlite_file::expect_there;

mod backup;
mod board_log;
mod healthcheck;
mod move_database;
mod open_files;
mod serve;
mod users;

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
        Command::Healthcheck => return healthcheck::run(config.listen).await,
        Command::Move { to } => move_database::run(url, to.expose()).await?,
        Command::Backup { to } => backup::run(url, &to).await?,
        Command::OnDatabase(command) => {
            // A command never makes a database.
            expect_there(url)?;
            let store = Store::connect(url).await?;
            store.stamp(config.app_env.into()).await?;
            let report = run_on(&store, &config, command).await?;
            store.close().await;
            report
        }
    };
    writeln!(stdout(), "{report}").map_err(|error| {
        format!("The command succeeded, but its output cannot be written: {error}").into()
    })
}

/// Runs a command on the service's database.
async fn run_on(
    store: &Store,
    config: &Config,
    command: DatabaseCommand,
) -> Result<String, Failure> {
    use DatabaseCommand as C;
    match command {
        C::RotateKeys => {
            let kid = keys::rotate(store, Clock::System.now()).await?;
            let minutes = keys::LISTED_FIRST / 60;
            Ok(format!(
                "The new key is {kid}. Servers sign with it in {minutes} minutes, and all sessions go on."
            ))
        }
        C::RotateLogKey => board_log::rotate_key(store, config).await,
        C::RestoreLog { folders } => board_log::restore(store, config, &folders).await,
        C::NewLog { because, folders } => {
            board_log::begin_again(store, config, &because, folders).await
        }
        C::Export { person } => users::export(store, &person).await,
        C::Erase { person } => users::erase(store, config, &person).await,
        C::Block { person } => users::block(store, config, &person).await,
        C::Unblock { person } => users::unblock(store, &person).await,
    }
}
