//! What this process takes of its machine, as Linux tells it; elsewhere nothing is told.
//!
//! The crates that know this of every system bring some twenty others along; these are three files.

use std::fs;

use crate::telemetry::names::{MAX_FILES, MEMORY, OPEN_FILES};

/// Metrics and their values now.
pub fn now() -> impl Iterator<Item = (&'static str, u64)> {
    let read = |name| fs::read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
    let files = fs::read_dir("/proc/self/fd").map(Iterator::count).ok();
    // One of them was open only to count them.
    let files = files.and_then(|files| u64::try_from(files.saturating_sub(1)).ok());
    let values = [
        (
            MEMORY,
            number_after(&read("status"), "VmRSS:").map(|kibibytes| kibibytes * 1024),
        ),
        (OPEN_FILES, files),
        (MAX_FILES, number_after(&read("limits"), "Max open files")),
    ];
    values
        .into_iter()
        .filter_map(|(name, value)| Some((name, value?)))
}

/// The first number of the line that begins so.
fn number_after(text: &str, beginning: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(beginning))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_linux_writes_them() {
        let status = "VmPeak:\t  20 kB\nVmRSS:\t    2048 kB\n";
        assert_eq!(number_after(status, "VmRSS:"), Some(2048));
        let limits =
            "Max open files            1024                 1048576              files     \n";
        assert_eq!(number_after(limits, "Max open files"), Some(1024));
        let unlimited =
            "Max open files            unlimited            unlimited            files     \n";
        assert_eq!(number_after(unlimited, "Max open files"), None);
        assert_eq!(number_after("", "VmRSS:"), None);
    }
}
