//! Secrets in files.

use std::ffi::OsString;

use clap::Arg;

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
