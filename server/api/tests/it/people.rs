//! Users of real providers, put on the board directly: other tests sign them in.

use api::App;
use store::profiles::{Identity, Profile};

use crate::support::database::run;

/// The identity that a provider would send.
pub(crate) fn identity(provider: &'static str, name: &str) -> Identity {
    Identity {
        provider,
        subject: format!("subject of {name}"),
        username: Some(name.to_owned()),
        email: None,
        avatar_url: None,
    }
}

/// Signs a user in.
pub(crate) async fn sign_in(
    state: &App,
    provider: &'static str,
    name: &str,
    avatar_url: Option<&str>,
) -> Profile {
    let identity = Identity {
        avatar_url: avatar_url.map(str::to_owned),
        ..identity(provider, name)
    };
    let now = state.clock.now();
    let profile = state.store.sign_in(&identity, now).await;
    state.board.catch_up().await.expect("a board");
    profile.unwrap()
}

/// Sets a user's holdings, and notifies open pages.
pub(crate) async fn prove(state: &App, profile: &Profile, sats: i64) {
    let (id, now) = (&profile.id, state.clock.now());
    let proven = format!("holdings_sats = {sats}, last_verified = {now}");
    let statement = format!("update profiles set {proven} where id = '{id}'");
    run(state.store.database(), statement).await.unwrap();
    state.store.notify();
    state.board.catch_up().await.expect("a board");
}
