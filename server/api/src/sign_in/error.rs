//! Errors of sign-in, with messages for the user.

use crate::limits::LimitError;
use crate::providers;

/// "a, b or c".
fn oauth_names() -> String {
    let names: Vec<_> = providers::oauth()
        .map(|(provider, _)| provider.name)
        .collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    }
}

/// Why a sign-in or a session does not begin or continue. Parameters are the titles of providers.
#[derive(Debug, thiserror::Error)]
pub enum SignInError {
    #[error("redirect_to must be this site's own /auth/callback address.")]
    NotOnTheList,
    #[error("Sign-in needs PKCE: send code_challenge with code_challenge_method=s256.")]
    NoPkce,
    #[error("code_challenge must be the SHA-256 of the verifier in base64url without padding.")]
    BadChallenge,
    #[error("Unsupported provider: {0}")]
    UnknownProvider(String),
    #[error("Mock login is only available in development mode.")]
    DevelopmentOnly,
    #[error("OAuth login ({0}) is disabled in development mode. Use mock login.")]
    ProductionOnly(&'static str),
    #[error("Sign-in with {0} is not set up on this server.")]
    NotSetUp(&'static str),

    #[error("Unknown provider. Use {}.", oauth_names())]
    NoSuchProvider,
    #[error(
        "This sign-in is unknown, already completed, or was started in another browser. Sign in again."
    )]
    UnknownState,
    #[error("This sign-in took too long. Sign in again.")]
    TookTooLong,
    #[error("Sign-in with {0} has been turned off. Sign in with another provider.")]
    TurnedOff(&'static str),
    #[error("The response did not come from {0}. Sign in again.")]
    OtherIssuer(&'static str),
    #[error("You did not agree to sign in with {0}.")]
    NotAgreed(&'static str),
    #[error("{0} did not sign you in. Try again.")]
    ProviderRefused(&'static str),
    #[error("The response from {0} was incomplete. Sign in again.")]
    NotComplete(&'static str),
    #[error("{0} did not accept this sign-in. Sign in again.")]
    CodeRefused(&'static str),
    #[error("{0} is not responding. Try again in a minute.")]
    ProviderUnreachable(&'static str),
    #[error("The response from {0} cannot be read. Try again in a minute.")]
    ProviderUnreadable(&'static str),
    #[error(
        "{0} refuses this account: it may be suspended. Ask {0}, or sign in with another account."
    )]
    AccountRefused(&'static str),
    #[error(
        "{0} refuses sign-ins from this site. Only the site's operator can fix that; sign in with another provider."
    )]
    SiteRefused(&'static str),
    #[error("{0} allows no more sign-ins for now. Try again {1}.")]
    ProviderLimit(&'static str, String),

    #[error("This sign-in is unknown or was already completed. Sign in again.")]
    UnknownCode,
    #[error("This sign-in was started in another browser. Sign in again.")]
    BadVerifier,
    #[error("This sign-in was started on another site. Sign in again on this one.")]
    OtherSite,

    #[error(
        "The operator of this site has blocked this account. To appeal, use the contact in the terms of service."
    )]
    Blocked,

    #[error("Your session has ended. Sign in again.")]
    SessionEnded,
    #[error("This browser has no valid session. Sign in again.")]
    UnknownRefreshToken,
    #[error("Your session was used from two places, so it has been ended. Sign in again.")]
    UsedTwice,

    #[error("The access token is not valid or has expired. Sign in again.")]
    BadToken,
    #[error("You are not signed in, or your session has ended. Sign in again.")]
    SignedOut,

    #[error(transparent)]
    Limit(#[from] LimitError),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    /// Only logged.
    #[error("cannot sign an access token: {0}")]
    NotSigned(String),
}
