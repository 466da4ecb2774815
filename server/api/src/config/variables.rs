//! Environment variables: settings in files, and variables that look like misspelled settings.

use std::collections::BTreeSet;
use std::ffi::OsString;

use clap::Arg;

/// Shorter names resemble too many other variables.
const MIN_LETTERS: usize = 5;

/// The greatest distance between a misspelling and the setting.
const MAX_DISTANCE: usize = 2;

/// The settings, each with its variable.
pub(super) fn variables(command: &clap::Command) -> impl Iterator<Item = (&str, &Arg)> {
    let settings = command.get_arguments();
    settings.filter_map(|argument| Some((argument.get_env()?.to_str()?, argument)))
}

/// Reads secrets from files, as service managers and containers provide them: a setting `NAME` whose value is hidden in `--help`
/// may be in the file that `NAME_FILE` names. Returns them as command line arguments.
pub(super) fn from_files(
    command: &clap::Command,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, String> {
    let mut settings = Vec::new();
    for (name, argument) in variables(command) {
        let file = environment(&format!("{name}_FILE"));
        let file = file.filter(|_| argument.is_hide_env_values_set());
        let Some((file, long)) = file.zip(argument.get_long()) else {
            continue;
        };
        if environment(name).is_some() {
            return Err(format!("both {name} and {name}_FILE are set; remove one"));
        }
        let value = std::fs::read_to_string(&file).map_err(|error| {
            let file = file.to_string_lossy();
            format!("{name}_FILE: {file} cannot be read: {error}")
        })?;
        settings.push(format!("--{long}={}", value.trim_end()).into());
    }
    Ok(settings)
}

/// The variables that look like misspelled settings of `command`, each with the most similar setting.
pub(super) fn find_misspelled(
    command: &clap::Command,
    variables: impl Iterator<Item = String>,
) -> Vec<(String, String)> {
    let known = known_variables(command);
    variables
        .filter(|name| !known.contains(name))
        .filter_map(|name| closest(&known, &name).map(|similar| (name, similar)))
        .collect()
}

/// All variables that are read: the settings, and `…_FILE` for secrets.
fn known_variables(command: &clap::Command) -> BTreeSet<String> {
    let names = variables(command).flat_map(|(name, argument)| {
        let file = argument.is_hide_env_values_set();
        let file = file.then(|| format!("{name}_FILE"));
        [Some(name.to_owned()), file]
    });
    names.flatten().collect()
}

fn closest(known: &BTreeSet<String>, name: &str) -> Option<String> {
    let alike = known.iter().filter(|it| it.len() >= MIN_LETTERS);
    alike
        .map(|it| (strsim::osa_distance(it, &name.to_uppercase()), it))
        .filter(|(distance, _)| *distance <= MAX_DISTANCE)
        .min()
        .map(|(_, it)| it.clone())
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::config::Config;

    fn find(name: &str) -> Option<String> {
        let found = find_misspelled(&Config::command(), std::iter::once(name.to_owned())).pop();
        found.map(|(_, meant)| meant)
    }

    #[test]
    fn a_misspelt_setting_is_found_with_the_one_that_was_meant() {
        for (name, meant) in [
            ("DATABSE_URL", "DATABASE_URL"),
            ("PUBLIC_ULR", "PUBLIC_URL"),
            ("LEGAL_CONTRY", "LEGAL_COUNTRY"),
            ("listen", "LISTEN"),
            ("DATABASE_URL_FIEL", "DATABASE_URL_FILE"),
        ] {
            assert_eq!(find(name).as_deref(), Some(meant), "{name}");
        }
    }

    #[test]
    fn settings_and_variables_of_other_programs_are_left_alone() {
        for name in [
            "DATABASE_URL",
            "DATABASE_URL_FILE",
            "LOG",
            "LISTEN_FDS",
            "LISTEN_PID",
            "LOGNAME",
            "HOME",
            "PATH",
            "GITHUB_TOKEN",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "PGPASSWORD",
            "NO_COLOR",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
    }
}
