//! Makes a new key for access tokens.

use crate::app::StartError;
use crate::base::clock::Clock;
use crate::config::Config;
use crate::sign_in::keys;
use crate::store::sole::expect_there;
use crate::store::{Store, StoreError};

pub(super) async fn run(config: &Config) -> Result<(), StartError> {
    expect_there(config.database_url.expose()).map_err(StoreError::from)?;
    let store = Store::connect(config.database_url.expose()).await?;
    store.stamp(config.app_env).await?;
    let kid = keys::rotate(&store, Clock::System.now()).await?;
    println!(
        "The new key is {kid}. Servers sign with it in {} minutes, and nobody is signed out.",
        keys::PUBLISHED_FIRST / 60
    );
    store.close().await;
    Ok(())
}
