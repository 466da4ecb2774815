//! GitHub, or a GitHub Enterprise Server.

use serde::Deserialize;

use super::provider::{ClientAuth, Endpoint, OAuth, Person, Pictures, Provider, Told, Way};

pub(super) const GITHUB: Provider = Provider {
    name: "github",
    title: "GitHub",
    way: Way::OAuth(OAuth {
        scopes: &["read:user", "user:email"],
        authorize: Endpoint::new("https://github.com", "/login/oauth/authorize"),
        token: Endpoint::new("https://github.com", "/login/oauth/access_token"),
        // An Enterprise Server has its API below /api/v3.
        person: Endpoint::new("https://api.github.com", "/user").elsewhere("/api/v3/user"),
        emails: Some(
            Endpoint::new("https://api.github.com", "/user/emails")
                .elsewhere("/api/v3/user/emails"),
        ),
        client_auth: ClientAuth::Body,
        issuer: Some("https://github.com/login/oauth"),
        read,
    }),
    handles: None,
    pictures: Some(Pictures {
        host: |host| host == "avatars.githubusercontent.com",
        larger: |_| None,
    }),
};

/// `GET /user` and `GET /user/emails`. The id is a number; names can be changed and taken over.
fn read(told: Told<'_>) -> serde_json::Result<Person> {
    #[derive(Deserialize)]
    struct User {
        id: u64,
        login: String,
        avatar_url: Option<String>,
    }
    #[derive(Deserialize)]
    struct Email {
        email: String,
        primary: bool,
        verified: bool,
    }
    let user: User = serde_json::from_slice(told.person)?;
    let emails: Vec<Email> = serde_json::from_slice(told.emails.unwrap_or(b"[]"))?;
    let mine = emails.into_iter().find(|it| it.primary && it.verified);
    Ok(Person {
        id: user.id.to_string(),
        username: Some(user.login),
        email: mine.map(|it| it.email),
        picture: user.avatar_url,
    })
}
