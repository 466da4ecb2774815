//! The board in memory: who is on it, in its order, found by place, id and name.
//!
//! A value never changes once others can see it. The next one is a copy that shares with it what stays the same, so that
//! readers never wait and never see half of a change. A million rows take some 80 MB.

use std::cmp::Reverse;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::ScopedJoinHandle;

use uuid::Uuid;

use crate::pictures;
use chain::clock::UnixTime;
use store::changes::{Change, ShownProfile};
use store::profiles::is_named;
use store::shown_as::ShownAs;

mod grams;
mod moved;
mod page;
mod pattern;
mod search;
mod sorted;

pub use moved::{Move, Stand};
use page::{Fixed, Page, Parts, ROWS};
use pattern::Pattern;
use search::Names;
use sorted::Sorted;

/// Putting a match in its place takes as long as so many steps of a walk along the board.
const STEPS: usize = 16;

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
}

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
    names: Names,
    providers: Vec<Arc<str>>,
    /// What is shown in all rows together.
    sats: u64,
}

/// A place that is shown.
struct Shown {
    place: u32,
    /// How many stand before it on the board, and the last one of them, where that is known.
    before: Option<(usize, u32)>,
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

    /// The board after this has happened. Answers what that did to its order.
    ///
    /// # Errors
    /// When a profile has no place here, or it cannot be said which one is gone.
    pub fn change(&mut self, change: &Change) -> Result<Option<Move>, Unfit> {
        match change {
            Change::Shown(profile) => self.show(profile).map(Some),
            Change::Gone(start) => self.remove(start),
        }
    }

    fn remove(&mut self, start: &str) -> Result<Option<Move>, Unfit> {
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
        let moved = place.map(|place| Move {
            id: Uuid::from_bytes(self.fixed(place).id),
            from: Some(self.stand(place)),
            to: None,
            renamed: true,
        });
        if let Some(place) = place {
            self.leave_orders(place);
            let (pages, id) = (&self.pages, self.fixed(place).id);
            self.by_id
                .remove(place, |other| fixed(pages, other).id < id);
            let (page, index) = split(place);
            Arc::make_mut(&mut self.pages[page]).clear(index);
            self.names.renamed(place, &self.pages);
            self.free.push(place);
        }
        Ok(moved)
    }

    fn show(&mut self, profile: &ShownProfile) -> Result<Move, Unfit> {
        let bytes = parse(&profile.id)?;
        let provider = provider(&mut self.providers, &profile.provider)?;
        let parts = parts(bytes, provider, profile);
        let old = self.place(&bytes);
        let renamed = old.is_none_or(|place| self.folded(place) != profile.username_folded);
        let from = old.map(|place| self.stand(place));
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
        if renamed {
            self.names.renamed(place, &self.pages);
        }
        if old.is_none() {
            let pages = &self.pages;
            self.by_id
                .insert(place, |other| fixed(pages, other).id < bytes);
        }
        Ok(Move {
            id: Uuid::from_bytes(bytes),
            from,
            to: Some(self.stand(place)),
            renamed,
        })
    }

    fn stand(&self, place: u32) -> Stand {
        let fixed = self.fixed(place);
        let key = order_key(fixed);
        Stand {
            index: self.order.count(|other| order_key(self.fixed(other)) < key),
            holdings_sats: fixed.holdings_sats(),
        }
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

    /// What is shown in all rows together, in sats.
    #[must_use]
    pub fn sats(&self) -> u64 {
        self.sats
    }

    /// How many there are of whom so many sats are shown or more: those who come first.
    #[must_use]
    pub fn with_at_least(&self, sats: u64) -> usize {
        self.order.count(|place| self.fixed(place).sats >= sats)
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
        let name = filter.username_like.as_deref();
        let is_text = name.map(|like| Pattern::parse(like).text().is_some());
        filter.id.is_none() && !is_text.unwrap_or(filter.provider.is_none())
    }

    /// The rows that a filter lets through, from `offset` on, `limit` of them at most, and how many it lets through.
    #[must_use]
    pub fn find(&self, filter: &BoardFilter, limit: usize, offset: usize) -> Found {
        let pattern = filter.username_like.as_deref();
        // Whoever asks for a provider's names and no other asks for all of them.
        let pattern = pattern.or(filter.provider.as_ref().map(|_| "%"));
        let pattern = pattern.map(|like| Pattern::parse(&like.to_lowercase()));
        let (sats, provider) = (filter.shown_sats(), self.provider(filter));
        let wanted = |place: &u32| {
            let fixed = self.fixed(*place);
            sats.contains(&fixed.sats) && provider.is_none_or(|it| it == Some(fixed.provider))
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
            return self.everybody(sats, limit, offset);
        };
        if let Some(name) = pattern.text() {
            let mut places = self.places_named(&name);
            places.retain(wanted);
            return self.some(&places, limit, offset);
        }
        let narrow = filter.sats.is_some() || filter.provider.is_some();
        let wanted = narrow.then_some(&wanted);
        self.search(&pattern, (filter.verified, wanted), limit, offset)
    }

    /// Those of whom so many sats are shown: they stand one after another.
    fn everybody(&self, sats: Range<u64>, limit: usize, offset: usize) -> Found {
        let first = self.with_at_least(sats.end);
        let end = self.with_at_least(sats.start).max(first);
        let total = end - first;
        let left = total.saturating_sub(offset).min(limit);
        let shown = if left == 0 {
            Vec::new()
        } else {
            self.walk(first + offset).take(left).collect()
        };
        Found {
            rows: self.rows(&shown),
            total,
        }
    }

    /// Everybody from the first one on before whom so many stand.
    fn walk(&self, first: usize) -> impl Iterator<Item = Shown> {
        let mut above = None;
        let places = (first..).zip(self.order.from(first));
        places.map(move |(before, place)| Shown {
            place,
            before: above.replace(place).map(|above| (before, above)),
        })
    }

    fn search(
        &self,
        pattern: &Pattern,
        (verified, wanted): (Option<bool>, Option<&impl Fn(&u32) -> bool>),
        limit: usize,
        offset: usize,
    ) -> Found {
        let mut matching = self.names.matching(pattern, &self.pages);
        if let Some(verified) = verified {
            let proven = self.pages.iter().flat_map(|page| page.proven());
            let words = matching.iter_mut().zip(proven);
            words.for_each(|(word, proven)| *word &= if verified { *proven } else { !proven });
        }
        if let Some(wanted) = wanted {
            for place in marked(&matching).collect::<Vec<_>>() {
                if !wanted(&place) {
                    matching[place as usize / 64] &= !(1 << (place % 64));
                }
            }
        }
        let total = matching.iter().map(|word| word.count_ones() as usize);
        let total: usize = total.sum();
        let steps = offset.saturating_add(limit).saturating_mul(self.len());
        if total * STEPS <= steps / total.max(1) {
            let mut places = marked(&matching).collect::<Vec<_>>();
            self.sort(&mut places);
            return self.some(&places, limit, offset);
        }
        let matches = |place: u32| matching[place as usize / 64] & (1 << (place % 64)) != 0;
        let found = self.walk(0).filter(|shown| matches(shown.place));
        let left = total.saturating_sub(offset).min(limit);
        let shown: Vec<Shown> = found.skip(offset).take(left).collect();
        Found {
            rows: self.rows(&shown),
            total,
        }
    }

    /// Of these, which are all and in order, those on show.
    fn some(&self, places: &[u32], limit: usize, offset: usize) -> Found {
        let shown = places.iter().skip(offset).take(limit);
        let shown = shown.map(|place| Shown {
            place: *place,
            before: None,
        });
        let shown: Vec<Shown> = shown.collect();
        Found {
            rows: self.rows(&shown),
            total: places.len(),
        }
    }

    /// The number of the provider that is asked for; none inside when nobody comes from there.
    #[allow(
        clippy::option_option,
        reason = "whether one is asked for, and whether there is one"
    )]
    fn provider(&self, filter: &BoardFilter) -> Option<Option<u8>> {
        let name = filter.provider.as_deref()?;
        let at = self.providers.iter().position(|known| **known == *name);
        Some(at.and_then(|at| u8::try_from(at).ok()))
    }

    /// The rows at these places, which are in order, with their ranks.
    fn rows(&self, shown: &[Shown]) -> Vec<Row> {
        let mut last: Option<(u64, Option<i64>)> = None;
        let rows = shown.iter().map(|Shown { place, before }| {
            let sats = self.fixed(*place).sats;
            let rank = match (last, before) {
                // Who ties with the last one has the same rank.
                (Some((same, rank)), _) if same == sats => rank,
                // Who stands behind somebody with more is the first one with this much.
                (_, Some((before, above))) if self.fixed(*above).sats > sats => {
                    rank_behind(*before, sats)
                }
                _ => self.rank(sats),
            };
            last = Some((sats, rank));
            self.row(*place, rank)
        });
        rows.collect()
    }

    fn ranked(&self, place: u32) -> Row {
        self.row(place, self.rank(self.fixed(place).sats))
    }

    /// 1 plus the number of those with strictly more (decisions, D7).
    fn rank(&self, sats: u64) -> Option<i64> {
        rank_behind(
            self.order.count(|place| self.fixed(place).sats > sats),
            sats,
        )
    }

    fn row(&self, place: u32, rank: Option<i64>) -> Row {
        let (page, index) = split(place);
        let (page, fixed) = (&self.pages[page], self.fixed(place));
        Row {
            id: Uuid::from_bytes(fixed.id),
            provider: Arc::clone(&self.providers[usize::from(fixed.provider)]),
            username: page.shown(index).to_owned(),
            picture: fixed.picture(),
            shown_as: fixed.shown_as,
            holdings_sats: fixed.holdings_sats(),
            published_sats: page.published_sats(index),
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
        self.sats -= fixed(pages, place).sats;
        let key = order_key(fixed(pages, place));
        self.order
            .remove(place, |other| order_key(fixed(pages, other)) < key);
        let key = name_key(pages, place);
        self.by_name
            .remove(place, |other| name_key(pages, other) < key);
    }

    fn enter_orders(&mut self, place: u32) {
        let pages = &self.pages;
        self.sats += fixed(pages, place).sats;
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
        // What a full page had too much room for is room for the next.
        if let Some(page) = self.pages.last_mut().filter(|page| page.len() == ROWS) {
            Arc::make_mut(page).shrink();
        }
        Ok(())
    }

    /// Puts them in order.
    #[must_use]
    pub fn done(mut self) -> Memory {
        if let Some(page) = self.pages.last_mut() {
            Arc::make_mut(page).shrink();
        }
        let mut memory = Memory {
            pages: self.pages,
            providers: self.providers,
            ..Memory::default()
        };
        // Four of as many threads: with a million profiles each takes a tenth of a second or more.
        let (order, by_id, by_name, names) = std::thread::scope(|scope| {
            let order = scope.spawn(|| memory.sorted_by(|place| order_key(memory.fixed(place))));
            let by_id = scope.spawn(|| memory.sorted_by(|place| memory.fixed(place).id));
            let by_name = scope.spawn(|| memory.sorted_by(|place| hash(memory.folded(place))));
            let names = Names::of(&memory.pages);
            (joined(order), joined(by_id), joined(by_name), names)
        });
        memory.sats = memory.places().map(|place| memory.fixed(place).sats).sum();
        (memory.order, memory.by_id) = (order, by_id);
        (memory.by_name, memory.names) = (by_name, names);
        memory
    }
}

impl Memory {
    /// Everybody's place, in a board that nobody has left yet.
    fn places(&self) -> impl Iterator<Item = u32> {
        let pages = self.pages.iter().enumerate();
        pages.flat_map(|(number, page)| (0..page.len()).map(move |index| join(number, index)))
    }

    /// Everybody's place by a key, and of those with the same by itself.
    fn sorted_by<K: Ord>(&self, key: impl Fn(u32) -> K) -> Sorted {
        let mut keyed: Vec<(K, u32)> = Vec::with_capacity(self.pages.len() * ROWS);
        keyed.extend(self.places().map(|place| (key(place), place)));
        keyed.sort_unstable();
        Sorted::of(keyed.into_iter().map(|(_, place)| place))
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
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

/// The rank of these holdings when so many have more.
fn rank_behind(better: usize, sats: u64) -> Option<i64> {
    (sats > 0).then(|| i64::try_from(better).map_or(i64::MAX, |better| 1 + better))
}

/// The places whose bits are set.
fn marked(words: &[u64]) -> impl Iterator<Item = u32> {
    (0..).zip(words).flat_map(|(at, word)| {
        let mut word = *word;
        std::iter::from_fn(move || {
            let bit = (word != 0).then(|| word.trailing_zeros())?;
            word &= word - 1;
            Some(at * 64 + bit)
        })
    })
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
        shown_as: profile.shown_as,
        sats: profile.shown_sats.map_or(0, i64::unsigned_abs),
        published: profile.published_sats.map_or(0, i64::unsigned_abs),
        last_verified: profile.shown_verified,
        updated_at: profile.shown_updated_at,
        picture: pictures::version(profile.avatar_url.as_deref()),
        folded: &profile.username_folded,
        shown: &profile.username,
    }
}
