//! A server with unsafe settings does not start, and its error says what to do.

use std::fs;

use crate::support::database::TestDatabase;
use crate::support::process::{LEGAL, ServerProcess, refusal};

const NODE: &str = "--chain=bitcoind:http://user:hunter2@127.0.0.1:1";
const ADDRESS: &str = "--public-url=https://reserves.example";

#[test]
fn dangerous_settings_are_refused() {
    const DEVELOPMENT: &str = "--app-env=development";
    let password = "--public-url=https://user:hunter2@reserves.example";
    let elsewhere = "--chain=bitcoind:http://user:hunter2@node.example:8332";
    let long = "--public-url=https://proof-of-reserves.an-example.org";
    let no_folder = "--database-url=sqlite:/dev/null/here/reserves.sqlite";
    let example = ["--github-client-id=…", "--github-client-secret=hunter2…"];
    for (arguments, sentence) in [
        (&[ADDRESS][..], "CHAIN is not set"),
        (&[NODE], "PUBLIC_URL is not set"),
        (
            &[ADDRESS, "--chain=development"],
            "CHAIN=development is only for APP_ENV=development",
        ),
        (
            &[ADDRESS, "--chain=esplora:https://esplora.example/api"],
            "a single public chain source could make up coins",
        ),
        (
            &[NODE, "--public-url=http://reserves.example"],
            "PUBLIC_URL must be https",
        ),
        (
            &[NODE, long],
            "PUBLIC_URL is too long: host and port together may have at most 26 characters",
        ),
        (
            &[DEVELOPMENT, "--listen=0.0.0.0:8080"],
            "APP_ENV=development signs in anyone",
        ),
        (
            &[NODE, password],
            "PUBLIC_URL must be https, and only an origin: no user name or password",
        ),
        (
            &[DEVELOPMENT, ADDRESS],
            "PUBLIC_URL must be an address of this machine",
        ),
        (
            &[NODE, ADDRESS, "--trusted-proxies=0.0.0.0/1,128.0.0.0/1"],
            "TRUSTED_PROXIES covers every address",
        ),
        (
            &[NODE, ADDRESS, "--legal-company=A Company"],
            "the legal pages do not say who runs the site; set LEGAL_POSTAL_ADDRESS, LEGAL_COUNTRY",
        ),
        (
            &[ADDRESS, elsewhere],
            "the address of a node with a password must begin with https://",
        ),
        (
            &[DEVELOPMENT, "--database-url=mysql://here"],
            "DATABASE_URL must begin with sqlite: or postgres:",
        ),
        (
            &[DEVELOPMENT, no_folder],
            "cannot open the database in DATABASE_URL",
        ),
        (
            &[NODE, ADDRESS, "--github-client-id=an-id"],
            "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together",
        ),
        (
            &[NODE, ADDRESS, example[0], example[1]],
            "GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET still has the example's …; replace it",
        ),
        (
            &[DEVELOPMENT, "--stripe-price-id=price_1"],
            "STRIPE_SECRET_KEY",
        ),
    ] {
        let said = refusal(arguments);
        assert!(said.contains(sentence), "{arguments:?}: {said}");
        assert!(said.starts_with("The server cannot start: "), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn a_database_that_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("reserves.sqlite");
    fs::write(&file, "this is no database, and is not to be written over").expect("a file");
    let url = format!("--database-url=sqlite:{}", file.display());
    let said = refusal(&["--app-env=development", &url]);
    assert!(said.contains("the database "), "{said}");
    let left = fs::read_to_string(&file).expect("a file");
    assert!(left.starts_with("this is no database"));
}

#[tokio::test]
async fn production_refuses_the_database_of_development() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        drop(ServerProcess::start(&database.url, &[]).await);
        let url = format!("--database-url={}", database.url);
        let arguments: Vec<&str> = [&url, NODE, ADDRESS].into_iter().chain(LEGAL).collect();
        let said = refusal(&arguments);
        assert!(
            said.contains("created in development mode and cannot be used in production mode"),
            "{said}"
        );
        assert!(!said.contains("hunter2"), "{said}");
    }
}

#[test]
fn a_complaint_about_a_setting_repeats_no_password() {
    let said = refusal(&["--chain=bitcoin:http://user:hunter2@127.0.0.1:8332"]);
    assert!(
        said.contains("CHAIN: use development, bitcoind:URL"),
        "{said}"
    );
    assert!(!said.contains("hunter2"), "{said}");
}
