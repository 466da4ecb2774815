//! The Merkle trees of the log (RFC 6962, section 2.1), stored as tiles (C2SP tlog-tiles): 256 neighboring hashes of
//! every eighth level. Pure: the right tiles give any root and any proof.

use std::collections::{BTreeMap, BTreeSet};

use ct_merkle::{indices_for_consistency_proof, indices_for_inclusion_proof};
use sha2::{Digest, Sha256};

/// A SHA-256 hash.
pub type Hash = [u8; 32];

/// How many hashes a full tile has.
pub const WIDTH: u64 = 256;

/// The levels of a tree that a tile covers: 2 to the power of this is [`WIDTH`].
const LEVELS: u32 = 8;

/// The maximum number of leaves: no arithmetic overflows below it.
pub const MAX_LEAVES: u64 = 1 << 48;

/// The hash of a leaf whose data are these parts, concatenated.
#[must_use]
pub fn leaf(parts: &[&[u8]]) -> Hash {
    let mut hasher = Sha256::new_with_prefix([0]);
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize().into()
}

/// The hash of a node over two others.
#[must_use]
pub fn parent(left: &Hash, right: &Hash) -> Hash {
    let mut hasher = Sha256::new_with_prefix([1]);
    hasher.update(left);
    hasher.update(right);
    hasher.finalize().into()
}

/// The position of a tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TileId {
    /// 0 for hashes of leaves; each hash of a higher level is the hash of a full tile below.
    pub level: u32,
    pub index: u64,
}

impl TileId {
    /// How many hashes the tile has in a tree of this size.
    #[must_use]
    pub fn width(self, leaves: u64) -> u64 {
        let hashes = leaves.checked_shr(LEVELS * self.level).unwrap_or(0);
        hashes.saturating_sub(self.index * WIDTH).min(WIDTH)
    }
}

/// The range of leaves below a node: its first one, and the one after its last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaves {
    first: u64,
    end: u64,
}

impl Leaves {
    /// The first `end` leaves, whose node is the root of a tree of that size.
    #[must_use]
    pub fn up_to(end: u64) -> Self {
        Self { first: 0, end }
    }

    /// The leaves below the node of this number, as `ct_merkle` numbers the nodes of a tree (RFC 9420, appendix C).
    fn for_node(number: u64, leaves: u64) -> Self {
        let level = number.trailing_ones();
        let place = number >> (level + 1);
        let first = place << level;
        Self {
            first,
            end: (first + (1 << level)).min(leaves),
        }
    }

    /// The largest complete subtrees of the range, from the left: level and index.
    fn complete(self) -> impl DoubleEndedIterator<Item = (u32, u64)> {
        let mut subtrees = Vec::new();
        let mut first = self.first;
        while first < self.end {
            let fits = (self.end - first).ilog2();
            let level = fits.min(first.trailing_zeros());
            subtrees.push((level, first >> level));
            first += 1 << level;
        }
        subtrees.into_iter()
    }
}

/// The tiles that contain the hashes of these nodes, or from which they are computed.
#[must_use]
pub fn tiles_of(nodes: &[Leaves]) -> BTreeSet<TileId> {
    let complete = nodes.iter().flat_map(|node| node.complete());
    complete
        .map(|(level, place)| tile_of(level, place))
        .collect()
}

fn tile_of(level: u32, place: u64) -> TileId {
    TileId {
        level: level / LEVELS,
        index: place >> (LEVELS - level % LEVELS),
    }
}

/// The nodes that prove that a leaf is in a tree (RFC 6962, section 2.1.1). `None` when the index is out of range.
#[must_use]
pub fn inclusion(index: u64, leaves: u64) -> Option<Vec<Leaves>> {
    let possible = index < leaves && leaves <= MAX_LEAVES;
    possible.then(|| nodes(&indices_for_inclusion_proof(leaves, index), leaves))
}

/// The nodes that prove that a tree is the beginning of a larger one (RFC 6962, section 2.1.2). `None` when it cannot be.
#[must_use]
pub fn consistency(before: u64, leaves: u64) -> Option<Vec<Leaves>> {
    let possible = 0 < before && before <= leaves && leaves <= MAX_LEAVES;
    possible.then(|| {
        let numbers = indices_for_consistency_proof(before, leaves - before);
        nodes(&numbers, leaves)
    })
}

fn nodes(numbers: &[u64], leaves: u64) -> Vec<Leaves> {
    let nodes = numbers.iter();
    nodes
        .map(|number| Leaves::for_node(*number, leaves))
        .collect()
}

/// Some tiles of one tree.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    tiles: BTreeMap<TileId, Vec<Hash>>,
    changed: BTreeSet<TileId>,
}

impl Tiles {
    pub fn add(&mut self, id: TileId, hashes: Vec<Hash>) {
        self.tiles.insert(id, hashes);
    }

    /// The hash of a node, when the tiles contain it.
    #[must_use]
    pub fn hash(&self, node: Leaves) -> Option<Hash> {
        let mut hash = None;
        for (level, place) in node.complete().rev() {
            let left = self.complete(level, place)?;
            hash = Some(hash.map_or(left, |right| parent(&left, &right)));
        }
        hash
    }

    /// The hashes of nodes, when the tiles contain all of them.
    #[must_use]
    pub fn hashes(&self, nodes: &[Leaves]) -> Option<Vec<Hash>> {
        nodes.iter().map(|node| self.hash(*node)).collect()
    }

    fn complete(&self, level: u32, place: u64) -> Option<Hash> {
        let id = tile_of(level, place);
        let hashes = self.tiles.get(&id)?;
        let height = level % LEVELS;
        let first = usize::try_from((place << height) & (WIDTH - 1)).ok()?;
        Some(root(hashes.get(first..first + (1 << height))?))
    }

    /// Replaces a leaf, or appends it to its tile. `None` when there is a gap before it.
    #[must_use]
    pub fn put(&mut self, index: u64, hash: Hash) -> Option<()> {
        self.put_at(0, index, hash)
    }

    fn put_at(&mut self, level: u32, index: u64, hash: Hash) -> Option<()> {
        let id = TileId {
            level,
            index: index / WIDTH,
        };
        let hashes = self.tiles.entry(id).or_default();
        let place = usize::try_from(index % WIDTH).ok()?;
        if hashes.len() == place {
            hashes.push(hash);
        } else {
            *hashes.get_mut(place)? = hash;
        }
        self.changed.insert(id);
        Some(())
    }

    /// Updates the levels above the changed leaves, and returns the tiles that have changed.
    #[must_use]
    pub fn settle(&mut self) -> Option<Vec<(TileId, &[Hash])>> {
        let mut level = 0;
        loop {
            let full: Vec<(u64, Hash)> = self
                .changed
                .iter()
                .filter(|id| id.level == level)
                .filter_map(|id| Some((id.index, self.tiles.get(id)?)))
                .filter(|(_, hashes)| hashes.len() as u64 == WIDTH)
                .map(|(index, hashes)| (index, root(hashes)))
                .collect();
            if full.is_empty() {
                break;
            }
            level += 1;
            for (index, hash) in full {
                self.put_at(level, index, hash)?;
            }
        }
        let changed = self.changed.iter();
        Some(
            changed
                .filter_map(|id| Some((*id, self.tiles.get(id)?.as_slice())))
                .collect(),
        )
    }
}

/// The tiles that change with these leaves, in a tree that then has `leaves`.
#[must_use]
pub fn tiles_above(indices: impl Iterator<Item = u64>, leaves: u64) -> BTreeSet<TileId> {
    let mut ids = BTreeSet::new();
    for index in indices {
        let (mut level, mut above) = (0, index / WIDTH);
        while leaves.checked_shr(LEVELS * level).unwrap_or(0) > 0 {
            ids.insert(TileId {
                level,
                index: above,
            });
            above /= WIDTH;
            level += 1;
        }
    }
    ids
}

/// The root over these hashes. Their number is a power of two.
fn root(hashes: &[Hash]) -> Hash {
    match hashes {
        [hash] => *hash,
        _ => {
            let (left, right) = hashes.split_at(hashes.len() / 2);
            parent(&root(left), &root(right))
        }
    }
}

#[cfg(test)]
mod tests {
    use ct_merkle::mem_backed_tree::MemoryBackedTree;
    use ct_merkle::{ConsistencyProof, InclusionProof, RootHash};
    use sha2::digest::Output;

    use super::*;

    type Tree = MemoryBackedTree<Sha256, Vec<u8>>;

    /// Appends leaves both to tiles and to the crate's in-memory tree.
    fn grown(leaves: u64) -> (Tiles, Tree) {
        let (mut tiles, mut tree) = (Tiles::default(), Tree::new());
        for index in 0..leaves {
            let data = index.to_be_bytes().to_vec();
            tiles.put(index, leaf(&[&data])).unwrap();
            tree.push(data);
        }
        tiles.settle().unwrap();
        (tiles, tree)
    }

    fn root_of(tree: &Tree) -> Hash {
        (*tree.root().as_bytes()).into()
    }

    fn digests(tiles: &Tiles, nodes: &[Leaves]) -> Vec<Output<Sha256>> {
        let hashes = tiles.hashes(nodes).unwrap();
        hashes.into_iter().map(Into::into).collect()
    }

    #[test]
    fn roots_and_proofs_are_those_of_a_tree_in_memory() {
        for leaves in [1, 2, 3, 255, 256, 257, 511, 700, 65_536, 65_537, 66_000] {
            let (tiles, tree) = grown(leaves);
            assert_eq!(tiles.hash(Leaves::up_to(leaves)), Some(root_of(&tree)));
            for index in [0, 1, leaves / 2, leaves - 1].map(|it| it.min(leaves - 1)) {
                let nodes = inclusion(index, leaves).unwrap();
                let proof = InclusionProof::<Sha256>::from_digests(&digests(&tiles, &nodes));
                let data = index.to_be_bytes().to_vec();
                tree.root().verify_inclusion(&data, index, &proof).unwrap();
            }
            for before in [1, leaves / 3, leaves / 2, leaves - 1, leaves] {
                let Some(nodes) = consistency(before, leaves) else {
                    assert_eq!(before, 0);
                    continue;
                };
                let proof = ConsistencyProof::<Sha256>::from_digests(&digests(&tiles, &nodes));
                // A smaller tree is in the tiles of a larger one.
                let old = tiles.hash(Leaves::up_to(before)).unwrap();
                let old = RootHash::<Sha256>::new(old.into(), before);
                tree.root().verify_consistency(&old, &proof).unwrap();
            }
        }
    }

    #[test]
    fn a_leaf_may_change_in_its_place() {
        let (mut tiles, mut tree) = grown(700);
        let (other, _) = grown(1);
        tiles.put(300, leaf(&[b"other"])).unwrap();
        tiles.settle().unwrap();
        let data: Vec<Vec<u8>> = tree.items().to_vec();
        tree = Tree::new();
        for (index, data) in data.into_iter().enumerate() {
            tree.push(if index == 300 {
                b"other".to_vec()
            } else {
                data
            });
        }
        assert_eq!(tiles.hash(Leaves::up_to(700)), Some(root_of(&tree)));
        assert_eq!(
            other.hash(Leaves::up_to(2)),
            None,
            "a leaf that is not there"
        );
        assert_eq!(tiles.put(702, leaf(&[b"gap"])), None);
    }

    #[test]
    fn tiles_have_the_widths_of_their_tree() {
        // C2SP tlog-tiles, "Partial Tiles": a tree of 70,000.
        let widths = |level, index| TileId { level, index }.width(70_000);
        assert_eq!(
            (widths(0, 272), widths(0, 273), widths(0, 274)),
            (256, 112, 0)
        );
        assert_eq!((widths(1, 0), widths(1, 1), widths(2, 0)), (256, 17, 1));
        assert_eq!(TileId { level: 1, index: 0 }.width(256), 1);
    }
}
