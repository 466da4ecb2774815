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

/// The hash of a leaf with these data.
pub fn leaf(data: &[u8]) -> Hash {
    Sha256::new_with_prefix([0])
        .chain_update(data)
        .finalize()
        .into()
}

/// The hash of a node over two others.
fn parent(left: &Hash, right: &Hash) -> Hash {
    Sha256::new_with_prefix([1])
        .chain_update(left)
        .chain_update(right)
        .finalize()
        .into()
}

/// The root over leaves that come one after another (RFC 6962, section 2.1). Keeps only the roots of complete subtrees.
#[derive(Clone, Debug, Default)]
pub struct RunningRoot {
    leaves: u64,
    subtrees: Vec<Hash>,
}

impl RunningRoot {
    pub fn push(&mut self, leaf: Hash) {
        let mut hash = leaf;
        // Each 1 at the end of the number of leaves in binary is a complete subtree of the size of the new one: the two become one.
        for _ in 0..self.leaves.trailing_ones() {
            hash = self
                .subtrees
                .pop()
                .map_or(hash, |left| parent(&left, &hash));
        }
        self.subtrees.push(hash);
        self.leaves += 1;
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> u64 {
        self.leaves
    }

    pub fn root(&self) -> Hash {
        let subtrees = self.subtrees.iter().copied().rev();
        let root = subtrees.reduce(|right, left| parent(&left, &right));
        root.unwrap_or_else(|| Sha256::digest([]).into())
    }
}

impl Extend<Hash> for RunningRoot {
    fn extend<I: IntoIterator<Item = Hash>>(&mut self, leaves: I) {
        leaves.into_iter().for_each(|leaf| self.push(leaf));
    }
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
pub fn inclusion(index: u64, leaves: u64) -> Option<Vec<Leaves>> {
    let possible = index < leaves && leaves <= MAX_LEAVES;
    possible.then(|| nodes(&indices_for_inclusion_proof(leaves, index), leaves))
}

/// The nodes that prove that a tree is the beginning of a larger one (RFC 6962, section 2.1.2). `None` when it cannot be.
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
pub struct Tiles(BTreeMap<TileId, Vec<Hash>>);

impl Tiles {
    pub fn add(&mut self, id: TileId, hashes: Vec<Hash>) {
        self.0.insert(id, hashes);
    }

    /// The hashes of a tile; none when it is not among these.
    pub fn tile(&self, id: TileId) -> &[Hash] {
        self.0.get(&id).map_or(&[], Vec::as_slice)
    }

    /// The hash of a node, when the tiles contain it.
    pub fn hash(&self, node: Leaves) -> Option<Hash> {
        let mut hash = None;
        for (level, place) in node.complete().rev() {
            let left = self.complete(level, place)?;
            hash = Some(hash.map_or(left, |right| parent(&left, &right)));
        }
        hash
    }

    /// The hashes of nodes, when the tiles contain all of them.
    pub fn hashes(&self, nodes: &[Leaves]) -> Option<Vec<Hash>> {
        nodes.iter().map(|node| self.hash(*node)).collect()
    }

    fn complete(&self, level: u32, place: u64) -> Option<Hash> {
        let hashes = self.tile(tile_of(level, place));
        let height = level % LEVELS;
        let first = usize::try_from((place << height) & (WIDTH - 1)).ok()?;
        Some(root(hashes.get(first..first + (1 << height))?))
    }

    /// Appends a leaf, for which the tiles of all leaves before it must be there ([`tiles_of`]). Returns the tiles that have
    /// changed: that of the leaf, and those above as long as the tile below has become full. `None` when a hash is missing.
    pub fn append(&mut self, index: u64, leaf: Hash) -> Option<Vec<TileId>> {
        let (mut place, mut hash) = (index, leaf);
        let mut changed = Vec::new();
        for level in 0.. {
            let id = TileId {
                level,
                index: place / WIDTH,
            };
            let hashes = self.0.entry(id).or_default();
            if hashes.len() as u64 != place % WIDTH {
                return None;
            }
            hashes.push(hash);
            changed.push(id);
            if (hashes.len() as u64) < WIDTH {
                break;
            }
            (place, hash) = (id.index, root(hashes));
        }
        Some(changed)
    }
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
            tiles.append(index, leaf(&data)).unwrap();
            tree.push(data);
        }
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
    fn a_leaf_is_appended_to_the_tiles_of_the_leaves_before_it() {
        for leaves in [0, 1, 255, 256, 511, 700, 65_535, 65_536] {
            let (all, _) = grown(leaves);
            let mut some = Tiles::default();
            for id in tiles_of(&[Leaves::up_to(leaves)]) {
                some.add(id, all.tile(id).to_vec());
            }
            let (grown, _) = grown(leaves + 1);
            let changed = some.append(leaves, leaf(&leaves.to_be_bytes())).unwrap();
            for id in changed {
                assert_eq!(some.tile(id), grown.tile(id), "{leaves}");
            }
            let whole = Leaves::up_to(leaves + 1);
            assert_eq!(some.hash(whole), grown.hash(whole), "{leaves}");
        }
    }

    #[test]
    fn what_is_not_there_has_no_hash_and_nothing_follows_it() {
        let (mut tiles, _) = grown(1);
        assert_eq!(tiles.hash(Leaves::up_to(2)), None);
        assert_eq!(tiles.append(2, leaf(b"gap")), None);
    }

    #[test]
    fn a_running_root_is_that_of_the_tree() {
        let mut running = RunningRoot::default();
        assert_eq!(running.root(), <Hash>::from(Sha256::digest([])));
        let mut tree = Tree::new();
        for index in 0..600_u64 {
            let data = index.to_be_bytes().to_vec();
            running.push(leaf(&data));
            tree.push(data);
            assert_eq!(running.root(), root_of(&tree), "{index}");
        }
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
