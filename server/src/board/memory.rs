//! The board in memory: who is on it, in its order, found by place, id and name.
//!
//! A value never changes once others can see it. The next one is a copy that shares with it what stays the same, so that
//! readers never wait and never see half of a change. A million rows take some 80 MB.

use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use memchr::memmem::Finder;
use uuid::Uuid;

use crate::base::clock::UnixTime;
use crate::pictures;
use crate::store::changes::{Change, ShownProfile};

mod page;
mod pattern;
mod sorted;

use page::{Fixed, Page, Parts, ROWS};
use pattern::Pattern;
use sorted::Sorted;

/// The most matches that are sorted to find the ones on show. More are met soon enough on a walk along the board.
const SORTED: usize = 4096;

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
    /// What is shown as proven, in sats; none when nothing is.
    pub holdings_sats: Option<i64>,
    /// Competition rank by holdings (decisions, D7); none when nothing is proven.
    pub rank: Option<i64>,
    /// When a proof was last accepted, unix seconds.
    pub last_verified: Option<UnixTime>,
    /// When anything about it last changed, unix seconds.
    pub updated_at: UnixTime,
}

/// A filter of the board's rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardFilter {
    /// Only the profile with this id.
    pub id: Option<String>,
    /// Only names that match this `like` pattern, with `\` as escape; letter case does not count.
    pub username_like: Option<String>,
    /// Only those with (or without) something proven.
    pub verified: Option<bool>,
}

/// Some rows in the board's order, and how many there are in all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub rows: Vec<Row>,
    pub total: usize,
}

/// Why a profile has no place here.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    #[error("the profile {0} has no UUID")]
    Id(String),
    #[error("there are several profiles whose ids begin with {0}, of which one is gone")]
    Gone(String),
    #[error("there are more providers, or more profiles, than there is room for")]
    NoRoom,
}

/// Everybody. A profile has the same place among the pages as long as it is there; the orders are of places.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    pages: Vec<Arc<Page>>,
    /// Places that nobody has.
    free: Vec<u32>,
    /// The board's order: most sats first, then earlier `last_verified`, then id.
    order: Sorted,
    by_id: Sorted,
    /// By the hash of the name in lower case.
    by_name: Sorted,
    providers: Vec<Arc<str>>,
}

impl Memory {
    /// The board of all these profiles, whatever their order.
    ///
    /// # Errors
    /// When one of them has no place here.
    pub fn of(profiles: impl IntoIterator<Item = ShownProfile>) -> Result<Self, Unfit> {
        let mut builder = Builder::default();
        for profile in profiles {
            builder.add(&profile)?;
        }
        Ok(builder.done())
    }

    /// The board after this has happened.
    ///
    /// # Errors
    /// When a profile has no place here, or it cannot be said which one is gone.
    pub fn change(&mut self, change: &Change) -> Result<(), Unfit> {
        match change {
            Change::Shown(profile) => self.show(profile),
            Change::Gone(start) => self.remove(start),
        }
    }

    fn remove(&mut self, start: &str) -> Result<(), Unfit> {
        let unknown = || Unfit::Gone(start.to_owned());
        let bytes = hex::decode(start.replace('-', "")).map_err(|_| unknown())?;
        let behind = self
            .by_id
            .behind(|other| self.fixed(other).id[..] < bytes[..]);
        let mut alike = behind.take_while(|place| self.fixed(*place).id.starts_with(&bytes));
        let (place, another) = (alike.next(), alike.next());
        drop(alike);
        if another.is_some() {
            return Err(unknown());
        }
        if let Some(place) = place {
            self.leave_orders(place);
            let (pages, id) = (&self.pages, self.fixed(place).id);
            self.by_id
                .remove(place, |other| fixed(pages, other).id < id);
            let (page, index) = split(place);
            Arc::make_mut(&mut self.pages[page]).clear(index);
            self.free.push(place);
        }
        Ok(())
    }

    fn show(&mut self, profile: &ShownProfile) -> Result<(), Unfit> {
        let bytes = parse(&profile.id)?;
        let provider = provider(&mut self.providers, &profile.provider)?;
        let parts = parts(bytes, provider, profile);
        let old = self.place(&bytes);
        if let Some(place) = old {
            self.leave_orders(place);
        }
        let place = match old.or_else(|| self.free.pop()) {
            Some(place) => {
                let (page, index) = split(place);
                Arc::make_mut(&mut self.pages[page]).set(index, &parts);
                place
            }
            None => push(&mut self.pages, &parts)?,
        };
        self.enter_orders(place);
        if old.is_none() {
            let pages = &self.pages;
            self.by_id
                .insert(place, |other| fixed(pages, other).id < bytes);
        }
        Ok(())
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of this id.
    #[must_use]
    pub fn profile(&self, id: &str) -> Option<Row> {
        self.place(&parse(id).ok()?).map(|place| self.ranked(place))
    }

    /// Everybody with this name, whatever its case, in the board's order.
    #[must_use]
    pub fn named(&self, name: &str) -> Vec<Row> {
        let places = self.places_named(&name.to_lowercase());
        places.into_iter().map(|place| self.ranked(place)).collect()
    }

    /// Whether the answer to this takes a look at every name.
    #[must_use]
    pub fn is_search(filter: &BoardFilter) -> bool {
        let pattern = filter.username_like.as_deref();
        filter.id.is_none() && pattern.is_some_and(|like| Pattern::parse(like).text().is_none())
    }

    /// The rows that a filter lets through, from `offset` on, `limit` of them at most, and how many it lets through.
    #[must_use]
    pub fn find(&self, filter: &BoardFilter, limit: usize, offset: usize) -> Found {
        let pattern = filter.username_like.as_deref();
        let pattern = pattern.map(|like| Pattern::parse(&like.to_lowercase()));
        let wanted = |place: &u32| {
            let proven = self.fixed(*place).sats > 0;
            filter.verified.is_none_or(|verified| verified == proven)
        };
        if let Some(id) = &filter.id {
            let place = parse(id).ok().and_then(|id| self.place(&id));
            let named = |place: &u32| {
                let name = self.folded(*place);
                pattern.as_ref().is_none_or(|pattern| pattern.matches(name))
            };
            let place = place.filter(wanted).filter(named);
            return self.some(&Vec::from_iter(place), limit, offset);
        }
        let Some(pattern) = pattern else {
            return self.everybody(filter.verified, limit, offset);
        };
        if let Some(name) = pattern.text() {
            let mut places = self.places_named(&name);
            places.retain(wanted);
            return self.some(&places, limit, offset);
        }
        self.search(&pattern, wanted, limit, offset)
    }

    /// Those with, or without, something proven: the first ones, or those behind them.
    fn everybody(&self, verified: Option<bool>, limit: usize, offset: usize) -> Found {
        let proven = || self.order.count(|place| self.fixed(place).sats > 0);
        let (first, end) = match verified {
            None => (0, self.len()),
            Some(true) => (0, proven()),
            Some(false) => (proven(), self.len()),
        };
        let total = end - first;
        let left = total.saturating_sub(offset).min(limit);
        let places = if left == 0 {
            Vec::new()
        } else {
            self.order.from(first + offset).take(left).collect()
        };
        Found {
            rows: self.rows(&places),
            total,
        }
    }

    fn search(
        &self,
        pattern: &Pattern,
        wanted: impl Fn(&u32) -> bool,
        limit: usize,
        offset: usize,
    ) -> Found {
        let (text, is_contains) = (pattern.longest_text(), pattern.is_contains());
        let finder = Finder::new(&text);
        let mut matching = vec![0_u64; self.pages.len() * ROWS / 64];
        let mut total = 0;
        let mut first = Vec::new();
        for (number, page) in self.pages.iter().enumerate() {
            for index in page.containing(&finder) {
                let place = join(number, index);
                if (is_contains || pattern.matches(page.folded(index))) && wanted(&place) {
                    matching[place as usize / 64] |= 1 << (place % 64);
                    total += 1;
                    if total <= SORTED {
                        first.push(place);
                    }
                }
            }
        }
        if total <= SORTED {
            self.sort(&mut first);
            return self.some(&first, limit, offset);
        }
        let matches = |place: &u32| matching[*place as usize / 64] & (1 << (place % 64)) != 0;
        let places: Vec<u32> = (self.order.from(0).filter(matches))
            .skip(offset)
            .take(limit)
            .collect();
        Found {
            rows: self.rows(&places),
            total,
        }
    }

    /// Of these, which are all and in order, those on show.
    fn some(&self, places: &[u32], limit: usize, offset: usize) -> Found {
        let shown = places.iter().skip(offset).take(limit).copied();
        Found {
            rows: self.rows(&shown.collect::<Vec<_>>()),
            total: places.len(),
        }
    }

    /// The rows at these places, which are in order, with their ranks.
    fn rows(&self, places: &[u32]) -> Vec<Row> {
        let mut above: Option<(u64, Option<i64>)> = None;
        let rows = places.iter().map(|place| {
            let sats = self.fixed(*place).sats;
            // Who ties with the one above has the same rank.
            let rank = match above {
                Some((same, rank)) if same == sats => rank,
                _ => self.rank(sats),
            };
            above = Some((sats, rank));
            self.row(*place, rank)
        });
        rows.collect()
    }

    fn ranked(&self, place: u32) -> Row {
        self.row(place, self.rank(self.fixed(place).sats))
    }

    /// 1 plus the number of those with strictly more (decisions, D7).
    fn rank(&self, sats: u64) -> Option<i64> {
        let better = || self.order.count(|place| self.fixed(place).sats > sats);
        (sats > 0).then(|| 1 + i64::try_from(better()).unwrap_or(i64::MAX))
    }

    fn row(&self, place: u32, rank: Option<i64>) -> Row {
        let (page, index) = split(place);
        let (page, fixed) = (&self.pages[page], self.fixed(place));
        Row {
            id: Uuid::from_bytes(fixed.id),
            provider: Arc::clone(&self.providers[usize::from(fixed.provider)]),
            username: page.shown(index).to_owned(),
            picture: fixed.picture(),
            holdings_sats: i64::try_from(fixed.sats).ok().filter(|sats| *sats > 0),
            rank,
            last_verified: fixed.last_verified(),
            updated_at: fixed.updated_at(),
        }
    }

    fn place(&self, id: &[u8; 16]) -> Option<u32> {
        let mut behind = self.by_id.behind(|other| self.fixed(other).id < *id);
        behind.next().filter(|place| self.fixed(*place).id == *id)
    }

    /// In the board's order.
    fn places_named(&self, folded: &str) -> Vec<u32> {
        let hash = hash(folded);
        let name_hash = |place| name_key(&self.pages, place).0;
        let behind = self.by_name.behind(|other| name_hash(other) < hash);
        let alike = behind.take_while(|place| name_hash(*place) == hash);
        let mut places: Vec<u32> = alike
            .filter(|place| self.folded(*place) == folded)
            .collect();
        self.sort(&mut places);
        places
    }

    fn sort(&self, places: &mut [u32]) {
        places.sort_unstable_by_key(|place| order_key(self.fixed(*place)));
    }

    fn leave_orders(&mut self, place: u32) {
        let pages = &self.pages;
        let key = order_key(fixed(pages, place));
        self.order
            .remove(place, |other| order_key(fixed(pages, other)) < key);
        let key = name_key(pages, place);
        self.by_name
            .remove(place, |other| name_key(pages, other) < key);
    }

    fn enter_orders(&mut self, place: u32) {
        let pages = &self.pages;
        let key = order_key(fixed(pages, place));
        self.order
            .insert(place, |other| order_key(fixed(pages, other)) < key);
        let key = name_key(pages, place);
        self.by_name
            .insert(place, |other| name_key(pages, other) < key);
    }

    fn fixed(&self, place: u32) -> &Fixed {
        fixed(&self.pages, place)
    }

    fn folded(&self, place: u32) -> &str {
        folded(&self.pages, place)
    }
}

/// A board that is read for the first time, some profiles at a time.
#[derive(Debug, Default)]
pub struct Builder {
    pages: Vec<Arc<Page>>,
    providers: Vec<Arc<str>>,
}

impl Builder {
    /// # Errors
    /// When the profile has no place here.
    pub fn add(&mut self, profile: &ShownProfile) -> Result<(), Unfit> {
        let provider = provider(&mut self.providers, &profile.provider)?;
        let parts = parts(parse(&profile.id)?, provider, profile);
        push(&mut self.pages, &parts)?;
        Ok(())
    }

    /// Puts them in order.
    #[must_use]
    pub fn done(mut self) -> Memory {
        for page in &mut self.pages {
            Arc::make_mut(page).shrink();
        }
        let mut memory = Memory {
            pages: self.pages,
            providers: self.providers,
            ..Memory::default()
        };
        memory.order = memory.sorted_by(order_key);
        memory.by_id = memory.sorted_by(|fixed| fixed.id);
        let mut names: Vec<(u64, u32)> = memory
            .places()
            .map(|place| name_key(&memory.pages, place))
            .collect();
        names.sort_unstable();
        let names: Vec<u32> = names.into_iter().map(|(_, place)| place).collect();
        memory.by_name = Sorted::of(&names);
        memory
    }
}

impl Memory {
    /// Everybody's place, in a board that nobody has left yet.
    fn places(&self) -> impl Iterator<Item = u32> {
        let pages = self.pages.iter().enumerate();
        pages.flat_map(|(number, page)| (0..page.len()).map(move |index| join(number, index)))
    }

    fn sorted_by<K: Ord>(&self, key: impl Fn(&Fixed) -> K) -> Sorted {
        let places = self.places();
        let mut keyed: Vec<(K, u32)> = places
            .map(|place| (key(self.fixed(place)), place))
            .collect();
        keyed.sort_unstable();
        let places: Vec<u32> = keyed.into_iter().map(|(_, place)| place).collect();
        Sorted::of(&places)
    }
}

fn fixed(pages: &[Arc<Page>], place: u32) -> &Fixed {
    let (page, index) = split(place);
    pages[page].row(index)
}

/// The name in lower case.
fn folded(pages: &[Arc<Page>], place: u32) -> &str {
    let (page, index) = split(place);
    pages[page].folded(index)
}

fn order_key(fixed: &Fixed) -> (Reverse<u64>, u32, [u8; 16]) {
    (Reverse(fixed.sats), fixed.verified_order(), fixed.id)
}

/// The order of names: by their hashes, and those that are alike by their places.
fn name_key(pages: &[Arc<Page>], place: u32) -> (u64, u32) {
    (hash(folded(pages, place)), place)
}

fn hash(folded: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    folded.hash(&mut hasher);
    hasher.finish()
}

/// The page of a place, and the index on it.
fn split(place: u32) -> (usize, usize) {
    (place as usize / ROWS, place as usize % ROWS)
}

fn join(page: usize, index: usize) -> u32 {
    u32::try_from(page * ROWS + index).unwrap_or(u32::MAX)
}

fn push(pages: &mut Vec<Arc<Page>>, parts: &Parts<'_>) -> Result<u32, Unfit> {
    if pages.last().is_none_or(|page| page.len() == ROWS) {
        pages.push(Arc::default());
    }
    let number = pages.len() - 1;
    let page = Arc::make_mut(&mut pages[number]);
    let place = u32::try_from(number * ROWS + page.len()).map_err(|_| Unfit::NoRoom)?;
    page.push(parts);
    Ok(place)
}

/// An id as the database has it: in lower case, with hyphens.
fn parse(id: &str) -> Result<[u8; 16], Unfit> {
    let mut text = Uuid::encode_buffer();
    let uuid = Uuid::try_parse(id)
        .ok()
        .filter(|uuid| uuid.hyphenated().encode_lower(&mut text) == id);
    let uuid = uuid.ok_or_else(|| Unfit::Id(id.to_owned()))?;
    Ok(uuid.into_bytes())
}

fn provider(known: &mut Vec<Arc<str>>, name: &str) -> Result<u8, Unfit> {
    let at = known.iter().position(|known| **known == *name);
    let at = at.unwrap_or_else(|| {
        known.push(name.into());
        known.len() - 1
    });
    u8::try_from(at).map_err(|_| Unfit::NoRoom)
}

fn parts(id: [u8; 16], provider: u8, profile: &ShownProfile) -> Parts<'_> {
    Parts {
        id,
        provider,
        sats: profile.holdings_sats.map_or(0, i64::unsigned_abs),
        last_verified: profile.last_verified,
        updated_at: profile.updated_at,
        picture: pictures::version(profile.avatar_url.as_deref()),
        folded: &profile.username_folded,
        shown: &profile.username,
    }
}
