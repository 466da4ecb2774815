//! Large files, sent in parts.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use moka::future::Cache;

use crate::board_log::BoardLog;
use crate::limits::queue::{Queue, Size, Turn};

/// How many files are sent at a time: in total, and to one network. Each is in memory, with a compressor, until the client has read it all.
const AT_ONCE: Size = Size::without_waiting(64, 4);

/// How long the board as CSV stays cached while no client asks for it.
const CACHED_FOR: Duration = Duration::from_secs(60);

/// How much of a file is given to the connection at a time, in bytes.
const PART: usize = 64 * 1024;

/// The files that are being sent. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Downloads {
    pub queue: Queue,
    pub board_log: Arc<BoardLog>,
    /// The board as CSV, by what is in it: log, entry and how many of its rows are there.
    pub csv: Cache<String, Bytes>,
}

impl Downloads {
    pub fn new(board_log: Arc<BoardLog>) -> Self {
        let csv = Cache::builder().max_capacity(1).time_to_idle(CACHED_FOR);
        Self {
            queue: Queue::new(AT_ONCE),
            board_log,
            csv: csv.build(),
        }
    }
}

/// A file whose reader has a turn until all of it is sent.
pub fn body(file: Bytes, turn: Turn) -> Body {
    let parts = (0..file.len()).step_by(PART).map(move |start| {
        let _until_the_end = &turn;
        Ok::<_, Infallible>(file.slice(start..file.len().min(start + PART)))
    });
    // The compression layer polls once more after the end.
    Body::from_stream(stream::iter(parts).fuse())
}
