//! Which names have which three characters one after another, so that a search looks at few names.
//!
//! It is kept for [`ROWS`] places at a time, and made anew when enough of them have other names than when it was made. Until
//! then it says which those are, and they are looked at themselves.

use std::sync::Arc;

/// How many places one index is of.
pub(super) const ROWS: usize = 1 << 16;

/// Words of as many bits.
const WORDS: usize = ROWS / 64;

/// More places than this are told as bits: that is less memory, and quicker to look into.
const DENSE: usize = ROWS / 16;

/// With more other names than this, an index is made anew.
const STALE: usize = 1024;

/// Bytes are of so many classes.
const CLASSES: u32 = 64;

/// The class of what stands behind a name.
const END: u32 = CLASSES - 1;

/// Classes from this one on are of several bytes each.
const SHARED: u32 = 40;

/// Keys from this one on are of one byte alone.
const SINGLE: u32 = CLASSES * CLASSES * CLASSES;

const KEYS: usize = (SINGLE + CLASSES) as usize;

fn class(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => u32::from(byte - b'a'),
        b'0'..=b'9' => 26 + u32::from(byte - b'0'),
        b'_' => 36,
        b'-' => 37,
        b'.' => 38,
        b' ' => 39,
        other => SHARED + u32::from(other) % (END - SHARED),
    }
}

fn key(first: u32, second: u32, third: u32) -> u32 {
    (first * CLASSES + second) * CLASSES + third
}

/// The places, counted from the first one of an index, whose names have the text in them, as far as its grams tell.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hits<'a> {
    /// These and no others, but for those that are stale.
    Are(Places<'a>),
    /// None but these, which have to be looked at.
    Among(Vec<u16>),
    /// A great part of all: looking at each is no slower.
    Many,
}

/// Places in one of the forms that they come in.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Places<'a> {
    /// In ascending order.
    List(&'a [u16]),
    Bits(&'a [u64]),
    Together(Vec<u64>),
}

/// The index of some places.
#[derive(Clone, Debug, Default)]
pub(super) struct Grams {
    made: Arc<Made>,
    /// The places that have had another name, or none, when it was made; in ascending order.
    stale: Arc<Vec<u16>>,
}

/// An index as it was made.
#[derive(Debug, Default)]
struct Made {
    /// In ascending order.
    keys: Vec<u32>,
    /// Where the places of each key begin, and how many they are.
    spans: Vec<(u32, u32)>,
    lists: Vec<u16>,
    bits: Vec<u64>,
}

impl Grams {
    /// The index of these names, by their places in ascending order.
    pub(super) fn of<'a>(names: impl Iterator<Item = (u16, &'a str)> + Clone) -> Self {
        Self {
            made: Arc::new(Made::of(names)),
            stale: Arc::default(),
        }
    }

    /// Notes that this place has another name now, or none. Answers whether there are so many that the index should be made anew.
    pub(super) fn renamed(&mut self, place: u16) -> bool {
        if let Err(at) = self.stale.binary_search(&place) {
            Arc::make_mut(&mut self.stale).insert(at, place);
        }
        self.stale.len() > STALE
    }

    /// The places about which the index knows nothing.
    pub(super) fn stale(&self) -> &[u16] {
        &self.stale
    }

    /// The places with this text, which is not empty, in their names.
    pub(super) fn find(&self, text: &[u8]) -> Hits<'_> {
        let classes: Vec<u32> = text.iter().copied().map(class).collect();
        let made = &*self.made;
        let is_exact = classes.iter().all(|class| *class < SHARED);
        let hits = match *classes {
            [] => return Hits::Many,
            [one] => made.places(SINGLE + one),
            [first, second] => made.together(key(first, second, 0)..=key(first, second, END)),
            [first, second, third] => made.places(key(first, second, third)),
            _ => return made.with_all(&classes),
        };
        match hits {
            hits if is_exact => Hits::Are(hits),
            Places::List(list) => Hits::Among(list.to_vec()),
            Places::Bits(_) | Places::Together(_) => Hits::Many,
        }
    }
}

impl Made {
    fn of<'a>(names: impl Iterator<Item = (u16, &'a str)> + Clone) -> Self {
        let mut counts = vec![0_u32; KEYS];
        each_gram(names.clone(), |key, _| counts[key as usize] += 1);
        let mut made = Self::default();
        // Where the next place of each key goes: into the lists, or its bits.
        let mut next = vec![0_u32; KEYS];
        let mut listed = 0;
        for (key, count) in (0..).zip(&counts).filter(|(_, count)| **count > 0) {
            let begin = if *count as usize > DENSE {
                let begin = made.bits.len();
                made.bits.resize(begin + WORDS, 0);
                u32::try_from(begin).unwrap_or(u32::MAX)
            } else {
                listed += count;
                listed - count
            };
            made.keys.push(key);
            made.spans.push((begin, *count));
            next[key as usize] = begin;
        }
        made.keys.shrink_to_fit();
        made.spans.shrink_to_fit();
        made.bits.shrink_to_fit();
        made.lists = vec![0; listed as usize];
        each_gram(names, |key, place| {
            let at = &mut next[key as usize];
            if counts[key as usize] as usize > DENSE {
                made.bits[*at as usize + usize::from(place) / 64] |= 1 << (place % 64);
            } else {
                made.lists[*at as usize] = place;
                *at += 1;
            }
        });
        made
    }

    fn places(&self, key: u32) -> Places<'_> {
        match self.keys.binary_search(&key) {
            Ok(at) => self.span(self.spans[at]),
            Err(_) => Places::List(&[]),
        }
    }

    fn span(&self, (begin, count): (u32, u32)) -> Places<'_> {
        let (begin, count) = (begin as usize, count as usize);
        if count > DENSE {
            Places::Bits(&self.bits[begin..begin + WORDS])
        } else {
            Places::List(&self.lists[begin..begin + count])
        }
    }

    /// The places of any of these keys.
    fn together(&self, keys: std::ops::RangeInclusive<u32>) -> Places<'_> {
        let first = self.keys.partition_point(|key| key < keys.start());
        let end = self.keys.partition_point(|key| key <= keys.end());
        if let [one] = self.spans[first..end] {
            return self.span(one);
        }
        let mut together = vec![0; if first == end { 0 } else { WORDS }];
        for span in &self.spans[first..end] {
            match self.span(*span) {
                Places::List(list) => {
                    for place in list {
                        together[usize::from(*place) / 64] |= 1 << (place % 64);
                    }
                }
                Places::Bits(bits) => {
                    let words = together.iter_mut().zip(bits);
                    words.for_each(|(word, bits)| *word |= bits);
                }
                Places::Together(_) => {}
            }
        }
        Places::Together(together)
    }

    /// The places that have each of these grams somewhere.
    fn with_all(&self, classes: &[u32]) -> Hits<'_> {
        let keys = classes.windows(3).map(|it| key(it[0], it[1], it[2]));
        let spans = keys.map(|key| Some(self.spans[self.keys.binary_search(&key).ok()?]));
        let Some(mut spans) = spans.collect::<Option<Vec<_>>>() else {
            return Hits::Among(Vec::new());
        };
        spans.sort_unstable_by_key(|(_, count)| *count);
        spans.dedup();
        let mut spans = spans.into_iter().map(|span| self.span(span));
        let Some(Places::List(rarest)) = spans.next() else {
            return Hits::Many;
        };
        let mut among = rarest.to_vec();
        for others in spans {
            match others {
                Places::List(list) => {
                    let mut list = list.iter().peekable();
                    among.retain(|place| {
                        while list.next_if(|other| *other < place).is_some() {}
                        list.peek() == Some(&place)
                    });
                }
                Places::Bits(bits) => among.retain(|place| is_set(bits, *place)),
                Places::Together(bits) => among.retain(|place| is_set(&bits, *place)),
            }
        }
        Hits::Among(among)
    }
}

fn is_set(bits: &[u64], place: u16) -> bool {
    bits[usize::from(place) / 64] & (1 << (place % 64)) != 0
}

/// Each gram of each name once.
fn each_gram<'a>(names: impl Iterator<Item = (u16, &'a str)>, mut each: impl FnMut(u32, u16)) {
    let mut last = vec![u32::MAX; KEYS];
    for (place, name) in names {
        let mut once = |key: u32| {
            if std::mem::replace(&mut last[key as usize], place.into()) != u32::from(place) {
                each(key, place);
            }
        };
        let classes = name.bytes().map(class);
        let behind = name.bytes().skip(1).map(class).chain([END]);
        let (mut before, classes) = (None, classes.zip(behind));
        for (class, next) in classes {
            once(SINGLE + class);
            if let Some(before) = before {
                once(key(before, class, next));
            }
            before = Some(class);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(grams: &Grams, names: &[String], text: &str) -> Vec<usize> {
        let places: Vec<usize> = match grams.find(text.as_bytes()) {
            Hits::Are(Places::List(list)) => list.iter().copied().map(usize::from).collect(),
            Hits::Are(Places::Bits(bits)) => set(bits),
            Hits::Are(Places::Together(bits)) => set(&bits),
            Hits::Among(some) => {
                let some = some.into_iter().map(usize::from);
                some.filter(|place| names[*place].contains(text)).collect()
            }
            Hits::Many => {
                let all = names.iter().enumerate();
                all.filter(|(_, name)| name.contains(text))
                    .map(|(place, _)| place)
                    .collect()
            }
        };
        places
    }

    fn set(bits: &[u64]) -> Vec<usize> {
        let all = (0..bits.len() * 64).filter(|place| bits[place / 64] & (1 << (place % 64)) != 0);
        all.collect()
    }

    #[test]
    fn finds_what_has_the_text_and_nothing_else() {
        let names: Vec<String> = (0..20_000_u32)
            .map(|n| match n % 5 {
                0 => format!("ann_{}", n * 7919 % 10_007),
                1 => format!("bö{n}é"),
                2 => "aaaa".repeat(n as usize % 3),
                3 => format!("{n} {n}"),
                _ => format!("x{}-.y", n * n),
            })
            .collect();
        let places = (0..).zip(names.iter().map(String::as_str));
        let grams = Grams::of(places);
        for text in [
            "a", "aa", "aaa", "aaaa", "ann_", "n_12", "1", "12", "123", "1234", "ö", "bö1", "é",
            "3 3", "-.y", ".y", "y", "zz", "zzzz", "12 1", "x", "_9", "ann_99",
        ] {
            let all = names.iter().enumerate();
            let having = all.filter(|(_, name)| name.contains(text));
            let having: Vec<usize> = having.map(|(place, _)| place).collect();
            assert_eq!(found(&grams, &names, text), having, "{text}");
        }
    }

    #[test]
    fn says_what_it_does_not_know() {
        let mut grams = Grams::of([(3, "ann")].into_iter());
        assert!(!grams.renamed(9));
        assert!(!grams.renamed(3));
        assert!(!grams.renamed(9));
        assert_eq!(grams.stale(), [3, 9]);
        let mut all = 0..=u16::try_from(STALE).unwrap();
        assert!(all.any(|place| grams.renamed(place)));
    }
}
