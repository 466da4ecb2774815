//! `.env.example` lists every variable with its default. Also tests settings that the pages promise.

use api::config::Config;
use clap::CommandFactory;

use super::*;

const EXAMPLE: &str = include_str!("../../../../../.env.example");
const REFERENCE: &str = include_str!("../../../../../.github/REFERENCE.md");
const OPERATIONS: &str = include_str!("../../../../../.github/OPERATIONS.md");
const ENVIRONMENT: &str = include_str!("../../../../../.deploy/environment");
const UNIT: &str = include_str!("../../../../../.deploy/proof-of-reserves.service");

#[test]
fn the_example_names_every_variable_with_its_default() {
    // Several lines for one variable are examples; a single line is its default.
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for line in EXAMPLE.lines() {
        let (value, line) = match line.strip_prefix('#') {
            Some(rest) => (false, rest),
            None => (true, line),
        };
        let Some((name, default)) = line.split_once('=') else {
            continue;
        };
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if !name.is_empty() && name.chars().all(is_name) {
            let named = named.entry(name).or_default();
            *named = value.then_some(default).or(*named);
        }
    }
    let command = Config::command();
    let mut known = BTreeMap::new();
    for argument in command.get_arguments() {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        let values = argument.get_default_values().iter();
        let values: Vec<_> = values.map(|value| value.to_str().unwrap()).collect();
        // Without the placeholders of the legal pages, which production refuses.
        let default = Some(values.join(","));
        let default = default.filter(|it| !values.is_empty() && !it.starts_with('['));
        known.insert(name, default);
    }
    assert!(known.len() > 10);
    let named = named.into_iter();
    let named = named.map(|(name, default)| (name, default.map(str::to_owned)));
    assert_eq!(named.collect::<BTreeMap<_, _>>(), known);
}

#[test]
fn operators_read_where_to_register_at_each_provider() {
    for (provider, _) in api::providers::oauth() {
        let callback = format!("/api/auth/v1/callback/{}`", provider.name);
        assert!(REFERENCE.contains(&callback), "{callback}");
    }
}

/// Without it, a system call that a later version makes would kill the server.
#[test]
fn a_system_call_that_the_unit_refuses_fails_and_ends_nothing() {
    assert_eq!(behind(UNIT, "\nSystemCallErrorNumber="), "EPERM");
}

/// Production refuses a value with an ellipsis, which has not been filled in.
#[test]
fn what_is_to_be_filled_in_has_the_ellipsis_that_production_refuses() {
    assert!(EXAMPLE.contains("=sk_live_…\n"));
    assert!(!EXAMPLE.contains("..."));
}

/// The value after the only occurrence of `name`.
fn behind<'t>(text: &'t str, name: &str) -> &'t str {
    let (_, value) = text.split_once(name).expect(name);
    assert!(!value.contains(name), "{name} stands there twice");
    let end = value.find(['\n', '"']).unwrap_or(value.len());
    &value[..end]
}

/// A folder outside the backup detects an old database; the server must be able to write it.
#[test]
fn the_log_has_a_folder_and_a_volume_of_its_own_that_the_service_may_write() {
    let file = behind(EXAMPLE, "PUBLISHED_LOG=");
    assert_eq!(behind(ENVIRONMENT, "\nPUBLISHED_LOG="), file);
    let folder = file.strip_prefix("/var/lib/").expect("a state directory");
    let writable = behind(UNIT, "\nStateDirectory=");
    let commands = include_str!("../../../../../.deploy/reserves");
    assert_eq!(behind(commands, "StateDirectory="), writable);
    let folders: Vec<&str> = writable.split(' ').collect();
    let (of_database, others) = folders.split_first().expect("folders");
    assert_eq!(others, [folder]);
    let there = format!("\nWorkingDirectory=%S/{of_database}\n");
    assert!(UNIT.contains(&there), "{there}");

    // The same for containers, which keep only what is in a volume.
    let container = include_str!("../../../../../.deploy/Containerfile");
    let word = |text: &'static str| text.split_once(' ').map_or(text, |(word, _)| word);
    let database = word(behind(container, "DATABASE_URL=sqlite:"));
    let log = word(behind(container, "PUBLISHED_LOG="));
    let (database, _) = database.rsplit_once('/').unwrap();
    let volumes = behind(container, "\nVOLUME ");
    let folders = format!("{database} {log}");
    assert_eq!(volumes, folders);
    // The server's user may write only these.
    let made = format!("install --directory --owner=reserves --mode=0700 {volumes}\n");
    assert!(container.contains(&made), "{made}");
    for volume in volumes.split(' ') {
        let named = format!(":{volume} ");
        assert!(OPERATIONS.contains(&named), "{named}");
    }
}

/// An operator learns at the start of a log that would not notice an old database, and of an address that leaves little of a
/// name: a device shows at most 75 bytes of a line.
#[test]
fn warnings_are_logged_at_the_start() {
    let chain = "--chain=bitcoind:http://user:password@127.0.0.1:1";
    let file = "--published-log=/var/lib/of-its-own";
    // The database cannot be opened, so the server exits.
    let nowhere = "--database-url=sqlite:/dev/null/here/reserves.sqlite";
    let (old, long) = ("PUBLISHED_LOG is not set", "PUBLIC_URL is long");
    let production = [&LEGAL[..], &[chain]].concat();
    let short = [&production[..], &["--public-url=https://reserves.example"]].concat();
    let letters = ["twenty-two-let", "twenty-three-le"];
    let [near, far] = letters.map(|it| format!("--public-url=https://{it}.example"));
    for (arguments, more, of, warned) in [
        (&short[..], None, old, true),
        (&short, Some(file), old, false),
        // A development server needs no such warning.
        (&["--app-env=development"], None, old, false),
        (&production, Some(&near[..]), long, false),
        (&production, Some(&far), long, true),
    ] {
        let more: Vec<&str> = more.into_iter().chain([nowhere]).collect();
        let ended = run_program(&[arguments, &more].concat());
        assert!(ended.err.contains("cannot open the database"), "{ended:?}");
        assert_eq!(ended.out.contains(of), warned, "{arguments:?}: {ended:?}");
    }
}

/// The part of a page below this heading.
fn below<'p>(page: &'p str, heading: &str) -> &'p str {
    let (_, rest) = page.split_once(heading).expect("the heading");
    rest.split("\n## ").next().unwrap_or_default()
}

#[test]
fn times_to_mend_are_promised_and_advisories_are_asked_for() {
    let page = include_str!("../../../../../.github/SECURITY.md");
    let soon = below(page, "\n## How soon\n");
    let rows = soon.lines().filter(|line| line.starts_with("| "));
    let promised = rows.filter(|row| row.contains(" days")).count();
    assert_eq!(promised, 4, "{soon}");
    let lint = include_str!("../../../../../test");
    let asked = lint.contains("\"$CARGO_DENY\"") && lint.contains("\n  advisories\n");
    assert!(asked, "./test lint asks");
}

/// The privacy policy promises 12 months, and the deployment guide installs what keeps that.
#[test]
fn journald_deletes_logs_after_the_time_in_the_privacy_policy() {
    let journal = include_str!("../../../../../.deploy/journald.conf.d/proof-of-reserves.conf");
    assert!(journal.contains("\nMaxRetentionSec=1year\n"), "{journal}");
    let policy = include_str!("../../../../../web/src/features/legal/privacy-policy.md");
    assert!(policy.contains("is kept for 12 months"));
    let installed = " proof-of-reserves.conf /etc/systemd/journald.conf.d/";
    assert!(OPERATIONS.contains(installed));
}
