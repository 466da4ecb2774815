//! The board in memory: plain rows in the board's order, and one text with all names.
//!
//! A value never changes once others can see it. A change makes a copy, which shares its rows with the one before, so that readers
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

/// A row of the board as everybody may see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub id: Uuid,
    /// The name of the provider that says who this is.
    pub provider: Arc<str>,
    /// The name shown.
    pub username: String,
    /// Tells the pictures of a profile apart; none without a picture.
    pub picture: Option<[u8; 4]>,
    /// Whether that is the whole total or where its tier begins (decisions, D17).
    pub shown_as: ShownAs,
    /// What is shown as proven, in sats; none when nothing is.
    pub holdings_sats: Option<i64>,
    /// How much of that stands on published proofs, which anybody can check; none when nothing does.
    pub published_sats: Option<i64>,
    /// Competition rank by holdings (decisions, D7); none when nothing is proven.
    pub rank: Option<i64>,
    /// When a proof was last accepted, unix seconds; none of a range.
    pub last_verified: Option<UnixTime>,
    /// When anything about it last changed, unix seconds; of a range when it was chosen.
    pub updated_at: UnixTime,
}

impl Row {
    /// Whether the name is one that the provider told.
    #[must_use]
    pub fn is_named(&self) -> bool {
        is_named(&self.id.to_string(), &self.username)
    }

    /// The row of a profile, before its rank is known.
    fn new(profile: &ShownProfile) -> Result<Self, Unfit> {
        Ok(Self {
            id: parse(&profile.id).ok_or_else(|| Unfit::Id(profile.id.clone()))?,
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

/// A filter of the board's rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardFilter {
    /// Only the profile with this id.
    pub id: Option<String>,
    /// Only names that this provider gives.
    pub provider: Option<String>,
    /// Only names that match this `like` pattern, with `\` as escape; letter case does not count.
    pub username_like: Option<String>,
    /// Only those with (or without) something proven.
    pub verified: Option<bool>,
    /// Only those of whom at least so many sats are shown, and fewer than so many.
    pub sats: Option<(u64, u64)>,
}

impl BoardFilter {
    /// Lets every row through.
    pub const EVERYBODY: Self = Self {
        id: None,
        provider: None,
        username_like: None,
        verified: None,
        sats: None,
    };

    /// The sats that may be shown, the first number included and the last not.
    fn shown_sats(&self) -> Range<u64> {
        let (least, below) = self.sats.unwrap_or((0, u64::MAX));
        match self.verified {
            None => least..below,
            Some(true) => least.max(1)..below,
            Some(false) => least..below.min(1),
        }
    }
}

/// Some rows in the board's order, and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub rows: Vec<Row>,
    pub total: usize,
}

/// Why a change cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    #[error("the profile {0} has no UUID")]
    Id(String),
    #[error("there are several profiles whose ids begin with {0}, of which one is gone")]
    Gone(String),
}

/// All rows.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// In the board's order.
    rows: Vec<Arc<Row>>,
    names: Names,
    keys: HashMap<Uuid, Key>,
    /// What is shown in all rows together.
    sats: u64,
}

impl Memory {
    /// The board of all these profiles, whatever their order.
    ///
    /// # Errors
    /// When one of them has no UUID.
    pub fn of(profiles: impl IntoIterator<Item = ShownProfile>) -> Result<Self, Unfit> {
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

    /// The board after this has happened.
    ///
    /// # Errors
    /// When a profile has no UUID, or it cannot be said which one is gone.
    pub fn change(&mut self, change: &Change) -> Result<(), Unfit> {
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
                let mut text = Uuid::encode_buffer();
                let mut ids =
                    ids.filter(|id| id.hyphenated().encode_lower(&mut text).starts_with(start));
                let (id, another) = (ids.next(), ids.next());
                drop(ids);
                if another.is_some() {
                    return Err(Unfit::Gone(start.clone()));
                }
                id.into_iter().for_each(|id| self.remove(id));
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
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// What is shown in all rows together, in sats.
    #[must_use]
    pub fn sats(&self) -> u64 {
        self.sats
    }

    /// How many there are of whom so many sats are shown or more: those who come first.
    #[must_use]
    pub fn with_at_least(&self, sats: u64) -> usize {
        self.rows.partition_point(|row| row.sats() >= sats)
    }

    /// The row of this id.
    #[must_use]
    pub fn profile(&self, id: &str) -> Option<Row> {
        let index = self.index(parse(id)?)?;
        self.ranked([index]).pop()
    }

    /// Everybody with this name, whatever its case, in the board's order.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<Row> {
        let pattern = Pattern::text(&name.to_lowercase());
        self.ranked(self.names.matching(&pattern))
    }

    /// The rows that a filter lets through, from `offset` on, `limit` of them at most, and how many it lets through.
    #[must_use]
    pub fn find(&self, filter: &BoardFilter, limit: usize, offset: usize) -> Found {
        let sats = filter.shown_sats();
        let first = self.with_at_least(sats.end);
        let range = first..self.with_at_least(sats.start).max(first);
        let pattern = filter.username_like.as_deref();
        let pattern = pattern.map(|like| Pattern::parse(&like.to_lowercase()));
        let indexes: Box<dyn Iterator<Item = usize>> = match (&filter.id, &pattern) {
            (Some(id), pattern) => {
                let index = parse(id).and_then(|id| self.index(id));
                let is_match = |index: &usize| {
                    let names = &self.names;
                    pattern.as_ref().is_none_or(|it| names.is_match(*index, it))
                };
                Box::new(index.filter(is_match).into_iter())
            }
            (None, Some(pattern)) => Box::new(self.names.matching(pattern)),
            (None, None) if filter.provider.is_none() => {
                // No row outside of the answer is looked at.
                let end = range
                    .end
                    .min(first.saturating_add(offset).saturating_add(limit));
                return Found {
                    rows: self.ranked(first.saturating_add(offset)..end),
                    total: range.len(),
                };
            }
            (None, None) => Box::new(range.clone()),
        };
        let provider = filter.provider.as_deref();
        let indexes = indexes.filter(|index| {
            let is_theirs = |provider: &str| *self.rows[*index].provider == *provider;
            range.contains(index) && provider.is_none_or(is_theirs)
        });
        let indexes: Vec<usize> = indexes.collect();
        let shown = indexes.iter().skip(offset).take(limit);
        Found {
            rows: self.ranked(shown.copied()),
            total: indexes.len(),
        }
    }

    /// The rows at these indexes, with their ranks: 1 plus the number of those with strictly more (decisions, D7).
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

/// An id as the database has it: in lower case, with hyphens.
fn parse(id: &str) -> Option<Uuid> {
    let uuid = Uuid::try_parse(id).ok()?;
    (uuid.to_string() == id).then_some(uuid)
}
