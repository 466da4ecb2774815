//! The requests to each provider, and what the server takes from the responses.

use super::*;

/// A user in the provider's format, who signs in for the first time. Checks the requests to the provider: scopes, and
/// how the server authenticates.
async fn first_time(
    provider: &str,
    user: Value,
    scopes: &str,
    client_auth: &str,
) -> (Stage, Signed) {
    let stage = Stage::open(TestDatabase::sqlite().await).await;
    stage.providers.person(provider, user).await;
    let session = stage.sign_in(&Browser::new(), provider).await;

    let callback = format!("{}/api/auth/v1/callback/{provider}", stage.site.site());
    let page = stage.providers.seen(provider, "authorize").await;
    let token = stage.providers.seen(provider, "token").await;
    assert_eq!((page.len(), token.len()), (1, 1));
    let (query, form) = (&page[0]["query"], &token[0]["form"]);
    assert_eq!(query["response_type"], "code");
    assert_eq!(query["scope"], scopes);
    assert_eq!(query["redirect_uri"], json!(callback));
    assert_eq!(query["code_challenge_method"], "S256");
    assert!(text(&query["state"]).len() >= 43);
    assert_eq!(query["client_secret"], Value::Null);
    assert_eq!(token[0]["client_auth"], client_auth);
    assert_eq!(form["grant_type"], "authorization_code");
    assert_eq!(form["redirect_uri"], json!(callback));
    // The page's own verifier is for this server and is not sent to the provider.
    let verifier = text(&form["code_verifier"]);
    assert_eq!(query["code_challenge"], json!(challenge(&verifier)));
    (stage, session)
}

impl Stage {
    /// The same user with another response of the provider.
    async fn again(&self, provider: &str, user: Value, id: &str) -> Signed {
        self.providers.person(provider, user).await;
        let session = self.sign_in(&Browser::new(), provider).await;
        assert_eq!(session.user_id, id);
        session
    }

    /// The id, email address and picture of a user on record.
    async fn on_record(&self, id: &str) -> (String, Option<String>, Option<String>) {
        let profile = self.profile(id).await;
        (profile.subject, profile.email, profile.avatar_url)
    }
}

#[tokio::test]
async fn x_says_who_somebody_is() {
    let scopes = "users.read tweet.read";
    let alice = x_user("1001", "alice");
    let (stage, session) = first_time("twitter", alice, scopes, "basic").await;
    let user = stage.user(&session.access).await;
    assert_eq!(user["app_metadata"]["provider"], "twitter");
    assert_eq!(user["user_metadata"]["user_name"], "alice");
    assert_eq!(user["email"], "", "X does not tell");
    let face = "https://pbs.twimg.com/profile_images/1001/face_normal.jpg";
    let alice = ("1001".to_owned(), None, Some(face.to_owned()));
    assert_eq!(stage.on_record(&session.user_id).await, alice);
    assert!(session.cookie.is_some(), "our own page is in cookie mode");

    // With a new name it is the same user, in every session.
    let renamed = x_user("1001", "After");
    let second = stage.again("twitter", renamed, &session.user_id).await;
    assert_eq!(stage.site.people().await, 1);
    for access in [&session.access, &second.access] {
        let user = stage.user(access).await;
        assert_eq!(user["user_metadata"]["user_name"], "After");
    }
}

#[tokio::test]
async fn google_says_who_somebody_is() {
    let alice = google_user("g-1", "alice@mail.example", true);
    let scopes = "openid email profile";
    let (stage, session) = first_time("google", alice, scopes, "body").await;
    let user = stage.user(&session.access).await;
    assert_eq!(user["email"], "alice@mail.example");
    // Tokens travel further than that response.
    for token in [&session.access, &session.refresh] {
        let said: String = token.split('.').map(decoded).collect();
        assert!(!said.contains("email") && !said.contains("alice"), "{said}");
    }
    assert!(
        decoded(&session.access).contains("alg"),
        "it is read at all"
    );
    // Real names stay private: the name is 'user_' and the id's first five characters.
    let name = format!("user_{}", &session.user_id[..5]);
    assert_eq!(user["user_metadata"]["name"], json!(name));
    assert!(!user.to_string().contains("Real"));
    let (_, _, picture) = stage.on_record(&session.user_id).await;
    let face = "https://lh3.googleusercontent.com/a/g-1=s96-c";
    assert_eq!(picture.as_deref(), Some(face));

    // An unverified address is not stored.
    let unverified = google_user("g-1", "boss@mail.example", false);
    let again = stage.again("google", unverified, &session.user_id).await;
    assert_eq!(stage.user(&again.access).await["email"], "");
}

/// A part of a token as text, if it is one.
fn decoded(part: &str) -> String {
    let part = part.split('.').next().unwrap_or_default();
    let bytes = URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned() + part
}

#[tokio::test]
async fn github_says_who_somebody_is() {
    let emails = json!([
        {"email": "old@mail.example", "primary": false, "verified": true, "visibility": null},
        {"email": "octo@mail.example", "primary": true, "verified": true, "visibility": "private"},
    ]);
    let octo = github_user(583_231, "octo", &emails);
    let scopes = "read:user user:email";
    let (stage, session) = first_time("github", octo, scopes, "body").await;
    let user = stage.user(&session.access).await;
    assert_eq!(user["email"], "octo@mail.example");
    assert_eq!(user["user_metadata"]["user_name"], "octo");
    let (subject, _, picture) = stage.on_record(&session.user_id).await;
    let face = "https://avatars.githubusercontent.com/u/583231?v=4";
    assert_eq!((&*subject, picture.as_deref()), ("583231", Some(face)));

    // An unverified primary address, and a picture with an http address.
    let unverified = json!([{"email": "boss@mail.example", "primary": true, "verified": false}]);
    let mut octo = github_user(583_231, "octo", &unverified);
    octo["avatar_url"] = json!("http://avatars.githubusercontent.com/u/583231");
    stage.again("github", octo, &session.user_id).await;
    let nothing = (subject, None, None);
    assert_eq!(stage.on_record(&session.user_id).await, nothing);
    // A user who does not share an email address can still sign in.
    let octo = github_user(583_231, "octo", &Value::Null);
    stage.again("github", octo, &session.user_id).await;
}

#[tokio::test]
async fn the_cookie_of_a_sign_in_is_out_of_reach() {
    let database = TestDatabase::sqlite().await;
    for (site, name, secure) in [
        (None, "por-sign-in", ""),
        (
            Some("https://reserves.example"),
            "__Host-por-sign-in",
            " Secure;",
        ),
    ] {
        let stage = Stage::open_as(database.again(), site, &[]).await;
        let begin = async || {
            let challenge = challenge(&verifier());
            let parameters = [
                ("provider", "github"),
                ("code_challenge", challenge.as_str()),
                ("code_challenge_method", "s256"),
            ];
            stage.site.authorize(&parameters).await
        };
        let answer = begin().await;
        let cookie = answer.header("set-cookie");
        let (named, rest) = cookie.split_once('=').unwrap();
        let (value, attributes) = rest.split_once(';').expect("attributes");
        assert_eq!((named, value.len()), (name, 43), "256 bits");
        let expected = format!(" HttpOnly; SameSite=Lax;{secure} Path=/; Max-Age=600");
        assert_eq!(attributes, expected);
        let other = begin().await;
        assert_ne!(other.header("set-cookie"), cookie, "each browser's own");
        let location = answer.header("location");
        assert!(!location.contains(value), "the provider does not learn it");
    }
}
