//! Checkpoints (C2SP tlog-checkpoint): how many entries a log has, and the root over them.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::note::NoteError;
use super::tree::{Hash, MAX_LEAVES};

/// The size and root of a log, once signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = STANDARD.encode(self.root);
        writeln!(f, "{}\n{}\n{root}", self.origin, self.size)
    }
}

impl FromStr for Checkpoint {
    type Err = NoteError;

    fn from_str(text: &str) -> Result<Self, NoteError> {
        parse(text).ok_or(NoteError::NoCheckpoint)
    }
}

fn parse(text: &str) -> Option<Checkpoint> {
    let mut lines = text.split('\n');
    let (origin, size, root) = (lines.next()?, number(lines.next()?)?, lines.next()?);
    let root = STANDARD.decode(root).ok()?.try_into().ok()?;
    let possible = !origin.is_empty() && size <= MAX_LEAVES;
    let origin = origin.to_owned();
    possible.then_some(Checkpoint { origin, size, root })
}

/// A decimal number without leading zeros.
pub fn number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    let has_zero = text.len() > 1 && text.starts_with('0');
    let number = text.parse().ok()?;
    (is_plain && !has_zero).then_some(number)
}

/// The name of the log of a site (C2SP tlog-tiles: its address without a scheme).
pub fn log_origin(site: &str) -> String {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    format!("{host}/log")
}

/// Whether a log with this name is of the board with this origin, the current one or an earlier one. On one machine all names and ports are
/// the same host.
pub fn is_log_of(log: &str, origin: &str) -> bool {
    let Some((host, path)) = log.split_once('/') else {
        return false;
    };
    let number = path.strip_prefix("log/").and_then(number);
    let own = origin.strip_prefix("https://");
    let own = own.or_else(|| origin.strip_prefix("http://"));
    let is_own = |own| host == own || (is_loopback(host) && is_loopback(own));
    (path == "log" || number.is_some()) && own.is_some_and(is_own)
}

fn is_loopback(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && is_port(port) => name,
        _ => host,
    };
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_of_the_board_in_its_name() {
        for (log, origin) in [
            ("board.example/log", "https://board.example"),
            ("board.example/log/2", "https://board.example"),
            ("board.example:444/log", "https://board.example:444"),
            ("board.example/log", "http://board.example"),
            ("127.0.0.1:8080/log", "http://localhost:5173"),
            ("[::1]/log", "http://localhost"),
        ] {
            assert!(is_log_of(log, origin), "{log} {origin}");
        }
        for (log, origin) in [
            ("board.example", "https://board.example"),
            ("board.example/blog", "https://board.example"),
            ("board.example/log/x", "https://board.example"),
            ("board.example/log/", "https://board.example"),
            ("evil.example/log", "https://board.example"),
            ("board.example:444/log", "https://board.example"),
            ("board.example/log", "ftp://board.example"),
            ("board.example/log", "reader"),
            ("localhost.evil.example/log", "http://localhost"),
            ("localhost:x/log", "http://localhost"),
        ] {
            assert!(!is_log_of(log, origin), "{log} {origin}");
        }
    }

    #[test]
    fn checkpoints_are_read_as_they_are_written() {
        // The example of the specification.
        let text =
            "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";
        let checkpoint: Checkpoint = text.parse().unwrap();
        assert_eq!(checkpoint.size, 20_852_163);
        assert_eq!(checkpoint.to_string(), text);
        for wrong in [
            text.replace("\n2", "\n02"),
            text.replace("CsUY", "CsU"),
            text.replace("example.com/behind-the-sofa", ""),
        ] {
            let refused = wrong.parse::<Checkpoint>();
            assert_eq!(refused, Err(NoteError::NoCheckpoint), "{wrong}");
        }
    }
}
