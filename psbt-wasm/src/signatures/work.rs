//! How much work a file can cause.
//!
//! A script of unusual form is searched: every signature is tried with every key, and a file of 18 kB can name 400 of each. So
//! three limits hold at once: by the bytes of signatures and witnesses that the file has, for each input, and for any file at all.
//! An honest file stays far below all three; an input that goes over one is inconclusive.

/// The most signature checks of one file, however long it is: 2,000 inputs of 20 keys each.
pub const MAX_CHECKS: u32 = 40_000;

/// Bytes of signatures and witnesses for each signature check: the shortest key or signature that one could be for.
const BYTES_FOR_A_CHECK: usize = 32;

/// Checks that every file may ask for.
const CHECKS: usize = 256;

/// Checks that one input may ask for: more than a leaf with the most keys that a stack can serve, and about a tenth of a second.
const INPUT_CHECKS: usize = 1_024;

/// Bytes that are hashed in the time of one signature check.
pub(super) const HASHED_IN_A_CHECK: usize = 16 * 1024;

/// Bytes to hash in total: as many as the heaviest transaction that nodes relay (Core's `MAX_STANDARD_TX_WEIGHT`) if each of its
/// inputs is a P2PKH one, of which each hashes the whole transaction.
const HASHED: usize = 100_000 * 2_440;

/// Bytes to hash that count as no check: more than the scripts of any honest file.
const HASHED_FREELY: usize = 16 * 1024 * 1024;

/// What is left of it.
#[derive(Debug)]
pub(super) struct Work {
    /// Signature checks that were made.
    pub(super) checks: usize,
    /// Checks that the bytes of signatures still warrant.
    warranted: usize,
    hashed: usize,
    hashed_freely: usize,
    /// For the whole file and for this input, in bytes to hash; a check counts as [`HASHED_IN_A_CHECK`].
    file: usize,
    input: usize,
    /// Whether more was asked for than there was.
    pub(super) over: bool,
}

impl Work {
    /// The limit for a file with this many bytes of signatures and witnesses, and at most this many checks.
    pub(super) fn new(signature_bytes: usize, max_checks: u32) -> Self {
        let max_checks = usize::try_from(max_checks).unwrap_or(usize::MAX);
        Self {
            checks: 0,
            warranted: CHECKS + signature_bytes / BYTES_FOR_A_CHECK,
            hashed: HASHED,
            hashed_freely: HASHED_FREELY,
            file: max_checks.saturating_mul(HASHED_IN_A_CHECK),
            input: 0,
            over: false,
        }
    }

    /// Allows the checks of so many more bytes of signatures.
    pub(super) fn warrant(&mut self, signature_bytes: usize) {
        self.warranted += signature_bytes / BYTES_FOR_A_CHECK;
    }

    /// Begins with the next input.
    pub(super) fn next_input(&mut self) {
        self.input = INPUT_CHECKS * HASHED_IN_A_CHECK;
        self.over = false;
    }

    /// What is left for the file, in bytes to hash.
    pub(super) fn left(&self) -> usize {
        self.file
    }

    /// Takes a signature check; none when that is too much.
    pub(super) fn check(&mut self) -> Option<()> {
        take(&mut self.warranted, 1, &mut self.over)?;
        self.take(HASHED_IN_A_CHECK)?;
        self.checks += 1;
        Some(())
    }

    /// Takes this many bytes to hash from the budget; `None` when too few are left.
    pub(super) fn hash(&mut self, bytes: usize) -> Option<()> {
        take(&mut self.hashed, bytes, &mut self.over)?;
        let freely = bytes.min(self.hashed_freely);
        self.hashed_freely -= freely;
        self.take(bytes - freely)
    }

    fn take(&mut self, bytes: usize) -> Option<()> {
        take(&mut self.input, bytes, &mut self.over)?;
        take(&mut self.file, bytes, &mut self.over)
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
