//! Makes a new key for access tokens.

use super::database;
use crate::app::Failure;
use crate::config::Config;
use crate::sign_in::keys;
use chain::clock::Clock;

pub(super) async fn run(config: &Config) -> Result<String, Failure> {
    let store = database::open(config).await?;
    let kid = keys::rotate(&store, Clock::System.now()).await?;
    store.close().await;
    Ok(format!(
        "The new key is {kid}. Servers sign with it in {} minutes, and all sessions go on.",
        keys::PUBLISHED_FIRST / 60
    ))
}
