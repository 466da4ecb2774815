//! `.env.example` has every variable with its default.

use std::collections::BTreeMap;

use clap::CommandFactory;
use server::config::Config;

#[test]
fn the_example_names_every_variable_with_its_default() {
    let example = include_str!("../../../../.env.example");
    // Several lines for one variable are examples; a line that counts is its default.
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
    let command = Config::command();
    let mut known = BTreeMap::new();
    for argument in command.get_arguments() {
        let Some(name) = argument.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        let defaults = argument.get_default_values();
        let default = (!defaults.is_empty()).then(|| {
            let values: Vec<_> = defaults
                .iter()
                .map(|value| value.to_string_lossy())
                .collect();
            values.join(",")
        });
        known.insert(name, default);
    }
    assert!(known.len() > 10);
    for (name, default) in &known {
        let told = named.get(name);
        assert!(told.is_some(), ".env.example does not name {name}");
        let told = told.copied().flatten();
        assert_eq!(told, default.as_deref(), "the default of {name}");
    }
    for name in named.keys() {
        assert!(
            known.contains_key(name),
            ".env.example names {name}, which is no setting"
        );
    }
}
