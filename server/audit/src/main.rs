//! `reserves-audit`: checks a board from outside.

use std::process::ExitCode;

use audit::args::Args;
use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    match audit::command::run(&Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
