//! Who somebody is, in each provider's own words.

use reqwest::StatusCode;
use serde::Deserialize;

use super::http::{Http, HttpError};
use super::kind::Endpoints;
use crate::store::profiles::Identity;

/// The longest id, name or address that is taken from a provider, in characters. None of theirs comes near.
const LONGEST: usize = 512;

/// X: `GET /2/users/me`.
#[derive(Deserialize)]
struct XAnswer {
    data: XUser,
}

#[derive(Deserialize)]
struct XUser {
    id: String,
    username: String,
    profile_image_url: Option<String>,
}

pub(super) async fn of_x(
    http: &Http,
    endpoints: &Endpoints,
    token: &str,
) -> Result<Identity, HttpError> {
    let XAnswer { data: user } = http.get(&endpoints.person, token).await?;
    identity(
        "twitter",
        user.id,
        Some(user.username),
        None,
        user.profile_image_url,
    )
}

/// Google: the claims of OpenID Connect Core, section 5.1.
#[derive(Deserialize)]
struct GoogleUser {
    sub: String,
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
    picture: Option<String>,
}

/// Google has no user names, and shows real ones: whoever signs in there gets the default name, not one that
/// gives away more than they chose to.
pub(super) async fn of_google(
    http: &Http,
    endpoints: &Endpoints,
    token: &str,
) -> Result<Identity, HttpError> {
    let user: GoogleUser = http.get(&endpoints.person, token).await?;
    let email = user.email.filter(|_| user.email_verified);
    identity("google", user.sub, None, email, user.picture)
}

/// GitHub: `GET /user`. The id is a number; names can be changed and taken over.
#[derive(Deserialize)]
struct GithubUser {
    id: u64,
    login: String,
    avatar_url: Option<String>,
}

/// GitHub: `GET /user/emails`.
#[derive(Deserialize)]
struct GithubEmail {
    email: String,
    primary: bool,
    verified: bool,
}

pub(super) async fn of_github(
    http: &Http,
    endpoints: &Endpoints,
    token: &str,
) -> Result<Identity, HttpError> {
    let user: GithubUser = http.get(&endpoints.person, token).await?;
    let emails: Vec<GithubEmail> = match &endpoints.emails {
        // The person may have kept them back, which is no reason not to let them in.
        Some(url) => match http.get(url, token).await {
            Err(HttpError::Status(StatusCode::FORBIDDEN | StatusCode::NOT_FOUND)) => Vec::new(),
            answer => answer?,
        },
        None => Vec::new(),
    };
    let mine = emails.into_iter().find(|it| it.primary && it.verified);
    let email = mine.map(|it| it.email);
    identity(
        "github",
        user.id.to_string(),
        Some(user.login),
        email,
        user.avatar_url,
    )
}

/// An id is what an account hangs on, so there is none without it.
fn identity(
    provider: &'static str,
    subject: String,
    username: Option<String>,
    email: Option<String>,
    avatar_url: Option<String>,
) -> Result<Identity, HttpError> {
    let readable = |text: &String| {
        !text.is_empty() && text.chars().count() <= LONGEST && !text.chars().any(char::is_control)
    };
    if !readable(&subject) {
        return Err(HttpError::Unreadable);
    }
    Ok(Identity {
        provider,
        subject,
        username: username.filter(readable),
        email: email.filter(readable),
        avatar_url: avatar_url
            .filter(readable)
            .filter(|address| address.starts_with("https://")),
    })
}
