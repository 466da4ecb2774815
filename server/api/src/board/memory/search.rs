//! Finding names among a million.

use std::sync::Arc;

use memchr::memmem::Finder;

use super::grams::{self, Grams, Hits, Places};
use super::page::{self, Page};
use super::pattern::Pattern;

/// How many pages one index is of.
const PAGES: usize = grams::ROWS / page::ROWS;

/// The indexes of everybody's names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Vec<Grams>);

impl Names {
    /// The indexes of the names on these pages.
    pub(super) fn of(pages: &[Arc<Page>]) -> Self {
        Self(pages.chunks(PAGES).map(indexed).collect())
    }

    /// Notes that this place has another name now, or none.
    pub(super) fn renamed(&mut self, place: u32, pages: &[Arc<Page>]) {
        let (number, place) = (place as usize / grams::ROWS, place as usize % grams::ROWS);
        if self.0.len() <= number {
            self.0.resize_with(number + 1, Grams::default);
        }
        if self.0[number].renamed(u16::try_from(place).unwrap_or(u16::MAX)) {
            let end = pages.len().min((number + 1) * PAGES);
            self.0[number] = indexed(&pages[number * PAGES..end]);
        }
    }

    /// A bit for each place whose name matches.
    pub(super) fn matching(&self, pattern: &Pattern, pages: &[Arc<Page>]) -> Vec<u64> {
        let text = pattern.longest_text();
        let look = Look {
            pattern: (!pattern.is_contains()).then_some(pattern),
            finder: Finder::new(&text),
        };
        let mut matching = vec![0; pages.len() * page::WORDS];
        let parts = matching.chunks_mut(PAGES * page::WORDS);
        for ((words, pages), grams) in parts.zip(pages.chunks(PAGES)).zip(&self.0) {
            if look.by_index(grams, text.as_bytes(), pages, words) {
                for place in grams.stale() {
                    look.mark_if_matching(usize::from(*place), pages, words);
                }
            } else {
                look.at_all(pages, words);
            }
        }
        matching
    }
}

fn indexed(pages: &[Arc<Page>]) -> Grams {
    let rows = pages.iter().flat_map(|page| {
        let rows = 0..page.len();
        rows.map(|index| page.row(index).taken.then(|| page.folded(index)))
    });
    Grams::of(
        (0..=u16::MAX)
            .zip(rows)
            .filter_map(|(place, name)| Some((place, name?))),
    )
}

/// What is looked for.
struct Look<'a> {
    /// None when everything matches that has the text.
    pattern: Option<&'a Pattern>,
    finder: Finder<'a>,
}

impl Look<'_> {
    /// Marks what the index knows of; false when it is of no help.
    fn by_index(&self, grams: &Grams, text: &[u8], pages: &[Arc<Page>], words: &mut [u64]) -> bool {
        let places = match grams.find(text) {
            Hits::Many => return false,
            Hits::Among(places) => {
                for place in places {
                    self.mark_if_matching(usize::from(place), pages, words);
                }
                return true;
            }
            Hits::Are(places) => places,
        };
        match places {
            Places::List(list) => {
                for place in list {
                    set(words, usize::from(*place));
                }
            }
            Places::Bits(bits) => copy(bits, words),
            Places::Together(bits) => copy(&bits, words),
        }
        for place in grams.stale() {
            clear(words, usize::from(*place));
        }
        if self.pattern.is_some() {
            for at in 0..words.len() {
                let mut marked = std::mem::take(&mut words[at]);
                while marked != 0 {
                    self.mark_if_matching(at * 64 + marked.trailing_zeros() as usize, pages, words);
                    marked &= marked - 1;
                }
            }
        }
        true
    }

    fn at_all(&self, pages: &[Arc<Page>], words: &mut [u64]) {
        for (number, page) in pages.iter().enumerate() {
            for index in page.containing(&self.finder) {
                let name = || page.folded(index);
                if self.pattern.is_none_or(|pattern| pattern.matches(name())) {
                    set(words, number * page::ROWS + index);
                }
            }
        }
    }

    fn mark_if_matching(&self, place: usize, pages: &[Arc<Page>], words: &mut [u64]) {
        let (page, index) = (place / page::ROWS, place % page::ROWS);
        let Some(page) = pages.get(page).filter(|page| index < page.len()) else {
            return;
        };
        let name = page.folded(index);
        let matches = match self.pattern {
            Some(pattern) => pattern.matches(name),
            None => self.finder.find(name.as_bytes()).is_some(),
        };
        if matches && page.row(index).taken {
            set(words, place);
        }
    }
}

fn copy(bits: &[u64], words: &mut [u64]) {
    for (word, bits) in words.iter_mut().zip(bits) {
        *word = *bits;
    }
}

fn set(words: &mut [u64], place: usize) {
    words[place / 64] |= 1 << (place % 64);
}

fn clear(words: &mut [u64], place: usize) {
    if let Some(word) = words.get_mut(place / 64) {
        *word &= !(1 << (place % 64));
    }
}
