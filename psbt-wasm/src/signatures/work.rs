//! How much work a file may ask for.
//!
//! A script of unusual form is searched: every signature is tried with every key, and a file of 18 kB can name 400 of each. So
//! checks are counted against the length of the file, and what older signatures hash against what nodes relay. An
//! honest file stays far below both; an input that does not is inconclusive.

/// Bytes of a file for each signature check: the shortest key or signature that one could be for.
const BYTES_FOR_A_CHECK: usize = 32;

/// Checks that every file may ask for.
const CHECKS: usize = 256;

/// Bytes to hash in all: as many as the heaviest transaction that nodes relay (Core's `MAX_STANDARD_TX_WEIGHT`) if each of its
/// inputs is a P2PKH one, of which each hashes the whole transaction.
const HASHED: usize = 100_000 * 2_440;

/// What is left of it.
#[derive(Debug)]
pub(super) struct Work {
    checks: usize,
    hashed: usize,
    /// Whether more was asked for than there was.
    pub(super) over: bool,
}

impl Work {
    pub(super) fn for_file(bytes: usize) -> Self {
        Self {
            checks: CHECKS + bytes / BYTES_FOR_A_CHECK,
            hashed: HASHED,
            over: false,
        }
    }

    /// How many signature checks were made of a file of this length.
    pub(super) fn checks_made(&self, bytes: usize) -> usize {
        Self::for_file(bytes).checks - self.checks
    }

    /// Takes so many signature checks; none when that is too much.
    pub(super) fn check(&mut self, checks: usize) -> Option<()> {
        take(&mut self.checks, checks, &mut self.over)
    }

    /// Takes so many bytes to hash; none when that is too much.
    pub(super) fn hash(&mut self, bytes: usize) -> Option<()> {
        take(&mut self.hashed, bytes, &mut self.over)
    }
}

fn take(left: &mut usize, wanted: usize, over: &mut bool) -> Option<()> {
    if let Some(rest) = left.checked_sub(wanted) {
        *left = rest;
        Some(())
    } else {
        *over = true;
        None
    }
}
