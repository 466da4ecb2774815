//! A server with unsafe settings does not start, and its error says what to do.

use super::*;

const NODE: &str = "--chain=bitcoind:http://user:hunter2@127.0.0.1:1";
const ADDRESS: &str = "--public-url=https://reserves.example";

/// Addresses and legal details are the subject of `src/config/tests.rs`, sources of the chain that of `chain/src/sources/tests.rs`.
#[test]
fn dangerous_settings_are_refused() {
    let development = format!("--app-env=development {NODE}");
    let settings = format!(
        "{NODE} {ADDRESS} --trusted-proxies=0.0.0.0/1,128.0.0.0/1 | TRUSTED_PROXIES covers every address
         {ADDRESS} --chain=bitcoind:http://user:hunter2@node.example:8332 | the address of a node with a password must begin with https://
         {NODE} {ADDRESS} --github-client-id=an-id | GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together
         {development} --database-url=mysql://here | DATABASE_URL must begin with sqlite: or postgres:
         {development} --database-url=sqlite:/dev/null/here/reserves.sqlite | cannot open the database in DATABASE_URL
         {development} --stripe-price-id=price_1 | STRIPE_SECRET_KEY"
    );
    for [settings, sentence] in table(&settings) {
        let arguments: Vec<&str> = settings.split(' ').collect();
        let said = refusal(&arguments);
        has(&said, &[sentence]);
        assert!(said.starts_with("The server cannot start: "), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
    let said = refusal(&["--github-client-id=…", "--github-client-secret=hunter2…"]);
    let unfinished = "GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET still has the example's …; replace it";
    has(&said, &[unfinished]);
    assert!(!said.contains("hunter2"), "{said}");
}

#[test]
fn a_database_that_cannot_be_written_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("reserves.sqlite");
    fs::write(&file, "this is no database, and is not to be written over").unwrap();
    let said = refused_to_serve(&format!("sqlite:{}", file.display()));
    has(&said, &["the database "]);
    let left = fs::read_to_string(&file).unwrap();
    assert!(left.starts_with("this is no database"));
}

#[tokio::test]
async fn production_refuses_the_database_of_development() {
    for database in [TestDatabase::sqlite().await, TestDatabase::postgres().await] {
        drop(ServerProcess::start(&database.url, &[]).await);
        let url = format!("--database-url={}", database.url);
        let arguments: Vec<&str> = [&url, NODE, ADDRESS].into_iter().chain(LEGAL).collect();
        let said = refusal(&arguments);
        let why = "created in development mode and cannot be used in production mode";
        has(&said, &[why]);
        assert!(!said.contains("hunter2"), "{said}");
    }
}

/// Service managers show the last line.
#[test]
fn the_last_line_says_which_setting_is_wrong_and_why() {
    for (setting, reason) in [
        ("LISTEN=nowhere", "'nowhere' for '--listen"),
        ("APP_ENV=prod", "[possible values: production, development]"),
        ("MIN_CONFIRMATIONS=0", "0 is not in 1.."),
        (
            "TRUSTED_PROXIES=proxy.example",
            "neither an address nor a network",
        ),
        ("WITNESSES=nonsense", "the witness's verifier key"),
    ] {
        let (name, value) = setting.split_once('=').unwrap();
        let said = ended(program().env(name, value)).failed();
        let last = said.trim_end().lines().last().unwrap();
        assert!(last.contains(reason), "{setting}: {said}");
    }
}

#[test]
fn messages_name_the_program_as_it_was_started() {
    let folder = tempfile::tempdir().unwrap();
    let installed = folder.path().join("proof-of-reserves");
    std::os::unix::fs::symlink(program().get_program(), &installed).unwrap();
    let said = ended(Command::new(&installed).arg("--version")).done();
    assert!(said.starts_with("proof-of-reserves "), "{said}");
    let said = ended(Command::new(&installed).arg("--help")).done();
    has(&said, &["Usage: proof-of-reserves "]);
}
