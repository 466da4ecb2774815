//! Users and proofs that are put on the board directly: other tests sign them in, and sign proofs.

use api::App;

use crate::support::prelude::*;

/// The identity that a provider would send: the name is the permanent id as well.
pub(crate) fn identity(provider: &'static str, name: &str) -> Identity {
    called(provider, name, name)
}

/// The same with another permanent id.
pub(crate) fn called(provider: &'static str, subject: &str, name: &str) -> Identity {
    Identity {
        provider,
        subject: subject.to_owned(),
        username: Some(name.to_owned()),
        email: None,
        avatar_url: None,
    }
}

/// The same without a name.
pub(crate) fn nameless(provider: &'static str, subject: &str) -> Identity {
    let mut identity = identity(provider, subject);
    identity.username = None;
    identity
}

/// Signs a user in.
pub(crate) async fn sign_in(
    state: &App,
    provider: &'static str,
    name: &str,
    avatar_url: Option<&str>,
) -> Profile {
    let mut identity = identity(provider, name);
    identity.avatar_url = avatar_url.map(str::to_owned);
    let profile = state.store.sign_in(&identity, state.clock.now()).await;
    state.board.catch_up().await.unwrap();
    profile.unwrap()
}

/// Sets a user's holdings, and notifies open pages.
pub(crate) async fn prove(state: &App, profile: &Profile, sats: i64) {
    let (id, now) = (&profile.id, state.clock.now());
    let proven = format!("holdings_sats = {sats}, last_verified = {now}");
    let change = format!("update profiles set {proven} where id = '{id}'");
    execute(&state.store, change).await;
    state.store.notify();
    state.board.catch_up().await.unwrap();
}

/// A claim on a coin that never existed.
pub(crate) fn claim(number: u64, sats: i64) -> NewClaim {
    NewClaim {
        txid: format!("{number:064x}"),
        vout: 0,
        value_sats: sats,
        funding_block: "00".repeat(32),
        funding_height: 1,
    }
}

/// A proof of these coins at the block `tip`, bound to no account.
pub(crate) fn proof_at(tip: &str, user: &str, tx: &str, now: i64, coins: &[NewClaim]) -> NewProof {
    NewProof {
        id: Uuid::now_v7().to_string(),
        user_id: user.to_owned(),
        tx_hash: tx.to_owned(),
        file_name: "cold.psbt".to_owned(),
        binding: Binding::Unbound,
        statement: None,
        mock: false,
        created_at: now,
        expires_at: now + VALIDITY,
        network: "regtest",
        tip: tip.to_owned(),
        coins: coins.to_vec(),
        publication: None,
    }
}
