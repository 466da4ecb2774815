//! The two heights that bound an instant.

use alloc::vec::Vec;

use super::DEPTH;

/// The times of a block of the best chain, Unix seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockTimes {
    /// Its height.
    pub height: u32,
    /// The time in its header.
    pub time: i64,
    /// Its median time past (BIP-0113): the median of the header times of it and the ten blocks before.
    pub median_time: i64,
}

/// The heights that bound an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// The highest block that has no header time after the instant in it or in any block before it; none when not even the first one has
    /// none, and while the bounds are not settled.
    pub lower: Option<u32>,
    /// The highest block whose median time past is not after the instant; none when the instant is before the first block.
    pub upper: Option<u32>,
    /// Whether a block has a median time past after the instant, and [`DEPTH`] blocks are above `upper`.
    pub settled: bool,
}

/// What a search for the bounds does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// It needs the block at this height.
    Ask(u32),
    /// It is done.
    Found(Bounds),
}

/// How far before the instant the median time past must be where the search for late header times ends, in seconds. Nodes take a block at
/// most two hours before the time in its header, so a day leaves room for the slowest blocks.
const SEARCHED: i64 = 24 * 60 * 60;

/// How many blocks in a row must not be after the instant there: as many as a median is of.
const IN_A_ROW: u32 = 11;

/// The next step of a search for the heights that bound the instant `at`, from the blocks that are known, in any order. `tip` is the height of
/// the newest block.
#[must_use]
pub fn find_bounds(at: i64, tip: u32, known: &[BlockTimes]) -> Step {
    let given = known.iter().filter(|it| it.height <= tip);
    let mut known: Vec<BlockTimes> = Vec::new();
    for block in given {
        // There are a few dozen: sorting would be 3 kB of the module.
        if let Err(place) = known.binary_search_by_key(&block.height, |it| it.height) {
            known.insert(place, *block);
        }
    }
    let unsettled = Bounds {
        lower: None,
        upper: Some(tip),
        settled: false,
    };
    match known.last() {
        Some(last) if last.height == tip && last.median_time <= at => {
            return Step::Found(unsettled);
        }
        Some(last) if last.height == tip => {}
        _ => return Step::Ask(tip),
    }
    // Medians never fall along a chain, so halving finds the last one that is not after the instant.
    let after = known.partition_point(|block| block.median_time <= at);
    let above = known.get(after).map_or(tip, |block| block.height);
    let upper = match after.checked_sub(1).and_then(|at| known.get(at)) {
        Some(upper) => upper.height,
        None if above == 0 => {
            return Step::Found(Bounds {
                lower: None,
                upper: None,
                settled: true,
            });
        }
        None => return Step::Ask(above / 2),
    };
    if above - upper > 1 {
        return Step::Ask(upper + (above - upper) / 2);
    }
    if tip - upper < DEPTH {
        return Step::Found(Bounds {
            upper: Some(upper),
            ..unsettled
        });
    }
    match find_lower(at, upper, known.get(..after).unwrap_or_default()) {
        Ok(lower) => Step::Found(Bounds {
            lower,
            upper: Some(upper),
            settled: true,
        }),
        Err(height) => Step::Ask(height),
    }
}

/// The lower bound; or the height of a block that it takes. The last known block is the upper bound.
fn find_lower(at: i64, upper: u32, known: &[BlockTimes]) -> Result<Option<u32>, u32> {
    let mut lower = Some(upper);
    let mut in_a_row = 0;
    let mut next = Some(upper);
    for block in known.iter().rev() {
        let Some(height) = next else { break };
        if block.height != height {
            return Err(height);
        }
        next = height.checked_sub(1);
        if block.time > at {
            lower = next;
            in_a_row = 0;
        } else {
            in_a_row += 1;
        }
        if in_a_row >= IN_A_ROW && block.median_time <= at - SEARCHED {
            return Ok(lower);
        }
    }
    next.map_or(Ok(lower), Err)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// A chain of blocks with these header times.
    fn chain(times: &[i64]) -> Vec<BlockTimes> {
        let block = |at: usize| {
            let mut last = times[at.saturating_sub(10)..=at].to_vec();
            last.sort_unstable();
            BlockTimes {
                height: u32::try_from(at).expect("few"),
                time: times[at],
                median_time: last[last.len() / 2],
            }
        };
        (0..times.len()).map(block).collect()
    }

    /// The bounds that a search finds, and how many blocks it asked for.
    fn search(at: i64, chain: &[BlockTimes], together: usize) -> (Bounds, usize) {
        let tip = chain.last().expect("a block").height;
        let mut known = Vec::new();
        for asked in 0.. {
            match find_bounds(at, tip, &known) {
                Step::Found(bounds) => return (bounds, asked),
                Step::Ask(height) => {
                    let end = usize::try_from(height).expect("few") + 1;
                    assert!(
                        known
                            .iter()
                            .all(|block: &BlockTimes| block.height != height)
                    );
                    known.extend(&chain[end.saturating_sub(together)..end]);
                }
            }
        }
        unreachable!("a search ends");
    }

    /// By their definitions.
    fn defined(at: i64, chain: &[BlockTimes]) -> Bounds {
        let upper = chain.iter().rposition(|block| block.median_time <= at);
        let late = chain.iter().position(|block| block.time > at);
        let height = |at: usize| u32::try_from(at).expect("few");
        let settled = upper.is_none_or(|upper| upper + 6 < chain.len());
        let lower = late.unwrap_or(chain.len()).checked_sub(1);
        Bounds {
            lower: lower.map(height).filter(|_| settled),
            upper: upper.map(height),
            settled,
        }
    }

    #[test]
    fn bounds_are_those_of_their_definitions_wherever_times_are_out_of_order() {
        // A small generator: each block about ten minutes after the last, some up to two hours ahead or an hour behind.
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i64::try_from((seed >> 33) % below).expect("small")
        };
        let mut times: Vec<i64> = vec![1_700_000_000];
        let mut now = times[0];
        while times.len() < 600 {
            now += random(1_200);
            let mut last = times[times.len().saturating_sub(11)..].to_vec();
            last.sort_unstable();
            let median = last[last.len() / 2];
            let claimed = match random(6) {
                0 => now + random(7_200),
                1 => now - random(3_600),
                _ => now,
            };
            times.push(claimed.max(median + 1));
        }
        let chain = chain(&times);
        for at in (times[0] - 5..times[599] + 9_000)
            .step_by(397)
            .chain(times.clone())
        {
            for together in [1, 10, 600] {
                let (bounds, asked) = search(at, &chain, together);
                assert_eq!(bounds, defined(at, &chain), "{at}");
                assert!(asked <= 12 + 300 / together, "{asked}");
            }
        }
    }

    #[test]
    fn one_late_header_time_moves_the_lower_bound_below_it() {
        let mut times: Vec<i64> = (0..40).map(|number| 1_000_000 + 600 * number).collect();
        let at = times[30];
        let of = |times: &[i64]| search(at, &chain(times), 1).0;
        let whole = of(&times);
        assert_eq!((whole.lower, whole.settled), (None, false));
        times.extend((40..60).map(|number| 1_000_000 + 600 * number));
        let whole = of(&times);
        // The median of the last eleven blocks is five blocks behind.
        let expected = Bounds {
            lower: Some(30),
            upper: Some(35),
            settled: true,
        };
        assert_eq!(whole, expected);
        times[21] = at + 1;
        assert_eq!(of(&times).lower, Some(20));
        times[0] = at + 1;
        assert_eq!(of(&times).lower, None);
    }

    /// A chain whose clock stood still for a day and then jumped: medians follow six blocks later.
    #[test]
    fn a_jump_of_the_clock_is_found() {
        let jump = |at: i64| if at < 100 { at } else { 500_000 + at };
        let times: Vec<i64> = (0..130).map(jump).collect();
        let (bounds, _) = search(250_000, &chain(&times), 10);
        let expected = Bounds {
            lower: Some(99),
            upper: Some(104),
            settled: true,
        };
        assert_eq!(bounds, expected);
    }

    #[test]
    fn a_date_needs_six_blocks_above_it() {
        let times: Vec<i64> = (0..50).map(|number| 600 * number).collect();
        let settled = |at: i64, count: usize| search(at, &chain(&times[..count]), 1).0;
        let at = times[30];
        assert_eq!(settled(at, 42).upper, Some(35));
        assert!(settled(at, 42).settled);
        assert!(!settled(at, 41).settled);
        // In the future.
        assert!(!settled(1_000_000, 50).settled);
        let before = settled(-1, 50);
        assert_eq!((before.upper, before.settled), (None, true));
    }
}
