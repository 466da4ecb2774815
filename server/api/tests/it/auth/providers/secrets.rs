//! What nobody gets to see: not in an address, not in a cookie that scripts can read, not in the log.

use std::io;
use std::sync::{Arc, Mutex};

use tracing_subscriber::fmt::MakeWriter;

use super::{Stage, x_user};
use crate::auth::site::answer::signed;
use crate::support::database::TestDatabase;
use crate::support::providers::{Browser, redirect};

/// A log that is kept.
#[derive(Clone, Debug, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        let written = self.0.lock().expect("nobody panicked");
        String::from_utf8_lossy(&written).into_owned()
    }
}

impl io::Write for Log {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0
            .lock()
            .expect("nobody panicked")
            .extend_from_slice(line);
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

/// The value of a parameter.
fn parameter(url: &url::Url, name: &str) -> String {
    let found = url.query_pairs().find(|(other, _)| other == name);
    let (_, value) = found.unwrap_or_else(|| panic!("no {name} in {url}"));
    value.into_owned()
}

#[tokio::test]
async fn nothing_that_signs_in_is_in_an_address_or_in_the_log() {
    let log = Log::default();
    let subscriber = || {
        tracing_subscriber::fmt()
            .with_writer(log.clone())
            .with_max_level(tracing::Level::TRACE)
            .finish()
    };
    // The runtime of a test has one thread, so what this server does is logged here, and nothing else is.
    let _log = tracing::subscriber::set_default(subscriber());
    // While there is only one, a test on another thread that comes to a line first, and logs nowhere, decides for all
    // that the line is not logged.
    let _second = tracing::Dispatch::new(subscriber());

    let stage = Stage::open(TestDatabase::sqlite().await).await;
    stage
        .providers
        .person("twitter", x_user("1", "alice"))
        .await;
    let browser = Browser::new();
    let left = stage.leave(&browser, "twitter").await;
    let to_provider = left.callback.clone();
    let attempt = stage.pass(&browser, left).await;
    let answer = browser.open(&attempt.callback).await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["referrer-policy"], "no-referrer");
    let home = redirect(&answer, &attempt.callback);
    let code = parameter(&home, "code");
    let names: Vec<String> = home
        .query_pairs()
        .map(|(name, _)| name.into_owned())
        .collect();
    assert_eq!(
        names,
        ["code"],
        "the page gets a code of ours and nothing else"
    );

    let origin = Some(stage.site.origin.as_str());
    let session = signed(
        stage
            .site
            .exchange(&code, &attempt.verifier, origin, None)
            .await,
    )
    .await;
    let cookie = session.cookie.clone().expect("a cookie");
    let next = signed(
        stage
            .site
            .refresh(&session.refresh, origin, Some(&cookie))
            .await,
    )
    .await;
    stage.user(&next.access).await;
    // What goes wrong is logged as well.
    stage.site.user("not.a.token").await;
    let again = stage.visit(&browser, "twitter").await;
    let wrong = super::with(&again.callback, "code", Some("refused-by-the-provider"));
    let wrong = super::with(&wrong, "error_description", Some("words of a stranger"));
    stage.land(&browser, &wrong).await;
    stage.site.sign_out(&next.access, "").await;

    let authority = stage.site.origin.trim_start_matches("http://");
    let browser_secret = browser.cookies(authority).expect("a cookie");
    let (_, browser_secret) = browser_secret.split_once('=').expect("a value");
    let token = stage.providers.seen("twitter", "token").await;
    let verifier = token[0]["form"]["code_verifier"]
        .as_str()
        .expect("a verifier");
    let secrets = [
        ("the provider's code", parameter(&attempt.callback, "code")),
        ("the state", parameter(&attempt.callback, "state")),
        ("a refused code", "refused-by-the-provider".to_owned()),
        ("a stranger's words", "words of a stranger".to_owned()),
        ("our code", code),
        ("the page's verifier", attempt.verifier.clone()),
        ("our verifier", verifier.to_owned()),
        ("the browser's secret", browser_secret.to_owned()),
        ("the access token", session.access.clone()),
        ("the next access token", next.access.clone()),
        ("the refresh token", cookie),
        (
            "the next refresh token",
            next.cookie.clone().expect("a cookie"),
        ),
        ("the client's secret", "the-secret".to_owned()),
    ];
    let log = log.text();
    assert!(
        log.contains("/api/auth/v1/callback/twitter"),
        "the log is this server's: {log}"
    );
    for (what, secret) in &secrets {
        if let Some(line) = log.lines().find(|line| line.contains(secret.as_str())) {
            panic!("{what} is in the log: {line}");
        }
    }
    for (what, secret) in &secrets {
        let state = *what == "the state";
        assert!(
            state || !to_provider.as_str().contains(secret.as_str()),
            "{what}"
        );
        assert!(
            *what == "our code" || !home.as_str().contains(secret.as_str()),
            "{what}"
        );
    }
}
