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
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chain::clock::Clock;
use futures_util::future::join_all;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::jobs::execute;
use crate::support::app::{Answer, NOW, TestApp, answer};
use crate::support::database::{TestDatabase, texts};
use crate::support::process::{LEGAL, ServerProcess, program, program_after, refusal};
use crate::support::{http_client, text, until};
