use super::*;

fn config(arguments: &[&str]) -> Config {
    Config::parse_from(std::iter::once("server").chain(arguments.iter().copied()))
}

/// What the settings are refused with; nothing when they are fine.
fn refused(arguments: &[&str]) -> String {
    let refused = config(arguments).validate().err();
    refused.map_or_else(String::new, |error| error.to_string())
}

#[test]
fn dangerous_addresses_are_refused_with_what_to_do() {
    let origin = "PUBLIC_URL must be only an origin";
    let machine = "PUBLIC_URL must be an address of this machine";
    let long = "PUBLIC_URL is too long";
    for (public_url, says) in [
        ("https://reserves.example/path", origin),
        // The address is fine, and the legal pages are missing.
        ("https://reserves.example", "set LEGAL_COMPANY, "),
        // As browsers and signers write them: xn--bcher-kva.example. The port counts, unless it is 443.
        ("https://twenty-six-letters.example:443", "LEGAL"),
        ("https://twenty-seven-letter.example", long),
        ("https://twenty-two-let.example:8443", long),
        ("https://b\u{fc}cher.example", "LEGAL"),
        ("https://b\u{fc}chereien-und-buchhandel.example", long),
    ] {
        let refused = refused(&[&format!("--public-url={public_url}")]);
        assert!(refused.contains(says), "{public_url}: {refused}");
    }
    assert!(refused(&[]).contains("PUBLIC_URL is not set"));
    for (argument, says) in [
        ("--listen=127.0.0.1:8080", ""),
        ("--listen=0.0.0.0:8080", "set LISTEN to 127.0.0.1"),
        ("--public-url=https://reserves.example", machine),
        ("--public-url=https://192.0.2.1", machine),
        ("--public-url=https://localhost:8443", ""),
        ("--public-url=http://127.0.0.1:8080", ""),
        ("--public-url=http://[::1]:8080", ""),
    ] {
        let refused = refused(&["--app-env=development", argument]);
        assert!(refused.contains(says), "{argument}: {refused}");
        assert_eq!(refused.is_empty(), says.is_empty(), "{argument}: {refused}");
    }
}

#[test]
fn an_error_message_repeats_no_secret() {
    let mut command = Config::command();
    command.build();
    let hidden = command.get_arguments();
    let hidden = hidden.filter(|argument| argument.is_hide_env_values_set());
    let names: Vec<&str> = hidden.filter_map(|argument| argument.get_long()).collect();
    assert!(names.contains(&"chain") && names.contains(&"database-url"));
    for name in names {
        for nonsense in ["hunter2", "://hunter2@[", "a,hunter2", "hunter2\n"] {
            let argument = format!("--{name}={nonsense}");
            if let Err(error) = Config::try_parse_from(["server", argument.as_str()]) {
                let complaint = error.to_string();
                assert!(!complaint.contains("hunter2"), "{complaint}");
            }
        }
    }
    // Settings that nobody should put a password into.
    for name in "public-url price-url stripe-api-url github-url redirect-urls listen".split(' ') {
        for host in ["[", "reserves.example"] {
            let argument = format!("--{name}=https://user:hunter2@{host}");
            let error = Config::try_parse_from(["server", argument.as_str()]);
            let complaint = without_password(error.expect_err("a password")).to_string();
            assert!(!complaint.contains("hunter2"), "{complaint}");
            assert!(complaint.contains(name), "{complaint}");
        }
    }
}

#[test]
fn a_secret_may_be_in_a_file() {
    let from_files = |environment: &dyn Fn(&str) -> Option<OsString>| {
        variables::from_files(&Config::command(), environment)
    };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("database");
    std::fs::write(&file, "postgres://user:hunter2@host/reserves\n").expect("a file");
    let path = |name: &str| (name == "DATABASE_URL_FILE").then(|| file.clone().into());
    let settings = from_files(&path).expect("settings");
    let arguments = std::iter::once(OsString::from("server")).chain(settings);
    let config = Config::parse_from(arguments);
    let expected = "postgres://user:hunter2@host/reserves";
    assert_eq!(config.database_url.expose(), expected);

    let both = from_files(&|name| name.starts_with("DATABASE_URL").then(|| "x".into()));
    let said = both.expect_err("two answers");
    let expected = "both DATABASE_URL and DATABASE_URL_FILE";
    assert!(said.contains(expected), "{said}");
    let nowhere = from_files(&|name| (name == "CHAIN_FILE").then(|| "/nowhere".into()));
    let said = nowhere.expect_err("no file");
    let expected = "CHAIN_FILE: /nowhere cannot be read";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn no_secret_is_ever_printed() {
    let config = config(&[
        "--database-url=postgres://user:hunter2@host/reserves",
        "--chain=bitcoind:http://user:hunter2@127.0.0.1:8332",
        "--twitter-client-id=id",
        "--twitter-client-secret=hunter2",
        "--stripe-secret-key=sk_live_hunter2",
        "--stripe-webhook-secret=whsec_hunter2",
        "--stripe-price-id=price_1",
        "move",
        "--to=postgres://user:hunter2@other/reserves",
    ]);
    let shown = format!("{config:?} {config:#?}");
    assert!(shown.contains("Production"), "{shown}");
    assert!(!shown.contains("hunter2"), "{shown}");
}
