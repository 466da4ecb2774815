//! Addresses of immutable resources (C2SP tlog-tiles): tiles and bundles of entries.

use board_log::checkpoint::number;
use board_log::tree::{MAX_LEAVES, TileId, WIDTH};
use tlog_tiles::Tile;

/// A resource that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resource {
    pub tile: TileId,
    /// How many of the tile's first hashes.
    pub width: u64,
    /// Whether it has the entries of these hashes in place of them.
    pub is_entries: bool,
}

impl Resource {
    /// The resource at this path below `/log/tile/`. `None` for any spelling but the specification's.
    pub fn parse(path: &str) -> Option<Self> {
        let (kind, place) = path.split_once('/')?;
        let (place, width) = match place.split_once(".p/") {
            Some((place, width)) => (
                place,
                number(width).filter(|width| (1..WIDTH).contains(width))?,
            ),
            None => (place, WIDTH),
        };
        let is_entries = kind == "entries";
        let level = number(if is_entries { "0" } else { kind }).filter(|level| *level < 6)?;
        let (level, index) = (u8::try_from(level).ok()?, index(place)?);
        Some(Self {
            tile: TileId { level, index },
            width,
            is_entries,
        })
    }
}

/// A number in groups of three digits, all but the last with an `x` before it.
fn index(path: &str) -> Option<u64> {
    let index: u64 = path.replace(['x', '/'], "").parse().ok()?;
    let index = Some(index).filter(|index| *index < MAX_LEAVES)?;
    // There is only one spelling.
    let spelling = Tile::new(8, 0, index, 256, false).path();
    (spelling.strip_prefix("tile/8/0/") == Some(path)).then_some(index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_specification_are_resources() {
        let resource = |level, index, width, is_entries| {
            let tile = TileId { level, index };
            Some(Resource {
                tile,
                width,
                is_entries,
            })
        };
        let tile = |level, index, width| resource(level, index, width, false);
        for (path, resource) in [
            ("0/000", tile(0, 0, 256)),
            ("0/x001/x234/067", tile(0, 1_234_067, 256)),
            ("1/017.p/255", tile(1, 17, 255)),
            ("entries/x001/000.p/1", resource(0, 1_000, 1, true)),
            ("0/0", None),
            ("00/000", None),
            ("0/x000/001", None),
            ("0/001/001", None),
            ("0/x001", None),
            ("0/000.p/0", None),
            ("0/000.p/256", None),
            ("0/000.p/01", None),
            ("0/000/", None),
            ("9/000", None),
            ("entries/../0", None),
            ("0/x999/x999/x999/x999/x999/999", None),
        ] {
            assert_eq!(Resource::parse(path), resource, "{path}");
        }
    }
}
