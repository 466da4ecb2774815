//! What operators rely on: health, metrics, the log, stopping, refusing to start, backups, moving.

mod away;
mod backup;
mod confined;
mod database;
mod full_disk;
mod half_open;
mod health;
mod impatient;
mod log;
mod log_lost;
mod metrics;
mod moving;
mod open_files;
mod promises;
mod records;
mod refusals;
mod settings;
mod stopping;

use std::fs;
use std::process::Command;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::support::prelude::*;
use crate::support::process::{LEGAL, ended, program_after, refusal, run as run_program};
