//! People from real providers, put on the board directly: how they came there is what other tests are about.

use api::App;
use store::profiles::{Identity, Profile};

use crate::support::database::run;

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
    state.board.catch_up().await.expect("a board");
    profile.unwrap()
}

/// Gives somebody holdings, and tells every page.
pub(crate) async fn prove(state: &App, profile: &Profile, sats: i64) {
    let (id, now) = (&profile.id, state.clock.now());
    let proven = format!("holdings_sats = {sats}, last_verified = {now}");
    let statement = format!("update profiles set {proven} where id = '{id}'");
    run(state.store.database(), statement).await.unwrap();
    state.store.notify();
    state.board.catch_up().await.expect("a board");
}
