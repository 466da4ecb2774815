//! The server as a program: reads its settings, and does what it is asked to.

use std::process::ExitCode;

use api::config::Config;

#[tokio::main]
async fn main() -> ExitCode {
    match api::commands::run(Config::read()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
