//! The server as a program: reads its settings, and does what it is asked to.

use std::io::{Write, stderr};
use std::process::ExitCode;

use server::config::Config;
use tokio::runtime::Runtime;

fn main() -> ExitCode {
    let config = Config::read();
    let done = Runtime::new().map_err(Into::into).and_then(|runtime| {
        let done = runtime.block_on(server::commands::run(config));
        // Heavy work that was given up goes on for a while, and nobody waits for it.
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where it cannot be written, the status has to do.
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}
