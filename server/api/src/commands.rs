//! What the program does when it is asked for something: serve, or a piece of work that ends.

use std::error::Error;

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

/// Does what the command line asks for.
///
/// # Errors
/// When it cannot be done, with a sentence for whoever asked.
pub async fn run(config: Config) -> Result<(), Box<dyn Error>> {
    match config.command.clone().unwrap_or(Command::Serve) {
        Command::Serve => serve::run(config)
            .await
            .map_err(|error| format!("The server cannot start: {error}").into()),
        Command::Move { to } => {
            Ok(move_database::run(config.database_url.expose(), to.expose()).await?)
        }
        Command::Backup { to } => Ok(backup::run(config.database_url.expose(), &to).await?),
        Command::RotateKeys => Ok(rotate_keys::run(&config).await?),
        Command::RotateLogKey => Ok(log::rotate_key(&config).await?),
        Command::NewLog { because } => Ok(log::begin_again(&config, &because).await?),
        Command::Export { person } => Ok(people::export(&config, &person).await?),
        Command::Erase { person } => Ok(people::erase(&config, &person).await?),
        Command::Block { person } => Ok(people::block(&config, &person).await?),
        Command::Unblock { person } => Ok(people::unblock(&config, &person).await?),
        Command::Audit { .. } => Err("`server audit` is a program of its own now: run reserves-audit with the same arguments".into()),
        Command::Healthcheck => Ok(healthcheck::run(config.listen).await?),
    }
}
