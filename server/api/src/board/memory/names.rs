//! The names of all rows in one text, which a search scans. Not regular expressions: those take ten times as long for a plain name, and
//! longer still for patterns like `%a_________b%`.

use memchr::memmem::Finder;

use super::pattern::{EDGE, Pattern};

/// The names in lower case, in the order of the board.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// All names in one text, with a separator before, between and after them.
    text: Vec<u8>,
    /// Where each name begins in the text. The last entry is the end of the text.
    starts: Vec<usize>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            text: vec![EDGE],
            starts: vec![1],
        }
    }
}

impl Names {
    pub(super) fn push(&mut self, name: &str) {
        self.insert(self.starts.len() - 1, name);
    }

    pub(super) fn insert(&mut self, index: usize, name: &str) {
        let (at, length) = (self.starts[index], name.len() + 1);
        self.text.splice(at..at, name.bytes().chain([EDGE]));
        self.starts.insert(index, at);
        self.starts[index + 1..]
            .iter_mut()
            .for_each(|start| *start += length);
    }

    pub(super) fn remove(&mut self, index: usize) {
        let (at, end) = (self.starts[index], self.starts[index + 1]);
        self.text.drain(at..end);
        self.starts.remove(index);
        self.starts[index..]
            .iter_mut()
            .for_each(|start| *start -= end - at);
    }

    fn get(&self, index: usize) -> &str {
        let name = &self.text[self.starts[index]..self.starts[index + 1] - 1];
        std::str::from_utf8(name).unwrap_or_default()
    }

    pub(super) fn is_match(&self, index: usize, pattern: &Pattern) -> bool {
        pattern.matches(self.get(index))
    }

    /// The indexes of the names that contain the needle of the pattern, as those that match do, in ascending order.
    pub(super) fn candidates(&self, pattern: &Pattern) -> impl Iterator<Item = usize> {
        let needle = pattern.needle();
        let (mut from, mut index) = (0, 0);
        std::iter::from_fn(move || {
            let at = from + Finder::new(&needle).find(self.text.get(from..)?)?;
            // An edge at the start of the needle is before the name.
            let at = at + usize::from(needle[0] == EDGE);
            index += self.starts[index + 1..].partition_point(|start| *start <= at);
            // The search goes on with the edge before the next name; there is one after the last name as well.
            from = self.starts.get(index + 1)? - 1;
            Some(index)
        })
    }
}
