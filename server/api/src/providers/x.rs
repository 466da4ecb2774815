//! X, by the name that its API and its clients have kept.

use serde::Deserialize;

use super::provider::{
    ClientAuth, Endpoint, Handles, OAuth, Person, Pictures, Provider, Told, Way,
};

pub(super) const X: Provider = Provider {
    name: board_log::names::HANDLES,
    title: "X",
    way: Way::OAuth(OAuth {
        // X gives a profile only to apps that may read posts too.
        scopes: &["users.read", "tweet.read"],
        authorize: Endpoint::new("https://x.com", "/i/oauth2/authorize"),
        token: Endpoint::new("https://api.x.com", "/2/oauth2/token"),
        person: Endpoint::new(
            "https://api.x.com",
            "/2/users/me?user.fields=profile_image_url",
        ),
        emails: None,
        // X takes the header alone from a confidential client.
        client_auth: ClientAuth::Header,
        issuer: None,
        read,
    }),
    handles: Some(Handles {
        pages: "https://x.com/",
    }),
    pictures: Some(Pictures {
        host: |host| matches!(host, "pbs.twimg.com" | "abs.twimg.com"),
        larger,
    }),
};

/// `GET /2/users/me`.
fn read(told: Told<'_>) -> serde_json::Result<Person> {
    #[derive(Deserialize)]
    struct Answer {
        data: User,
    }
    #[derive(Deserialize)]
    struct User {
        id: String,
        username: String,
        profile_image_url: Option<String>,
    }
    let Answer { data: user } = serde_json::from_slice(told.person)?;
    Ok(Person {
        id: user.id,
        username: Some(user.username),
        email: None,
        picture: user.profile_image_url,
    })
}

/// X tells of a picture of 48 pixels, `name_normal.jpg`, and has `name_400x400.jpg` beside it.
fn larger(path: &str) -> Option<String> {
    let (folder, file) = path.rsplit_once('/')?;
    let dot = file.rfind('.').unwrap_or(file.len());
    let (stem, extension) = file.split_at(dot);
    let name = stem.strip_suffix("_normal")?;
    Some(format!("{folder}/{name}_400x400{extension}"))
}
