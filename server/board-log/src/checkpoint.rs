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
            let refused = wrong.parse::<Checkpoint>();
            assert_eq!(refused, Err(NoteError::NoCheckpoint), "{wrong}");
        }
    }
}
