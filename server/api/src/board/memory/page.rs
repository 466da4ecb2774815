//! Some hundred rows, packed.

use memchr::memchr;
use memchr::memmem::Finder;

use store::shown_as::ShownAs;

/// How many rows a page has room for.
pub(super) const ROWS: usize = 1024;

/// Words of a bit for each row.
pub(super) const WORDS: usize = ROWS / 64;

/// Ends every name. No text in UTF-8 has such a byte.
const END: u8 = 0xff;

/// Stands for a number that is not there.
const NONE: u32 = u32::MAX;

/// A row without its names. Times are unix seconds, until the year 2106.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fixed {
    /// A UUID.
    pub(super) id: [u8; 16],
    /// What is shown as proven; 0 when nothing is.
    pub(super) sats: u64,
    last_verified: u32,
    updated_at: u32,
    /// See [`crate::pictures::version`].
    picture: [u8; 4],
    /// Where the name in lower case begins.
    name_at: u32,
    /// Where the name begins as it is shown, if that is another one.
    shown_at: u32,
    /// Which of the board's providers.
    pub(super) provider: u8,
    has_picture: bool,
    pub(super) shown_as: ShownAs,
    /// Whether there is a row at all.
    pub(super) taken: bool,
}

/// What a row is made of.
pub(super) struct Parts<'a> {
    pub(super) id: [u8; 16],
    pub(super) provider: u8,
    pub(super) shown_as: ShownAs,
    pub(super) sats: u64,
    pub(super) published: u64,
    pub(super) last_verified: Option<i64>,
    pub(super) updated_at: i64,
    pub(super) picture: Option<[u8; 4]>,
    pub(super) folded: &'a str,
    pub(super) shown: &'a str,
}

impl Fixed {
    /// In the board's order whoever was never verified comes after everybody else.
    pub(super) fn verified_order(&self) -> u32 {
        self.last_verified
    }

    pub(super) fn holdings_sats(&self) -> Option<i64> {
        i64::try_from(self.sats).ok().filter(|sats| *sats > 0)
    }

    pub(super) fn last_verified(&self) -> Option<i64> {
        (self.last_verified != NONE).then_some(i64::from(self.last_verified))
    }

    pub(super) fn updated_at(&self) -> i64 {
        self.updated_at.into()
    }

    pub(super) fn picture(&self) -> Option<[u8; 4]> {
        self.has_picture.then_some(self.picture)
    }
}

fn seconds(time: i64) -> u32 {
    u32::try_from(time.max(0)).unwrap_or(NONE - 1).min(NONE - 1)
}

/// Rows by their index. Their names stand one behind the other, in the rows' order, so that all are searched at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    rows: Vec<Fixed>,
    names: Vec<u8>,
    shown: Vec<u8>,
    /// Those with something proven.
    proven: [u64; WORDS],
    /// How much of what is shown stands on published proofs, for the few rows of which something does, by their indexes.
    published: Vec<(u16, u64)>,
}

impl Page {
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn row(&self, index: usize) -> &Fixed {
        &self.rows[index]
    }

    /// How much of what is shown of a row stands on published proofs; none when nothing does.
    pub(super) fn published_sats(&self, index: usize) -> Option<i64> {
        let at = self.find_published(index).ok()?;
        i64::try_from(self.published[at].1).ok()
    }

    fn find_published(&self, index: usize) -> Result<usize, usize> {
        let place = |entry: &(u16, u64)| usize::from(entry.0);
        self.published.binary_search_by_key(&index, place)
    }

    fn note_published(&mut self, index: usize, sats: u64) {
        let found = self.find_published(index);
        match (found, sats) {
            (Ok(at), 0) => drop(self.published.remove(at)),
            (Ok(at), sats) => self.published[at].1 = sats,
            (Err(_), 0) => {}
            (Err(at), sats) => {
                let index = u16::try_from(index).unwrap_or(u16::MAX);
                self.published.insert(at, (index, sats));
            }
        }
    }

    /// The rows with something proven, one bit for each.
    pub(super) fn proven(&self) -> &[u64; WORDS] {
        &self.proven
    }

    /// The name in lower case.
    pub(super) fn folded(&self, index: usize) -> &str {
        text_at(&self.names, self.rows[index].name_at)
    }

    /// The name as it is shown.
    pub(super) fn shown(&self, index: usize) -> &str {
        match self.rows[index].shown_at {
            NONE => self.folded(index),
            at => text_at(&self.shown, at),
        }
    }

    /// Puts a row behind the others.
    pub(super) fn push(&mut self, parts: &Parts<'_>) {
        let empty = Fixed {
            id: [0; 16],
            sats: 0,
            last_verified: NONE,
            updated_at: 0,
            picture: [0; 4],
            name_at: offset(&self.names),
            shown_at: NONE,
            provider: 0,
            has_picture: false,
            shown_as: ShownAs::Exact,
            taken: false,
        };
        self.rows.push(empty);
        self.names.push(END);
        self.set(self.rows.len() - 1, parts);
    }

    /// Puts a row in the place of the one that was there.
    pub(super) fn set(&mut self, index: usize, parts: &Parts<'_>) {
        self.rename(index, parts.folded);
        self.forget_shown(index);
        let shown_at = if parts.shown == parts.folded {
            NONE
        } else {
            let at = offset(&self.shown);
            self.shown.extend_from_slice(parts.shown.as_bytes());
            self.shown.push(END);
            at
        };
        self.rows[index] = Fixed {
            id: parts.id,
            sats: parts.sats,
            last_verified: parts.last_verified.map_or(NONE, seconds),
            updated_at: seconds(parts.updated_at),
            picture: parts.picture.unwrap_or_default(),
            name_at: self.rows[index].name_at,
            shown_at,
            provider: parts.provider,
            has_picture: parts.picture.is_some(),
            shown_as: parts.shown_as,
            taken: true,
        };
        self.note_proven(index, parts.sats > 0);
        self.note_published(index, parts.published);
    }

    /// Leaves the place of a row empty.
    pub(super) fn clear(&mut self, index: usize) {
        self.rename(index, "");
        self.forget_shown(index);
        self.rows[index].taken = false;
        self.note_proven(index, false);
        self.note_published(index, 0);
    }

    fn note_proven(&mut self, index: usize, proven: bool) {
        let (word, bit) = (&mut self.proven[index / 64], 1 << (index % 64));
        *word = if proven { *word | bit } else { *word & !bit };
    }

    /// Lets go of memory that is not used.
    pub(super) fn shrink(&mut self) {
        self.rows.shrink_to_fit();
        self.names.shrink_to_fit();
        self.shown.shrink_to_fit();
        self.published.shrink_to_fit();
    }

    /// The indexes of rows whose names contain the text, in ascending order. An empty text is in all.
    pub(super) fn containing(&self, text: &Finder<'_>) -> impl Iterator<Item = usize> {
        let (mut from, mut index) = (0, 0);
        std::iter::from_fn(move || {
            while from < self.names.len() {
                let at = from + text.find(&self.names[from..])?;
                // Where many have the text, the next one who has it is near.
                let behind = self.rows[index + 1..].iter();
                index += behind.take_while(|row| row.name_at as usize <= at).count();
                let found = index;
                index += 1;
                let next = self.rows.get(index);
                from = next.map_or(self.names.len(), |row| row.name_at as usize);
                if self.rows[found].taken {
                    return Some(found);
                }
            }
            None
        })
    }

    fn rename(&mut self, index: usize, folded: &str) {
        let at = self.rows[index].name_at as usize;
        let before = self.folded(index).len();
        self.names.splice(at..at + before, folded.bytes());
        for row in &mut self.rows[index + 1..] {
            row.name_at = moved(row.name_at, before, folded.len());
        }
    }

    fn forget_shown(&mut self, index: usize) {
        let at = self.rows[index].shown_at;
        if at == NONE {
            return;
        }
        let length = text_at(&self.shown, at).len() + 1;
        self.shown.drain(at as usize..at as usize + length);
        self.rows[index].shown_at = NONE;
        for row in &mut self.rows {
            if row.shown_at != NONE && row.shown_at > at {
                row.shown_at = moved(row.shown_at, length, 0);
            }
        }
    }
}

/// An offset behind a text whose length has changed.
fn moved(at: u32, before: usize, after: usize) -> u32 {
    let at = at as usize - before + after;
    u32::try_from(at).unwrap_or(NONE - 1)
}

fn offset(text: &[u8]) -> u32 {
    u32::try_from(text.len()).unwrap_or(NONE - 1)
}

fn text_at(text: &[u8], at: u32) -> &str {
    let text = &text[at as usize..];
    let end = memchr(END, text).unwrap_or(text.len());
    std::str::from_utf8(&text[..end]).unwrap_or_default()
}
