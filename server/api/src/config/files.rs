//! Secrets in files.

use std::ffi::OsString;

/// Reads secrets from files, as service managers and containers provide them: a setting `NAME` whose value is hidden in `--help`
/// may be in the file that `NAME_FILE` names. Returns them as command line arguments.
pub(super) fn from_files(
    command: &clap::Command,
    environment: impl Fn(&str) -> Option<OsString>,
) -> Result<Vec<OsString>, String> {
    let mut settings = Vec::new();
    for argument in command.get_arguments() {
        let name = argument.get_env().and_then(|name| name.to_str());
        let Some((name, long)) = name.zip(argument.get_long()) else {
            continue;
        };
        let file = environment(&format!("{name}_FILE"));
        let Some(file) = file.filter(|_| argument.is_hide_env_values_set()) else {
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
