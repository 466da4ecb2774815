//! The service's database, for commands.

use crate::app::Failure;
use crate::config::Config;
use store::Store;
use store::sole::expect_there;

/// Opens the database.
///
/// # Errors
/// When there is none: a command never makes one.
pub(super) async fn open(config: &Config) -> Result<Store, Failure> {
    let url = config.database_url.expose();
    expect_there(url)?;
    let store = Store::connect(url).await?;
    store.stamp(config.app_env.as_str()).await?;
    Ok(store)
}
