//! What the program does when it is asked for something: serve, or a piece of work that ends.

use std::error::Error;
use std::io::{Write, stdout};

use crate::config::{Command, Config};

mod audit;
mod audit_log;
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
    let said = match config.command.clone().unwrap_or(Command::Serve) {
        Command::Serve => {
            let served = serve::run(config).await;
            return served.map_err(|error| format!("The server cannot start: {error}").into());
        }
        Command::Audit(asked) => return Ok(audit::run(&config, &asked).await?),
        Command::Healthcheck => return Ok(healthcheck::run(config.listen).await?),
        Command::Move { to } => {
            move_database::run(config.database_url.expose(), to.expose()).await?
        }
        Command::Backup { to } => backup::run(config.database_url.expose(), &to).await?,
        Command::RotateKeys => rotate_keys::run(&config).await?,
        Command::RotateLogKey => log::rotate_key(&config).await?,
        Command::NewLog { because } => log::begin_again(&config, &because).await?,
        Command::Export { person } => people::export(&config, &person).await?,
        Command::Erase { person } => people::erase(&config, &person).await?,
        Command::Block { person } => people::block(&config, &person).await?,
        Command::Unblock { person } => people::unblock(&config, &person).await?,
    };
    writeln!(stdout(), "{said}").map_err(|error| {
        format!("The command succeeded, but its output cannot be written: {error}").into()
    })
}
