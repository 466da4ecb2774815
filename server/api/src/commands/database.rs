//! The database of the service whose settings these are, for commands that work beside it.

use crate::app::StartError;
use crate::config::Config;
use store::sole::expect_there;
use store::{Store, StoreError};

/// Opens it.
///
/// # Errors
/// When there is none: a command never makes one.
pub(super) async fn open(config: &Config) -> Result<Store, StartError> {
    let url = config.database_url.expose();
    expect_there(url).map_err(StoreError::from)?;
    let store = Store::connect(url).await?;
    store.stamp(config.app_env.as_str()).await?;
    Ok(store)
}
