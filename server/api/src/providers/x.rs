//! X, by the name that its API and its clients have kept.

use serde::Deserialize;

use super::provider::{
    Claims, ClientAuth, Endpoint, OAuth, Pictures, Provider, ProviderResponse, SignInMethod,
    optional,
};

pub(super) const X: Provider = Provider {
    name: "twitter",
    method: SignInMethod::OAuth(OAuth {
        // X requires the permission to read posts for reading a profile.
        scopes: &["users.read", "tweet.read"],
        authorize: Endpoint::new("https://x.com", "/i/oauth2/authorize"),
        token: Endpoint::new("https://api.x.com", "/2/oauth2/token"),
        user: Endpoint::new(
            "https://api.x.com",
            "/2/users/me?user.fields=profile_image_url",
        ),
        emails: None,
        // X accepts only the header from a confidential client.
        client_auth: ClientAuth::Header,
        issuer: None,
        read,
    }),
    pictures: Some(Pictures {
        host: |host| matches!(host, "pbs.twimg.com" | "abs.twimg.com"),
        larger,
    }),
};

/// `GET /2/users/me`.
fn read(response: ProviderResponse<'_>) -> serde_json::Result<Claims> {
    #[derive(Deserialize)]
    struct Answer {
        data: User,
    }
    #[derive(Deserialize)]
    struct User {
        id: String,
        username: String,
        #[serde(default, deserialize_with = "optional")]
        profile_image_url: Option<String>,
    }
    let Answer { data: user } = serde_json::from_slice(response.user)?;
    Ok(Claims {
        id: user.id,
        username: Some(user.username),
        email: None,
        picture: user.profile_image_url,
    })
}

/// X returns the picture of 48 pixels, `name_normal.jpg`, and also has `name_400x400.jpg`.
fn larger(path: &str) -> Option<String> {
    let (folder, file) = path.rsplit_once('/')?;
    let dot = file.rfind('.').unwrap_or(file.len());
    let (stem, extension) = file.split_at(dot);
    let name = stem.strip_suffix("_normal")?;
    Some(format!("{folder}/{name}_400x400{extension}"))
}
