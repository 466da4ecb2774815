//! Checkpoints (C2SP tlog-checkpoint): how many entries a log has, and the root over them.

use std::fmt;
use std::str::FromStr;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::tree::{Hash, MAX_LEAVES};

/// The size and root of a log, once signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The log's name.
    pub origin: String,
    pub size: u64,
    pub root: Hash,
}

/// The text is not a checkpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a checkpoint of a log")]
pub struct NoCheckpoint;

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let root = STANDARD.encode(self.root);
        writeln!(f, "{}\n{}\n{root}", self.origin, self.size)
    }
}

impl FromStr for Checkpoint {
    type Err = NoCheckpoint;

    fn from_str(text: &str) -> Result<Self, NoCheckpoint> {
        let mut lines = text.split('\n');
        let (Some(origin), Some(size), Some(root)) = (lines.next(), lines.next(), lines.next())
        else {
            return Err(NoCheckpoint);
        };
        let root = STANDARD.decode(root).map_err(|_| NoCheckpoint)?;
        let checkpoint = Self {
            origin: origin.to_owned(),
            size: number(size).ok_or(NoCheckpoint)?,
            root: root.try_into().map_err(|_| NoCheckpoint)?,
        };
        let possible = !checkpoint.origin.is_empty() && checkpoint.size <= MAX_LEAVES;
        possible.then_some(checkpoint).ok_or(NoCheckpoint)
    }
}

/// A decimal number without leading zeros.
pub fn number(text: &str) -> Option<u64> {
    let number = text.parse::<u64>().ok()?;
    (number.to_string() == text).then_some(number)
}

/// The name of the log of a site (C2SP tlog-tiles: its address without a scheme).
pub fn log_origin(site: &str) -> String {
    let host = site.split_once("://").map_or(site, |(_, host)| host);
    format!("{host}/log")
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(wrong.parse::<Checkpoint>(), Err(NoCheckpoint), "{wrong}");
        }
    }
}
