//! Commands for the append-only log.

use crate::app::Failure;
use crate::config::Config;
use crate::history::begin;
use crate::history::published::Published;
use crate::history::trees::Trees;
use board_log::checkpoint::log_origin;
use chain::clock::Clock;
use store::Store;

/// Makes a new key for the log.
pub(super) async fn rotate_key(store: &Store, config: &Config) -> Result<String, Failure> {
    let trees = Trees::new(store.clone());
    let key = begin::rotate(&trees, &published(config), Clock::System.now()).await?;
    Ok(format!(
        "The log is signed by a new key from now on, and the old key has signed the new one:\n{key}"
    ))
}

/// Begins a new log.
pub(super) async fn begin_again(
    store: &Store,
    config: &Config,
    because: &str,
) -> Result<String, Failure> {
    // Without `PUBLIC_URL` in the environment of this command the log keeps its host.
    let state = store.log_state().await?;
    let before = state.filter(|_| config.public_url.is_none());
    let host = before.and_then(|state| Some(state.origin.split_once('/')?.0.to_owned()));
    let origin = log_origin(&host.unwrap_or_else(|| config.origin()));
    let now = Clock::System.now();
    let trees = Trees::new(store.clone());
    let name = begin::begin_again(&trees, &origin, &published(config), because, now).await?;
    Ok(format!(
        "The new log is {name}. Its first entry says why it was begun, and visitors who saw the old log get a notice."
    ))
}

fn published(config: &Config) -> Published {
    Published(config.history.published_checkpoint.clone())
}
