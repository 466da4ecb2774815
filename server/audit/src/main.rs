//! `reserves-audit`: checks a board from outside.

use std::process::ExitCode;

use audit::args::{Args, Command};
use clap::Parser;

#[tokio::main]
async fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(Command::Proof(args)) = &args.command {
        return audit::private::run(args).await;
    }
    match audit::command::run(&args).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
