//! `.env.example` lists every variable with its default.

use api::config::Config;
use clap::CommandFactory;

use super::*;

#[test]
fn the_example_names_every_variable_with_its_default() {
    let example = include_str!("../../../../../.env.example");
    // Several lines for one variable are examples; a single line is its default.
    let mut named: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    for line in example.lines() {
        let (commented, line) = match line.strip_prefix('#') {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let Some((name, value)) = line.split_once('=') else {
            continue;
        };
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        if name.is_empty() || !name.chars().all(is_name) {
            continue;
        }
        let default = named.entry(name).or_default();
        if !commented {
            *default = Some(value);
        }
    }
    let mut known = BTreeMap::new();
    for argument in Config::command().get_arguments() {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        let values = argument.get_default_values().iter();
        let values: Vec<_> = values.map(|value| value.to_string_lossy()).collect();
        let default = (!values.is_empty()).then(|| values.join(","));
        // The placeholders of the legal pages, which production refuses.
        let default = default.filter(|default| !default.starts_with('['));
        known.insert(name.to_owned(), default);
    }
    assert!(known.len() > 10);
    let named = named.into_iter();
    let named = named.map(|(name, default)| (name.to_owned(), default.map(str::to_owned)));
    assert_eq!(named.collect::<BTreeMap<_, _>>(), known);
}

/// Without it, a system call that a later version makes would kill the server.
#[test]
fn a_system_call_that_the_unit_refuses_fails_and_ends_nothing() {
    let unit = include_str!("../../../../../.deploy/proof-of-reserves.service");
    assert_eq!(behind(unit, "\nSystemCallErrorNumber="), "EPERM");
}

/// Production recognizes by the ellipsis that a value has not been filled in.
#[test]
fn what_is_to_be_filled_in_has_the_ellipsis_that_production_refuses() {
    let example = include_str!("../../../../../.env.example");
    assert!(example.contains("=sk_live_…\n"));
    assert!(!example.contains("..."));
}

/// The value after the only occurrence of `name`.
fn behind<'t>(text: &'t str, name: &str) -> &'t str {
    let (_, value) = text.split_once(name).expect(name);
    assert!(!value.contains(name), "{name} stands there twice");
    let end = value.find(['\n', '"']).unwrap_or(value.len());
    &value[..end]
}

/// A file outside the backup detects an old database; the server must be able to write it.
#[test]
fn the_newest_checkpoint_has_a_folder_of_its_own_that_the_service_may_write() {
    let example = include_str!("../../../../../.env.example");
    let operations = include_str!("../../../../../.github/OPERATIONS.md");
    let unit = include_str!("../../../../../.deploy/proof-of-reserves.service");
    let file = behind(example, "PUBLISHED_CHECKPOINT=");
    assert_eq!(behind(operations, "\nPUBLISHED_CHECKPOINT="), file);
    let folder = file.strip_prefix("/var/lib/").expect("a state directory");
    let (folder, _) = folder.split_once('/').unwrap();
    let writable = behind(unit, "\nStateDirectory=");
    assert_eq!(behind(operations, "StateDirectory="), writable);
    let folders: Vec<&str> = writable.split(' ').collect();
    let (of_database, others) = folders.split_first().expect("folders");
    assert_eq!(others, [folder]);
    let there = format!("\nWorkingDirectory=%S/{of_database}\n");
    assert!(unit.contains(&there), "{there}");
}

/// The same for containers, which keep only what is in a volume.
#[test]
fn the_newest_checkpoint_has_a_volume_of_its_own_in_a_container() {
    let container = include_str!("../../../../../.deploy/Containerfile");
    let operations = include_str!("../../../../../.github/OPERATIONS.md");
    let word = |text: &'static str| text.split_once(' ').map_or(text, |(word, _)| word);
    let database = word(behind(container, "DATABASE_URL=sqlite:"));
    let checkpoint = word(behind(container, "PUBLISHED_CHECKPOINT="));
    let folder = |file: &'static str| file.rsplit_once('/').unwrap().0;
    let volumes = behind(container, "\nVOLUME ");
    let folders = format!("{} {}", folder(database), folder(checkpoint));
    assert_eq!(volumes, folders);
    // The server's user may write only these.
    let made = format!("install --directory --owner=reserves --mode=0700 {volumes}\n");
    assert!(container.contains(&made), "{made}");
    for volume in volumes.split(' ') {
        let named = format!(":{volume} ");
        assert!(operations.contains(&named), "{named}");
    }
}

/// An operator learns at the start of a log that would not notice an old database, and of an address that leaves little of a
/// name: a device shows at most 75 bytes of a line.
#[test]
fn what_an_operator_should_know_is_said_at_the_start() {
    let chain = "--chain=bitcoind:http://user:password@127.0.0.1:1";
    let file = "--published-checkpoint=/var/lib/of-its-own/checkpoint";
    // The database cannot be opened, so the server exits.
    let nowhere = "--database-url=sqlite:/dev/null/here/reserves.sqlite";
    let (old, long) = ("PUBLISHED_CHECKPOINT is not set", "PUBLIC_URL is long");
    let production = [&LEGAL[..], &[chain]].concat();
    let short = [&production[..], &["--public-url=https://reserves.example"]].concat();
    let [near, far] = ["twenty-two-let", "twenty-three-le"]
        .map(|letters| format!("--public-url=https://{letters}.example"));
    for (arguments, more, of, warned) in [
        (&short[..], None, old, true),
        (&short, Some(file), old, false),
        // The log of a development server is worth nothing.
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
