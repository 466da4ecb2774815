//! Addresses of immutable resources (C2SP tlog-tiles): tiles, and bundles of entries, which are the data tiles of [`tlog_tiles`].

use board_log::checkpoint::number;
use board_log::tree::{MAX_LEAVES, WIDTH};
use tlog_tiles::Tile;

/// The levels of a tree that a tile covers: 2 to the power of this is [`WIDTH`].
const HEIGHT: u8 = 8;

/// The most levels of tiles that a log has.
const LEVELS: u64 = 6;

/// The resource at this path below `/log/tile/`. `None` for any spelling but the specification's.
pub fn parse(path: &str) -> Option<Tile> {
    let (level, place) = path.split_once('/')?;
    let level = match level {
        "entries" => "data",
        level => number(level).filter(|it| *it < LEVELS).map(|_| level)?,
    };
    // `Tile::from_path` panics at a width of 0.
    if let Some((_, width)) = place.rsplit_once(".p/") {
        number(width).filter(|width| *width > 0)?;
    }
    let tile = Tile::from_path(&format!("tile/{HEIGHT}/{level}/{place}")).ok()?;
    (tile.level_index() < MAX_LEAVES).then_some(tile)
}

/// Whether a log of this size has the resource.
pub(super) fn is_in(size: u64, resource: Tile) -> bool {
    let hashes = size >> (HEIGHT * resource.level());
    resource.level_index() * WIDTH + u64::from(resource.width()) <= hashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_specification_are_resources() {
        let tile = |level, index, width| Some(Tile::new(HEIGHT, level, index, width, false));
        for (path, resource) in [
            ("0/000", tile(0, 0, 256)),
            ("0/x001/x234/067", tile(0, 1_234_067, 256)),
            ("1/017.p/255", tile(1, 17, 255)),
            (
                "entries/x001/000.p/1",
                Some(Tile::new(HEIGHT, 0, 1_000, 1, true)),
            ),
            ("0/0", None),
            ("00/000", None),
            ("0/x000/001", None),
            ("0/001/001", None),
            ("0/x001", None),
            ("0/000.p/0", None),
            ("0/000.p/00", None),
            ("0/000.p/256", None),
            ("0/000.p/01", None),
            ("0/000/", None),
            ("9/000", None),
            ("64/000", None),
            ("data/000", None),
            ("entries/../0", None),
            ("0/x999/x999/x999/x999/x999/999", None),
        ] {
            assert_eq!(parse(path), resource, "{path}");
        }
    }

    #[test]
    fn tiles_have_the_widths_of_their_tree() {
        // C2SP tlog-tiles, "Partial Tiles": a tree of 70,000.
        for (path, size, there) in [
            ("0/272", 70_000, true),
            ("0/273.p/112", 70_000, true),
            ("0/273.p/113", 70_000, false),
            ("0/274.p/1", 70_000, false),
            ("1/000", 70_000, true),
            ("1/001.p/17", 70_000, true),
            ("1/001.p/18", 70_000, false),
            ("2/000.p/1", 70_000, true),
            ("2/000.p/2", 70_000, false),
            ("entries/273.p/113", 70_000, false),
            ("1/000.p/1", 256, true),
            ("1/000.p/1", 255, false),
        ] {
            assert_eq!(is_in(size, parse(path).unwrap()), there, "{path}");
        }
    }
}
