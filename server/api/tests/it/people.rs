//! People from real providers, put on the board directly: how they came there is what other tests are about.

use api::App;
use store::Database;
use store::profiles::{Identity, Profile};

/// Signs somebody in as their provider tells of them.
pub(crate) async fn sign_in(
    state: &App,
    provider: &'static str,
    name: &str,
    avatar_url: Option<&str>,
) -> Profile {
    let identity = Identity {
        provider,
        subject: format!("subject of {name}"),
        username: Some(name.to_owned()),
        email: None,
        avatar_url: avatar_url.map(str::to_owned),
    };
    let now = state.clock.now();
    let profile = state.store.sign_in(&identity, now).await;
    state.board.caught_up().await.expect("a board");
    profile.expect("a profile")
}

/// Gives somebody holdings, and tells every page.
pub(crate) async fn prove(state: &App, profile: &Profile, sats: i64) {
    let statement = "update profiles set holdings_sats = $2, last_verified = $3 where id = $1";
    let now = state.clock.now();
    macro_rules! run {
        ($pool:expr) => {{
            let query = sqlx::query(statement).bind(&profile.id).bind(sats);
            query.bind(now).execute($pool).await.expect("a database");
        }};
    }
    match state.store.database() {
        Database::Sqlite(pool) => run!(pool),
        Database::Postgres(pool) => run!(pool),
    }
    state.store.ring();
    state.board.caught_up().await.expect("a board");
}
