//! Settings that cannot work, or would make the service unsafe.

use psbt_wasm::statement::MAX_SITE_BYTES;

use super::sign_in::SignInConfigError;

/// A setting that is refused, with what to do instead.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error(
        "APP_ENV=development signs anybody in, so it listens on loopback alone; set LISTEN to 127.0.0.1 and a port"
    )]
    DevelopmentNotLoopback,
    /// Whoever finds the address could be anybody there.
    #[error(
        "APP_ENV=development signs anybody in, so PUBLIC_URL must be an address of this machine; leave it out, or set \
         APP_ENV=production"
    )]
    DevelopmentPublic,
    /// Anybody could claim to be anybody.
    #[error(
        "TRUSTED_PROXIES holds every address together, so that anybody could say who they are; name the proxies alone"
    )]
    EverybodyTrusted,
    #[error(
        "the example's … still stands in {0}; replace it with the real value, or leave the setting out"
    )]
    Placeholders(String),
    /// Cookies and redirects depend on the address.
    #[error("PUBLIC_URL is not set; set it to the https address that people use")]
    NoPublicUrl,
    /// Sessions would cross the network in the clear.
    #[error(
        "PUBLIC_URL must be https, and only an origin: no user name or password, no path, no query"
    )]
    PublicUrlNotHttps,
    /// Part of it would be missing from what people sign (proofs, section 1).
    #[error(
        "PUBLIC_URL is too long: host and port together may have at most {MAX_SITE_BYTES} characters (a host in its xn-- form), because every proof \
         shows them and the holder's name in one line of 75; set it to a shorter address"
    )]
    PublicUrlTooLong,
    /// Forks have that block as well.
    #[error(
        "CHAIN_CHECKPOINT must be a block at height {least} or above: the forks of August 2026 share those before"
    )]
    CheckpointTooLow { least: u32 },
    /// The server could be made to call its neighbours.
    #[error(
        "AVATAR_HOSTS is only for APP_ENV=development, and only for numbered addresses of this machine"
    )]
    AvatarHosts,
    /// Money could be taken without anybody becoming premium.
    #[error(
        "STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_ID belong together; set all of them, or none"
    )]
    StripeIncomplete,
    /// The mode of the key decides which events count.
    #[error(
        "STRIPE_SECRET_KEY must be a secret or restricted key: sk_live_…, rk_live_…, sk_test_… or rk_test_…"
    )]
    StripeKey,
    #[error("STRIPE_WEBHOOK_SECRET must be signing secrets of Stripe, which begin with whsec_")]
    StripeWebhookSecret,
    #[error("STRIPE_PRICE_ID must be ids of prices, which begin with price_")]
    StripePrice,
    /// The key would cross the network in the clear.
    #[error(
        "STRIPE_API_URL must be https, or an address of this machine, without a user name or a password"
    )]
    StripeApiNotHttps,
    /// Mock users would pay real money.
    #[error("APP_ENV=development takes no live key; set STRIPE_SECRET_KEY to a test key")]
    StripeLiveInDevelopment,
    /// The law wants to know, and people too.
    #[error(
        "the legal pages do not say who runs the site; set {0} (.env.example says what each is)"
    )]
    LegalUnset(String),
    #[error(transparent)]
    SignIn(#[from] SignInConfigError),
}
