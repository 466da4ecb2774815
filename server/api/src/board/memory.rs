//! The board in memory: plain rows in the board's order, and all names in one text.
//!
//! A board is immutable once it is sent. A change creates a copy that shares its rows with the previous board, so readers
//! never wait and never see half of a change.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use uuid::Uuid;

use crate::pictures;
use chain::clock::UnixTime;
use store::changes::{Change, ShownProfile};
use store::profiles::is_named;
use store::shown_as::ShownAs;

mod names;
mod pattern;

use names::Names;
use pattern::Pattern;

/// A row of the board as the public sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: Uuid,
    /// The name of the provider.
    pub provider: Arc<str>,
    /// The name shown.
    pub username: String,
    /// The version of the picture; none without a picture.
    pub picture: Option<[u8; 4]>,
    /// Whether `holdings_sats` is the whole total or where its tier begins (decisions, D17).
    pub shown_as: ShownAs,
    /// The sats shown as proven; none when nothing is.
    pub holdings_sats: Option<i64>,
    /// The sats of published proofs, which anyone can check; none when there are none.
    pub published_sats: Option<i64>,
    /// Competition rank by holdings (decisions, D7); none when nothing is proven.
    pub rank: Option<i64>,
    /// When a proof was last accepted, unix seconds; none for a range.
    pub last_verified: Option<UnixTime>,
    /// When the profile last changed, unix seconds; for a range, when the range was chosen.
    pub updated_at: UnixTime,
}

impl Row {
    /// Whether the provider gave the name.
    pub fn is_named(&self) -> bool {
        is_named(&self.id.to_string(), &self.username)
    }

    /// The row of a profile, before its rank is known.
    fn new(profile: &ShownProfile) -> Result<Self, ChangeError> {
        Ok(Self {
            id: parse(&profile.id).ok_or_else(|| ChangeError::Id(profile.id.clone()))?,
            provider: profile.provider.as_str().into(),
            username: profile.username.clone(),
            picture: pictures::version(profile.avatar_url.as_deref()),
            shown_as: profile.shown_as,
            holdings_sats: profile.shown_sats.filter(|sats| *sats > 0),
            published_sats: profile.published_sats.filter(|sats| *sats > 0),
            rank: None,
            last_verified: profile.shown_verified,
            updated_at: profile.shown_updated_at,
        })
    }

    fn sats(&self) -> u64 {
        self.holdings_sats.map_or(0, i64::unsigned_abs)
    }

    fn key(&self) -> Key {
        let verified = self.last_verified.unwrap_or(UnixTime::MAX);
        (Reverse(self.sats()), verified, self.id)
    }
}

/// The board's order: most sats first, then the earliest verified, then by id.
type Key = (Reverse<u64>, UnixTime, Uuid);

/// A filter of the board's rows. The default matches every row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFilter {
    /// Only the profile with this id.
    pub id: Option<String>,
    /// Only profiles of this provider.
    pub provider: Option<String>,
    /// Only names that match this `like` pattern, with `\` as escape; ignores case.
    pub username_like: Option<String>,
    /// Only profiles with (or without) something proven.
    pub verified: Option<bool>,
    /// Only profiles whose shown sats are at least the first number and less than the second.
    pub sats: Option<(u64, u64)>,
}

impl BoardFilter {
    /// The range of shown sats that match.
    fn shown_sats(&self) -> Range<u64> {
        let (least, below) = self.sats.unwrap_or((0, u64::MAX));
        match self.verified {
            None => least..below,
            Some(true) => least.max(1)..below,
            Some(false) => least..below.min(1),
        }
    }
}

/// Some rows in the board's order, and how many match in total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub rows: Vec<Row>,
    pub total: usize,
}

/// Why a change cannot be applied.
#[derive(Debug, thiserror::Error)]
pub enum ChangeError {
    #[error("the id of the profile {0} is not a UUID")]
    Id(String),
    #[error("several profiles have ids that begin with {0}, and one of them is deleted")]
    Ambiguous(String),
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// In the board's order.
    rows: Vec<Arc<Row>>,
    names: Names,
    keys: HashMap<Uuid, Key>,
    /// Sum of the shown sats of all rows.
    sats: u64,
}

impl Memory {
    /// Creates the board of these profiles, which may be in any order.
    ///
    /// # Errors
    /// When the id of one of them is not a UUID.
    pub fn from_profiles(
        profiles: impl IntoIterator<Item = ShownProfile>,
    ) -> Result<Self, ChangeError> {
        let rows = profiles.into_iter().map(|profile| {
            let row = Arc::new(Row::new(&profile)?);
            Ok((row, profile.username_folded))
        });
        let mut rows = rows.collect::<Result<Vec<_>, _>>()?;
        rows.sort_unstable_by_key(|(row, _)| row.key());
        let mut board = Self::default();
        for (row, folded) in rows {
            board.sats += row.sats();
            board.keys.insert(row.id, row.key());
            board.names.push(&folded);
            board.rows.push(row);
        }
        Ok(board)
    }

    /// The board after these changes.
    ///
    /// # Errors
    /// When the id of a profile is not a UUID, or it is ambiguous which one is deleted.
    pub fn with_changes(&self, changes: &[Change]) -> Result<Self, ChangeError> {
        let mut next = self.clone();
        for change in changes {
            next.change(change)?;
        }
        Ok(next)
    }

    fn change(&mut self, change: &Change) -> Result<(), ChangeError> {
        match change {
            Change::Shown(profile) => {
                let row = Row::new(profile)?;
                self.remove(row.id);
                let key = row.key();
                let index = self.rows.partition_point(|other| other.key() < key);
                self.sats += row.sats();
                self.keys.insert(row.id, key);
                self.names.insert(index, &profile.username_folded);
                self.rows.insert(index, Arc::new(row));
            }
            Change::Gone(start) => {
                let ids = self.keys.keys().copied();
                let ids: Vec<Uuid> = ids.filter(|id| id.to_string().starts_with(start)).collect();
                match ids[..] {
                    [] => {}
                    [id] => self.remove(id),
                    _ => return Err(ChangeError::Ambiguous(start.clone())),
                }
            }
        }
        Ok(())
    }

    fn remove(&mut self, id: Uuid) {
        if let Some(index) = self.index(id) {
            self.sats -= self.rows[index].sats();
            self.keys.remove(&id);
            self.names.remove(index);
            self.rows.remove(index);
        }
    }

    /// How many profiles there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Sum of the shown sats of all rows.
    pub fn sats(&self) -> u64 {
        self.sats
    }

    /// The number of rows with at least this many shown sats. They come first.
    pub fn with_at_least(&self, sats: u64) -> usize {
        self.rows.partition_point(|row| row.sats() >= sats)
    }

    /// The row of this id.
    pub fn profile(&self, id: &str) -> Option<Row> {
        let index = self.index(parse(id)?)?;
        self.ranked([index]).pop()
    }

    /// The rows with this name, ignoring case, in the board's order.
    pub fn named(&self, name: &str) -> Vec<Row> {
        let pattern = Pattern::literal(&name.to_lowercase());
        self.ranked(self.names.candidates(&pattern))
    }

    /// At most `limit` rows that match a filter, from `offset` on, and how many match in total.
    pub fn find(&self, filter: &BoardFilter, limit: usize, offset: usize) -> Found {
        let sats = filter.shown_sats();
        let first = self.with_at_least(sats.end);
        let range = first..self.with_at_least(sats.start).max(first);
        let pattern = filter.username_like.as_deref();
        let pattern = pattern.map(|like| Pattern::parse(&like.to_lowercase()));
        let indexes: Box<dyn Iterator<Item = usize>> = match (&filter.id, &pattern) {
            (Some(id), _) => Box::new(parse(id).and_then(|id| self.index(id)).into_iter()),
            (None, Some(pattern)) => Box::new(self.names.candidates(pattern)),
            (None, None) if filter.provider.is_none() => {
                // Reads only the rows that it returns.
                let from = first.saturating_add(offset);
                return Found {
                    rows: self.ranked(from..range.end.min(from.saturating_add(limit))),
                    total: range.len(),
                };
            }
            (None, None) => Box::new(range.clone()),
        };
        let provider = filter.provider.as_deref();
        let indexes = indexes.filter(|index| {
            range.contains(index)
                && provider.is_none_or(|it| *self.rows[*index].provider == *it)
                && pattern
                    .as_ref()
                    .is_none_or(|it| self.names.is_match(*index, it))
        });
        let indexes: Vec<usize> = indexes.collect();
        let shown = indexes.iter().skip(offset).take(limit);
        Found {
            rows: self.ranked(shown.copied()),
            total: indexes.len(),
        }
    }

    /// The rows at these indexes, with their ranks: 1 plus the number of rows with strictly more sats (decisions, D7).
    fn ranked(&self, indexes: impl IntoIterator<Item = usize>) -> Vec<Row> {
        let rows = indexes.into_iter().map(|index| {
            let row = Row::clone(&self.rows[index]);
            let sats = row.sats();
            let better = self.rows[..index].partition_point(|other| other.sats() > sats);
            let rank = i64::try_from(better).map_or(i64::MAX, |better| 1 + better);
            Row {
                rank: row.holdings_sats.map(|_| rank),
                ..row
            }
        });
        rows.collect()
    }

    fn index(&self, id: Uuid) -> Option<usize> {
        let key = self.keys.get(&id)?;
        self.rows.binary_search_by_key(key, |row| row.key()).ok()
    }
}

/// An id as in the database: in lower case, with hyphens.
fn parse(id: &str) -> Option<Uuid> {
    let uuid = Uuid::try_parse(id).ok()?;
    (uuid.to_string() == id).then_some(uuid)
}
