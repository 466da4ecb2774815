//! What an operator does about the append-only log.

use super::database;
use crate::app::StartError;
use chain::clock::Clock;
use crate::config::Config;
use crate::history::begin;
use crate::history::origin;
use crate::history::published::Published;

/// Makes a new key for it.
pub(super) async fn rotate_key(config: &Config) -> Result<String, StartError> {
    let store = database::open(config).await?;
    let key = begin::rotate(&store, &published(config), Clock::System.now()).await?;
    store.close().await;
    Ok(format!(
        "The log is signed by a new key from now on, and the old one has signed that:\n{key}"
    ))
}

/// Begins a new log.
pub(super) async fn begin_again(config: &Config, because: &str) -> Result<String, StartError> {
    let store = database::open(config).await?;
    let origin = origin(&config.origin());
    let now = Clock::System.now();
    let name = begin::begin_again(&store, &origin, &published(config), because, now).await?;
    store.close().await;
    Ok(format!(
        "The new log is {name}. Its first entry says why there is one, and whoever has seen the one before is told."
    ))
}

fn published(config: &Config) -> Published {
    Published::new(config.history.published_checkpoint.clone())
}
