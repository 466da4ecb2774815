//! The requests to each provider, what the server takes from the responses, and sign-ins side by side. What the client library gets is tested
//! with it (`auth-js/providers.test.mjs`).

use super::*;

impl Fixture {
    /// A user in the provider's format, who signs in for the first time. Checks the requests to the provider: scopes, and
    /// how the server authenticates.
    async fn first_time(
        provider: &str,
        user: Value,
        scopes: &str,
        client_auth: &str,
    ) -> (Self, Signed) {
        let (fixture, browser) = Self::open().await;
        fixture.providers.person(provider, user).await;
        let session = fixture.sign_in(&browser, provider).await;

        let callback = format!("{}/api/auth/v1/callback/{provider}", fixture.site.site());
        let page = fixture.providers.seen(provider, "authorize").await;
        let token = fixture.providers.seen(provider, "token").await;
        assert_eq!((page.len(), token.len()), (1, 1));
        let (query, form) = (&page[0]["query"], &token[0]["form"]);
        // The page's own verifier is for this server and is not sent to the provider.
        let challenge = challenge(&text(&form["code_verifier"]));
        for (name, expected) in [
            ("response_type", json!("code")),
            ("scope", json!(scopes)),
            ("redirect_uri", json!(callback)),
            ("code_challenge_method", json!("S256")),
            ("code_challenge", json!(challenge)),
            ("client_secret", Value::Null),
        ] {
            assert_eq!(query[name], expected, "{name}");
        }
        assert!(text(&query["state"]).len() >= 43);
        assert_eq!(token[0]["client_auth"], client_auth);
        assert_eq!(form["grant_type"], "authorization_code");
        assert_eq!(form["redirect_uri"], json!(callback));
        (fixture, session)
    }

    /// The same user with another response of the provider.
    async fn again(&self, provider: &str, user: Value, id: &str) -> Signed {
        self.providers.person(provider, user).await;
        let session = self.sign_in(&Browser::new(), provider).await;
        assert_eq!(session.user_id, id);
        session
    }

    /// The id, email address and picture of a user on record.
    async fn on_record(&self, id: &str) -> (String, Option<String>, Option<String>) {
        let profile = self.site.state.store.profile(id).await.unwrap().unwrap();
        (profile.subject, profile.email, profile.avatar_url)
    }
}

#[tokio::test]
async fn x_says_who_somebody_is() {
    let (alice, scopes) = (x_user("1001", "alice"), "users.read tweet.read");
    let (fixture, session) = Fixture::first_time("twitter", alice, scopes, "basic").await;
    let face = "https://pbs.twimg.com/profile_images/1001/face_normal.jpg";
    let alice = ("1001".to_owned(), None, Some(face.to_owned()));
    assert_eq!(fixture.on_record(&session.user_id).await, alice);
    assert!(session.cookie.is_some(), "our own page is in cookie mode");

    // With a new name it is the same user, in every session.
    let renamed = x_user("1001", "After");
    let second = fixture.again("twitter", renamed, &session.user_id).await;
    assert_eq!(fixture.site.people().await, 1);
    for access in [&session.access, &second.access] {
        let user = fixture.user(access).await;
        assert_eq!(user["user_metadata"]["user_name"], "After");
    }
}

#[tokio::test]
async fn google_says_who_somebody_is() {
    let alice = google_user("g-1", "alice@mail.example", true);
    let scopes = "openid email profile";
    let (fixture, session) = Fixture::first_time("google", alice, scopes, "body").await;
    let user = fixture.user(&session.access).await;
    assert_eq!(user["email"], "alice@mail.example");
    // Access tokens contain less than that response, because they are sent everywhere.
    let parts = session.access.split('.').chain(session.refresh.split('.'));
    let read = |part: &str| {
        let bytes = URL_SAFE_NO_PAD.decode(part).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned() + part
    };
    let said: String = parts.map(read).collect();
    assert!(said.contains("\"alg\""), "it is read at all");
    assert!(!said.contains("email") && !said.contains("alice"), "{said}");
    // Real names stay private: the name is 'user_' and the id's first five characters.
    let name = format!("user_{}", &session.user_id[..5]);
    assert_eq!(user["user_metadata"]["name"], json!(name));
    assert!(!user.to_string().contains("Real"));
    let (_, _, picture) = fixture.on_record(&session.user_id).await;
    let face = "https://lh3.googleusercontent.com/a/g-1=s96-c";
    assert_eq!(picture.as_deref(), Some(face));

    // An unverified address is not stored.
    let unverified = google_user("g-1", "boss@mail.example", false);
    let again = fixture.again("google", unverified, &session.user_id).await;
    assert_eq!(fixture.user(&again.access).await["email"], "");
}

#[tokio::test]
async fn github_says_who_somebody_is() {
    let emails = json!([
        {"email": "old@mail.example", "primary": false, "verified": true, "visibility": null},
        {"email": "octo@mail.example", "primary": true, "verified": true, "visibility": "private"},
    ]);
    let octo = github_user(583_231, "octo", &emails);
    let scopes = "read:user user:email";
    let (fixture, session) = Fixture::first_time("github", octo, scopes, "body").await;
    let (subject, email, picture) = fixture.on_record(&session.user_id).await;
    assert_eq!(email.as_deref(), Some("octo@mail.example"));
    let face = "https://avatars.githubusercontent.com/u/583231?v=4";
    assert_eq!((&*subject, picture.as_deref()), ("583231", Some(face)));

    // An unverified primary address, and a picture with an http address.
    let unverified = json!([{"email": "boss@mail.example", "primary": true, "verified": false}]);
    let mut octo = github_user(583_231, "octo", &unverified);
    octo["avatar_url"] = json!("http://avatars.githubusercontent.com/u/583231");
    fixture.again("github", octo, &session.user_id).await;
    let nothing = (subject, None, None);
    assert_eq!(fixture.on_record(&session.user_id).await, nothing);
    // A user who does not share an email address can still sign in.
    let octo = github_user(583_231, "octo", &Value::Null);
    fixture.again("github", octo, &session.user_id).await;
}

#[tokio::test]
async fn the_sign_in_cookie_is_httponly_and_scoped() {
    let database = TestDatabase::sqlite().await;
    let proxied = Some("https://reserves.example");
    for (site, name, secure) in [
        (None, "por-sign-in", ""),
        (proxied, "__Host-por-sign-in", " Secure;"),
    ] {
        let (fixture, _) = Fixture::open_as(database.again(), site).await;
        let begin = async || fixture.site.begin("github", &verifier()).await;
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

#[tokio::test]
async fn tabs_of_one_browser_sign_in_side_by_side() {
    let (fixture, browser) = Fixture::open().await;
    let first = fixture.leave(&browser, "twitter").await;
    let second = fixture.leave(&browser, "github").await;
    let third = fixture.leave(&browser, "twitter").await;
    // The sign-ins come back in reverse order.
    for attempt in [second, third, first] {
        let attempt = fixture.pass(&browser, attempt).await;
        fixture.finish(&browser, &attempt).await;
    }
    assert_eq!(fixture.site.people().await, 2);
}

#[tokio::test]
async fn two_servers_on_one_database_are_one_service() {
    let (fixture, browser) = Fixture::open_as(TestDatabase::postgres().await, None).await;
    let other = fixture.site.another().await;
    let authority = other.origin.trim_start_matches("http://");
    let land_there = async |callback| {
        let response = browser.open_at(callback, authority).await;
        location(&Answer::read(response).await)
    };
    // The sign-in starts on one server and returns to the other.
    let attempt = fixture.visit(&browser, "twitter").await;
    let got = land_there(&attempt.callback).await;
    let session = fixture.exchange(&attempt, &got).await;
    assert!(other.is_in(&session.access).await);

    // Both servers get a refresh at the same time.
    let (one, two) = tokio::join!(fixture.site.renew(&session), other.renew(&session));
    assert_eq!(signed(&one).cookie, signed(&two).cookie);

    // A callback that one server has handled is over on the other.
    let attempt = fixture.visit(&browser, "twitter").await;
    land(&browser, &attempt.callback).await;
    let again = land_there(&attempt.callback).await;
    assert_eq!(again["error_code"], "bad_oauth_state");
}
