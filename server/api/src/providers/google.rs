//! Google, by OpenID Connect.

use serde::Deserialize;
use serde_json::Value;

use super::provider::{
    Claims, ClientAuth, Endpoint, OAuth, Pictures, Provider, ProviderResponse, SignInMethod,
    optional,
};

pub(super) const GOOGLE: Provider = Provider {
    name: "google",
    method: SignInMethod::OAuth(OAuth {
        scopes: &["openid", "email", "profile"],
        authorize: Endpoint::new("https://accounts.google.com", "/o/oauth2/v2/auth"),
        token: Endpoint::new("https://oauth2.googleapis.com", "/token"),
        user: Endpoint::new("https://openidconnect.googleapis.com", "/v1/userinfo"),
        emails: None,
        client_auth: ClientAuth::Body,
        issuer: Some("https://accounts.google.com"),
        read,
    }),
    pictures: Some(Pictures { host, larger }),
};

/// The claims of OpenID Connect Core, section 5.1. Google has no user names, only real ones, which are not shown: users
/// get the default name.
fn read(response: ProviderResponse<'_>) -> serde_json::Result<Claims> {
    #[derive(Deserialize)]
    struct User {
        sub: String,
        #[serde(default, deserialize_with = "optional")]
        email: Option<String>,
        #[serde(default, deserialize_with = "optional")]
        email_verified: Option<Value>,
        #[serde(default, deserialize_with = "optional")]
        picture: Option<String>,
    }
    let user: User = serde_json::from_slice(response.user)?;
    // Some send it as text.
    let is_verified = user
        .email_verified
        .is_some_and(|it| it == true || it == "true");
    Ok(Claims {
        id: user.sub,
        username: None,
        email: user.email.filter(|_| is_verified),
        picture: user.picture,
    })
}

/// `lh3.googleusercontent.com`, with any digit.
fn host(host: &str) -> bool {
    host.strip_prefix("lh")
        .and_then(|rest| rest.strip_suffix(".googleusercontent.com"))
        .is_some_and(|digit| digit.len() == 1 && digit.as_bytes()[0].is_ascii_digit())
}

/// Paths end in `=s96-c`, where the number is the side.
fn larger(path: &str) -> Option<String> {
    let name = path.strip_suffix("=s96-c")?;
    Some(format!("{name}=s400-c"))
}
