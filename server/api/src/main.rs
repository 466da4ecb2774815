//! The program `server`: reads its settings and runs a command.

use std::io::{Write, stderr};
use std::process::ExitCode;

use api::config::Config;
use tokio::runtime::Runtime;

#[cfg(feature = "jemalloc")]
#[global_allocator]
static ALLOCATOR: jemalloc::Jemalloc = jemalloc::Jemalloc;

fn main() -> ExitCode {
    let config = Config::read();
    let done = Runtime::new().map_err(Into::into).and_then(|runtime| {
        let done = runtime.block_on(api::commands::run(config));
        // Does not wait for heavy work whose request was aborted.
        runtime.shutdown_background();
        done
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}
