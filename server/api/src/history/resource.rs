//! Addresses of immutable resources (C2SP tlog-tiles): tiles and bundles of entries.

use board_log::checkpoint::number;
use board_log::tree::{TileId, WIDTH};

/// A resource that never changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The first hashes of a tile, and their number.
    Tile(TileId, u64),
    /// The first entries below a tile of level 0, and their number.
    Entries(u64, u64),
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
        let index = index(place)?;
        if kind == "entries" {
            return Some(Self::Entries(index, width));
        }
        let level = number(kind).filter(|level| *level < 6)?;
        let level = u32::try_from(level).ok()?;
        Some(Self::Tile(TileId { level, index }, width))
    }

    /// Its tile, and how many of its hashes or entries.
    pub fn part(self) -> (TileId, u64) {
        match self {
            Self::Tile(id, width) => (id, width),
            Self::Entries(index, width) => (TileId { level: 0, index }, width),
        }
    }
}

/// A number in groups of three digits, all but the last with an `x` before it.
fn index(path: &str) -> Option<u64> {
    let mut digits = String::new();
    let mut groups = path.split('/').peekable();
    while let Some(group) = groups.next() {
        let last = groups.peek().is_none();
        let group = if last {
            group
        } else {
            group.strip_prefix('x')?
        };
        let three = group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
        three.then(|| digits.push_str(group))?;
    }
    let needless = digits.len() > 3 && digits.starts_with("000");
    (digits.len() <= 15 && !needless).then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_specification_are_resources() {
        let tile = |level, index, width| Some(Resource::Tile(TileId { level, index }, width));
        for (path, resource) in [
            ("0/000", tile(0, 0, 256)),
            ("0/x001/x234/067", tile(0, 1_234_067, 256)),
            ("1/017.p/255", tile(1, 17, 255)),
            ("entries/x001/000.p/1", Some(Resource::Entries(1_000, 1))),
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
