//! What operators rely on: health, metrics, the server log, stopping, refusing to start, backups, moving.

mod away;
mod backup;
mod confined;
mod database;
mod full_disk;
mod half_open;
mod health;
mod impatient;
mod metrics;
mod moving;
mod records;
mod refusals;
mod server_log;
mod settings;
mod starting;
mod stopping;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::prelude::*;
use crate::support::process::{Ended, run as run_program};
use crate::support::process::{LEGAL, ended, program_after, refusal, tell_to_stop};

const USER: &str = "/api/auth/v1/user";

/// The permissions of a file.
fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Runs a command on this database to its end.
fn run_command(url: &str, command: &[&str]) -> Ended {
    let url = format!("--database-url={url}");
    run_program(&[&["--app-env=development", &*url], command].concat())
}

/// The error of a second server on a database.
fn refused_to_serve(url: &str) -> String {
    run_command(url, &["--listen=127.0.0.1:0"]).failed()
}
