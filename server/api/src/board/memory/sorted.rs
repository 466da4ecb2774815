//! A sorted list of places that shares what has not changed with its copies.

use std::sync::Arc;

/// The most places of one part. A copy that changes copies the parts that it changes, and a pointer to each other one.
const MOST: usize = 2048;

/// Two parts that are together smaller than this become one.
const FEW: usize = MOST / 4;

/// Places in an order that its owner knows: every question brings along what comes before the place asked about.
#[derive(Clone, Debug, Default)]
pub(super) struct Sorted {
    parts: Vec<Arc<Vec<u32>>>,
    /// How many places stand before each part.
    starts: Vec<usize>,
    len: usize,
}

impl Sorted {
    /// The list of these, which are in order. Nothing but the list is made: of a million places, what else there was would stay with
    /// the allocator.
    pub(super) fn of(places: impl IntoIterator<Item = u32>) -> Self {
        let mut places = places.into_iter().peekable();
        let mut sorted = Self::default();
        while places.peek().is_some() {
            // Room for those that come.
            let mut part = Vec::with_capacity(MOST * 3 / 4);
            part.extend(places.by_ref().take(MOST * 3 / 4));
            part.shrink_to_fit();
            sorted.len += part.len();
            sorted.parts.push(Arc::new(part));
        }
        sorted.count_from(0);
        sorted
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// How many come first of whom `before` is true.
    pub(super) fn count(&self, before: impl FnMut(u32) -> bool) -> usize {
        let (part, index) = self.find(before);
        self.starts
            .get(part)
            .map_or(self.len, |start| start + index)
    }

    /// Those from `first` on.
    pub(super) fn from(&self, first: usize) -> impl Iterator<Item = u32> {
        let part = self.starts.partition_point(|start| *start <= first);
        let part = part.saturating_sub(1);
        let skip = first - self.starts.get(part).copied().unwrap_or_default();
        let parts = self.parts[part..].iter();
        parts.flat_map(|part| part.iter().copied()).skip(skip)
    }

    /// Those for whom `before` is no longer true.
    pub(super) fn behind(&self, before: impl FnMut(u32) -> bool) -> impl Iterator<Item = u32> {
        let (part, index) = self.find(before);
        let parts = self.parts[part..].iter();
        parts.flat_map(|part| part.iter().copied()).skip(index)
    }

    pub(super) fn insert(&mut self, place: u32, before: impl FnMut(u32) -> bool) {
        self.len += 1;
        let (mut at, mut index) = self.find(before);
        if at == self.parts.len() {
            // Behind everybody: in the last part.
            let Some(last) = at.checked_sub(1) else {
                *self = Self::of([place]);
                return;
            };
            (at, index) = (last, self.parts[last].len());
        }
        let part = Arc::make_mut(&mut self.parts[at]);
        part.insert(index, place);
        if part.len() > MOST {
            let behind = part.split_off(MOST / 2);
            part.shrink_to_fit();
            self.parts.insert(at + 1, Arc::new(behind));
        }
        self.count_from(at);
    }

    /// Takes out a place that is there.
    pub(super) fn remove(&mut self, place: u32, before: impl FnMut(u32) -> bool) {
        let (at, index) = self.find(before);
        let found = self.parts.get(at).and_then(|part| part.get(index));
        debug_assert_eq!(found, Some(&place), "the order is the one of before");
        if found != Some(&place) {
            return;
        }
        self.len -= 1;
        let part = Arc::make_mut(&mut self.parts[at]);
        part.remove(index);
        if part.is_empty() {
            self.parts.remove(at);
        } else if at + 1 < self.parts.len() && self.parts[at].len() + self.parts[at + 1].len() < FEW
        {
            let behind = self.parts.remove(at + 1);
            Arc::make_mut(&mut self.parts[at]).extend_from_slice(&behind);
        }
        self.count_from(at);
    }

    /// Counts how many stand before each part, from this one on.
    fn count_from(&mut self, part: usize) {
        self.starts.truncate(part);
        let before = part.checked_sub(1);
        let mut count = before.map_or(0, |at| self.starts[at] + self.parts[at].len());
        for part in &self.parts[part..] {
            self.starts.push(count);
            count += part.len();
        }
    }

    /// The part and the index in it at which `before` is no longer true.
    fn find(&self, mut before: impl FnMut(u32) -> bool) -> (usize, usize) {
        let ends_before = |part: &Arc<Vec<u32>>| part.last().is_some_and(|last| before(*last));
        let at = self.parts.partition_point(ends_before);
        let index = self
            .parts
            .get(at)
            .map_or(0, |part| part.partition_point(|place| before(*place)));
        (at, index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_sorted_after_many_changes_and_leaves_its_copies_alone() {
        let mut sorted = Sorted::of([]);
        // Multiples of a generator modulo a prime: every number once, in no order.
        let numbers: Vec<u32> = (1..10_007_u32).map(|n| n * 5 % 10_007).collect();
        for number in &numbers {
            sorted.insert(*number, |other| other < *number);
        }
        let full: Vec<u32> = (1..10_007).collect();
        assert_eq!(sorted.from(0).collect::<Vec<_>>(), full);
        assert_eq!(
            Sorted::of(full.iter().copied())
                .from(9_000)
                .collect::<Vec<_>>(),
            full[9_000..]
        );
        let before = sorted.clone();
        for number in numbers.iter().filter(|number| **number % 3 != 0) {
            sorted.remove(*number, |other| other < *number);
        }
        let left: Vec<u32> = (1..10_007).filter(|number| number % 3 == 0).collect();
        assert_eq!(sorted.from(0).collect::<Vec<_>>(), left);
        assert_eq!(sorted.len(), left.len());
        assert_eq!(sorted.count(|other| other < 3_000), 999);
        assert_eq!(
            sorted.behind(|other| other < 10_000).collect::<Vec<_>>(),
            [10_002, 10_005]
        );
        assert_eq!(before.from(0).collect::<Vec<_>>(), full);
        for number in left {
            sorted.remove(number, |other| other < number);
        }
        assert_eq!((sorted.len(), sorted.from(0).next()), (0, None));
    }
}
