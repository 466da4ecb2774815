//! Secrets appear neither in addresses, nor in cookies that scripts can read, nor in the log.

use super::*;

/// The value of a parameter.
fn parameter(url: &Url, name: &str) -> String {
    let found = url.query_pairs().find(|(other, _)| other == name);
    let (_, value) = found.unwrap_or_else(|| panic!("no {name} in {url}"));
    value.into_owned()
}

#[tokio::test]
async fn no_credentials_in_addresses_or_the_server_log() {
    let log = tempfile::NamedTempFile::new().unwrap();
    let subscriber = || {
        let file = log.as_file().try_clone().unwrap();
        let subscriber = tracing_subscriber::fmt().with_writer(file);
        subscriber.with_max_level(tracing::Level::TRACE).finish()
    };
    // The test's runtime has one thread, so exactly this server's work is logged here.
    let _log = tracing::subscriber::set_default(subscriber());
    // Without a second subscriber, a test on another thread that reaches a line first, and logs nowhere, would disable
    // that line for all.
    let _second = tracing::Dispatch::new(subscriber());

    let (fixture, browser) = Fixture::open().await;
    let site = &fixture.site;
    let left = fixture.leave(&browser, "twitter").await;
    let to_provider = left.callback.clone();
    let attempt = fixture.pass(&browser, left).await;
    let answer = Answer::read(browser.open(&attempt.callback).await).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    let home: Url = answer.header("location").parse().unwrap();
    let code = parameter(&home, "code");
    let query = home.query().unwrap();
    assert_eq!(query, format!("code={code}"), "a code of ours alone");

    let origin = site.site();
    let got = Got::from([("code".to_owned(), code.clone())]);
    let session = fixture.exchange(&attempt, &got).await;
    let next = signed(&site.renew(&session).await);
    fixture.user(&next.access).await;
    // Failures are logged as well.
    site.user("not.a.token").await;
    let again = fixture.visit(&browser, "twitter").await;
    let wrong = with(&again.callback, "code", Some("refused-by-the-provider"));
    let wrong = with(&wrong, "error_description", Some("words of a stranger"));
    land(&browser, &wrong).await;
    site.sign_out(&next.access, "").await;

    let cookies = browser.cookies(origin.trim_start_matches("http://"));
    let cookies = cookies.unwrap();
    let (_, browser_secret) = cookies.split_once('=').unwrap();
    let token = fixture.providers.seen("twitter", "token").await;
    let secrets = [
        ("the provider's code", parameter(&attempt.callback, "code")),
        ("the state", parameter(&attempt.callback, "state")),
        ("a refused code", "refused-by-the-provider".to_owned()),
        ("a stranger's words", "words of a stranger".to_owned()),
        ("our code", code),
        ("the page's verifier", attempt.verifier),
        ("our verifier", text(&token[0]["form"]["code_verifier"])),
        ("the browser's secret", browser_secret.to_owned()),
        ("the access token", session.access),
        ("the next access token", next.access),
        ("the refresh token", session.cookie.unwrap()),
        ("the next refresh token", next.cookie.unwrap()),
        ("the client's secret", "the-secret".to_owned()),
    ];
    let log = std::fs::read_to_string(log.path()).unwrap();
    let ours = log.contains("/api/auth/v1/callback/twitter");
    assert!(ours, "the log is this server's: {log}");
    for (what, secret) in &secrets {
        let said = log.lines().find(|line| line.contains(secret.as_str()));
        assert_eq!(said, None, "{what} is in the log");
        let at_provider = to_provider.as_str().contains(secret.as_str());
        assert!(*what == "the state" || !at_provider, "{what}");
        let at_home = home.as_str().contains(secret.as_str());
        assert!(*what == "our code" || !at_home, "{what}");
    }
}
