//! GitHub, or a GitHub Enterprise Server.

use serde::Deserialize;
use serde_json::Value;

use super::provider::{
    Claims, ClientAuth, Endpoint, OAuth, Pictures, Provider, ProviderResponse, SignInMethod,
    optional,
};

pub(super) const GITHUB: Provider = Provider {
    name: "github",
    method: SignInMethod::OAuth(OAuth {
        scopes: &["read:user", "user:email"],
        authorize: Endpoint::new("https://github.com", "/login/oauth/authorize"),
        token: Endpoint::new("https://github.com", "/login/oauth/access_token"),
        // An Enterprise Server has its API below /api/v3.
        user: Endpoint::new("https://api.github.com", "/user").elsewhere("/api/v3/user"),
        emails: Some(
            Endpoint::new("https://api.github.com", "/user/emails")
                .elsewhere("/api/v3/user/emails"),
        ),
        client_auth: ClientAuth::Body,
        issuer: Some("https://github.com/login/oauth"),
        read,
    }),
    pictures: Some(Pictures {
        host: |host| host == "avatars.githubusercontent.com",
        larger: |_| None,
    }),
};

/// `GET /user` and `GET /user/emails`. The id is a number; names can be changed and taken over.
fn read(response: ProviderResponse<'_>) -> serde_json::Result<Claims> {
    #[derive(Deserialize)]
    struct User {
        id: u64,
        login: String,
        #[serde(default, deserialize_with = "optional")]
        avatar_url: Option<String>,
    }
    #[derive(Deserialize)]
    struct Email {
        email: String,
        primary: bool,
        verified: bool,
    }
    let user: User = serde_json::from_slice(response.user)?;
    let emails: Vec<Value> = serde_json::from_slice(response.emails.unwrap_or(b"[]"))?;
    let emails = emails.into_iter().map(serde_json::from_value::<Email>);
    let primary = emails.flatten().find(|it| it.primary && it.verified);
    Ok(Claims {
        id: user.id.to_string(),
        username: Some(user.login),
        email: primary.map(|it| it.email),
        picture: user.avatar_url,
    })
}
