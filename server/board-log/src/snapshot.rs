//! Snapshots: the whole board as of a block, as newline-delimited JSON that everyone can download. A `board` entry of the log has the root over
//! its rows (RFC 6962), so a snapshot cannot change afterwards. README.md has the format with a worked example.

use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use super::entry::Entry;
use super::json::{canonical, object};
use super::tiers::start_of;
use super::tree::{Hash, Tree, leaf};

/// The value of `format` in the header.
pub const FORMAT: &str = "proof-of-reserves/snapshot/1";

/// All bitcoin there can be, in sats.
const MAX_SATS: i64 = 2_100_000_000_000_000;

/// The secret of one entry that its rows' salts derive from. The next entry replaces it.
pub type SaltKey = [u8; 32];

/// The first line of a snapshot.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct Header {
    pub format: String,
    /// Origin of the log: `host[:port]/log`, or that of a later log.
    pub site: String,
    /// Index of the `board` entry that commits to this snapshot.
    pub entry: u64,
    pub height: u64,
    pub block: String,
    /// RFC 3339.
    pub time: String,
    pub rows: u64,
}

object!(Header {
    format,
    site,
    entry,
    height,
    block,
    time,
    rows
});

impl Header {
    /// The header of the snapshot that an entry commits to; `None` when the entry is not about the board.
    pub fn for_entry(site: &str, index: u64, entry: &Entry) -> Option<Self> {
        let Entry::Board {
            height,
            block,
            time,
            rows,
            ..
        } = entry
        else {
            return None;
        };
        Some(Self {
            format: FORMAT.to_owned(),
            site: site.to_owned(),
            entry: index,
            height: *height,
            block: block.clone(),
            time: time.clone(),
            rows: *rows,
        })
    }
}

/// A row exactly as the board shows it; it contains nothing private.
#[derive(Clone, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub id: String,
    pub provider: String,
    pub name: String,
    /// False for a default name, because the provider gave none.
    pub named: bool,
    /// `exact` or `range`.
    pub shown_as: String,
    /// The exact total; null when nothing is proven, and for a range.
    pub sats: Option<i64>,
    /// The holder tier of a range; null otherwise.
    pub tier: Option<String>,
    /// The part of the total backed by published proofs.
    pub published_sats: Option<i64>,
    /// RFC 3339.
    pub last_verified: Option<String>,
    /// Hex; absent before an entry commits to the row.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<String>,
}

object!(Row { id, provider, name, named, shown_as, sats, tier, published_sats, last_verified; salt });

impl Row {
    /// The row as one line of JSON.
    pub fn line(&self) -> String {
        // Serialization of these types cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The amount that the board sorts the row by: the total, or the start of the tier.
    pub fn shown_sats(&self) -> Option<i64> {
        match &self.tier {
            Some(tier) => start_of(tier),
            None => self.sats,
        }
    }

    /// Whether its members fit each other, and are possible.
    pub(crate) fn is_possible(&self) -> bool {
        let possible = |sats: Option<i64>| sats.is_none_or(|sats| (0..=MAX_SATS).contains(&sats));
        let as_shown = match self.shown_as.as_str() {
            "exact" => self.tier.is_none(),
            "range" => {
                self.sats.is_none() && self.published_sats.is_none() && self.last_verified.is_none()
            }
            _ => false,
        };
        let tier = self.tier.as_deref();
        as_shown
            && tier.is_none_or(|tier| start_of(tier).is_some())
            && possible(self.sats)
            && possible(self.published_sats)
            && self.salt.as_deref().and_then(hash).is_some()
    }
}

/// 32 bytes in lower-case hex.
fn hash(text: &str) -> Option<Hash> {
    let mut hash = Hash::default();
    hex::decode_to_slice(text, &mut hash).ok()?;
    (hex::encode(hash) == text).then_some(hash)
}

/// Adds the salt to a row, which gives the line that an entry commits to. `line` is the row without a salt.
pub fn salted(line: &str, id: &str, key: &SaltKey) -> String {
    // HMAC accepts keys of any length.
    let mac = Hmac::<Sha256>::new_from_slice(key).map(|mac| mac.chain_update(id.as_bytes()));
    let salt = mac.map_or_else(|_| Vec::new(), |mac| mac.finalize().into_bytes().to_vec());
    let open = line.strip_suffix('}').unwrap_or(line);
    format!("{open},\"salt\":\"{}\"}}", hex::encode(salt))
}

/// The line that replaces a row withdrawn after its entry.
pub fn withdrawn_line(leaf: &str) -> String {
    format!("{{\"withdrawn\":\"{leaf}\"}}")
}

struct Withdrawn {
    withdrawn: String,
}

object!(Withdrawn { withdrawn });

/// A snapshot, parsed strictly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    pub header: Header,
    /// Rows that are not withdrawn, in the order of their ids.
    pub rows: Vec<Row>,
    pub withdrawn: usize,
    root: Hash,
}

/// Why a file is not the snapshot of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SnapshotError {
    #[error("the snapshot is not UTF-8")]
    NotText,
    #[error("line {0} of the snapshot does not have the right format")]
    Line(usize),
    #[error("the ids in the snapshot are not in ascending order at line {0}")]
    Order(usize),
    #[error("the snapshot's number of rows differs from its header")]
    Count,
    #[error("the header of the snapshot differs from its entry in the log")]
    OtherEntry,
    #[error("the log does not commit to the rows of the snapshot")]
    OtherRoot,
}

impl Snapshot {
    /// Parses the bytes as served. Computes the root over the raw lines before it parses them.
    ///
    /// # Errors
    /// For any byte that the format does not allow.
    pub fn read(bytes: &[u8]) -> Result<Self, SnapshotError> {
        let text = std::str::from_utf8(bytes).map_err(|_| SnapshotError::NotText)?;
        let mut lines = text.split_inclusive('\n').zip(1..).map(|(line, number)| {
            line.strip_suffix('\n')
                .map(|line| (line, number))
                .ok_or(SnapshotError::Line(number))
        });
        let (first, _) = lines.next().ok_or(SnapshotError::Line(1))??;
        let header: Header = canonical(first).ok_or(SnapshotError::Line(1))?;
        if header.format != FORMAT {
            return Err(SnapshotError::Line(1));
        }
        let (mut tree, mut rows, mut withdrawn) = (Tree::default(), Vec::<Row>::new(), 0);
        for line in lines {
            let (line, number) = line?;
            if let Some(gone) = canonical::<Withdrawn>(line) {
                let leaf = hash(&gone.withdrawn).ok_or(SnapshotError::Line(number))?;
                tree.push(leaf);
                withdrawn += 1;
                continue;
            }
            tree.push(leaf(line.as_bytes()));
            let row = canonical::<Row>(line).filter(Row::is_possible);
            let row = row.ok_or(SnapshotError::Line(number))?;
            if rows.last().is_some_and(|last| last.id >= row.id) {
                return Err(SnapshotError::Order(number));
            }
            rows.push(row);
        }
        if tree.leaves() != header.rows {
            return Err(SnapshotError::Count);
        }
        Ok(Self {
            header,
            rows,
            withdrawn,
            root: tree.root(),
        })
    }

    /// Checks that an entry of the log commits to this snapshot.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self, site: &str, index: u64, entry: &Entry) -> Result<(), SnapshotError> {
        if Header::for_entry(site, index, entry).as_ref() != Some(&self.header) {
            return Err(SnapshotError::OtherEntry);
        }
        match entry {
            Entry::Board { root, .. } if *root == hex::encode(self.root) => Ok(()),
            _ => Err(SnapshotError::OtherRoot),
        }
    }

    /// The row of this id.
    pub fn row(&self, id: &str) -> Option<&Row> {
        let place = self.rows.binary_search_by(|row| row.id.as_str().cmp(id));
        self.rows.get(place.ok()?)
    }
}
