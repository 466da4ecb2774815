//! Several proofs for one request as one: a sum for each name, in which no coin counts twice.

use alloc::vec::Vec;

use crate::read::duplicates::{firsts, start};
use crate::statement::CoinNetwork;

/// The most files of a joint proof.
pub const MAX_FILES: usize = 20;

/// The most coins of a joint proof.
pub const MAX_COINS: usize = 5_000;

/// What is known of a proof file or of several together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum ProofStatus {
    /// All of it was checked, and is right.
    Right,
    /// It is false.
    False,
    /// Not everything could be checked.
    Unchecked,
}

/// A proof for one reader, and what its own check found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JoinedFile<'a> {
    /// SHA-256 of the file.
    pub sha256: &'a [u8],
    /// Network of the coins.
    pub network: CoinNetwork,
    /// The reader's request.
    pub request: &'a str,
    /// The name that the holder chose.
    pub name: &'a str,
    /// What its own check found, at the date if there is one.
    pub status: ProofStatus,
    /// Its coins.
    pub coins: Vec<JoinedCoin<'a>>,
}

/// A coin of a [`JoinedFile`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JoinedCoin<'a> {
    /// Txid and index as they are in a transaction.
    pub outpoint: &'a [u8],
    /// In sats.
    pub value: u64,
    /// Whether it is in the sum of its file.
    pub counts: bool,
}

/// Why several files are not right together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum JointReason {
    /// A file is false.
    FalseFile,
    /// A file was made for another request than the first one.
    OtherRequest,
    /// A file is about coins of another network than the first one.
    OtherNetwork,
    /// Too many files or coins.
    TooMany,
    /// Not everything in a file could be checked.
    UncheckedFile,
    /// A file is there twice.
    SameFile,
    /// Two files name the same coin.
    SameCoin,
}

crate::facts::names!(ProofStatus: code, JointReason: code);

impl JointReason {
    fn status(self) -> ProofStatus {
        match self {
            Self::FalseFile | Self::OtherRequest | Self::OtherNetwork => ProofStatus::False,
            _ => ProofStatus::Unchecked,
        }
    }

    /// Whether there are still sums, in which each coin counts once.
    fn has_sums(self) -> bool {
        matches!(self, Self::SameFile | Self::SameCoin)
    }
}

/// Several proofs as one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct JointProof {
    /// Right only if every file is, and they fit together.
    pub status: ProofStatus,
    /// Why it is not right, and the file that is the reason, if one is.
    pub reason: Option<(JointReason, Option<usize>)>,
    /// One for each name, in the order of the files.
    pub names: Vec<NamedSum>,
    /// The sum over all names. None unless there is only one, or they are one client.
    pub amount_sats: Option<u64>,
    /// For each coin that several files name: the files, in order, and its index in the first of them.
    pub shared: Vec<(Vec<usize>, usize)>,
}

/// What the files of one name show together.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedSum {
    /// The files of this name.
    pub files: Vec<usize>,
    /// How many of their coins count, each once, for the first file that names it.
    pub coins: usize,
    /// Their value in sats. None while a file is false or unchecked: a part is never a sum.
    pub amount_sats: Option<u64>,
}

/// Puts proofs for one reader together. `one_client`: the reader says that all names are one client.
#[must_use]
pub fn join_proofs(files: &[JoinedFile<'_>], one_client: bool) -> JointProof {
    let coins: Vec<(usize, usize, &JoinedCoin<'_>)> = (files.iter().enumerate())
        .flat_map(|(file, it)| {
            (it.coins.iter().enumerate()).map(move |(at, coin)| (file, at, coin))
        })
        .collect();
    let count = coins.len();
    // What is refused is not compared.
    let coins = if count > MAX_COINS { Vec::new() } else { coins };
    let outpoints: Vec<&[u8]> = coins.iter().map(|(_, _, coin)| coin.outpoint).collect();
    let firsts = firsts(&outpoints, start);
    let mut shared: Vec<(usize, Vec<usize>, usize)> = Vec::new();
    let mut counted = alloc::vec![(0, 0_u64); files.len()];
    for (at, first) in firsts.into_iter().enumerate() {
        let (file, _, coin) = coins[at];
        if first == at {
            if coin.counts {
                let (count, sum) = &mut counted[file];
                *count += 1;
                *sum = sum.saturating_add(coin.value);
            }
            continue;
        }
        match shared.iter_mut().find(|(known, ..)| *known == first) {
            Some((_, others, _)) => others.push(file),
            None => shared.push((first, alloc::vec![coins[first].0, file], coins[first].1)),
        }
    }
    let reason = reason(files, count, &shared);
    let has_sums = reason.is_none_or(|(reason, _)| reason.has_sums());
    let names = names(files, &counted, has_sums);
    let is_one = has_sums && (one_client || names.len() == 1);
    let sums = names.iter().filter_map(|name| name.amount_sats);
    JointProof {
        status: reason.map_or(ProofStatus::Right, |(reason, _)| reason.status()),
        reason,
        amount_sats: is_one.then(|| sums.fold(0, u64::saturating_add)),
        names,
        shared: shared
            .into_iter()
            .map(|(_, files, at)| (files, at))
            .collect(),
    }
}

fn names(files: &[JoinedFile<'_>], counted: &[(usize, u64)], has_sums: bool) -> Vec<NamedSum> {
    let mut names: Vec<NamedSum> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let (coins, sats) = counted[at];
        let same = |named: &&mut NamedSum| files[named.files[0]].name == file.name;
        match names.iter_mut().find(same) {
            Some(named) => {
                named.files.push(at);
                named.coins += coins;
                named.amount_sats = named.amount_sats.map(|sum| sum.saturating_add(sats));
            }
            None => names.push(NamedSum {
                files: alloc::vec![at],
                coins,
                amount_sats: has_sums.then_some(sats),
            }),
        }
    }
    names
}

/// The first reason why files are not right together: what is false before what is unchecked.
fn reason(
    files: &[JoinedFile<'_>],
    coins: usize,
    shared: &[(usize, Vec<usize>, usize)],
) -> Option<(JointReason, Option<usize>)> {
    let find = |reason: JointReason, is: &dyn Fn(usize, &JoinedFile<'_>) -> bool| {
        let found = files.iter().enumerate().position(|(at, file)| is(at, file));
        found.map(|at| (reason, Some(at)))
    };
    let is_other = |at: usize, same: &dyn Fn(&JoinedFile<'_>, &JoinedFile<'_>) -> bool| {
        files.first().is_some_and(|first| !same(first, &files[at]))
    };
    let false_one = find(JointReason::FalseFile, &|_, file| {
        file.status == ProofStatus::False
    });
    false_one
        .or_else(|| {
            find(JointReason::OtherRequest, &|at, _| {
                is_other(at, &|first, file| first.request == file.request)
            })
        })
        .or_else(|| {
            find(JointReason::OtherNetwork, &|at, _| {
                is_other(at, &|first, file| first.network == file.network)
            })
        })
        .or_else(|| {
            let is_none = files.is_empty() || files.len() > MAX_FILES || coins > MAX_COINS;
            is_none.then_some((JointReason::TooMany, None))
        })
        .or_else(|| {
            find(JointReason::UncheckedFile, &|_, file| {
                file.status == ProofStatus::Unchecked
            })
        })
        .or_else(|| {
            find(JointReason::SameFile, &|at, file| {
                files[..at]
                    .iter()
                    .any(|earlier| earlier.sha256 == file.sha256)
            })
        })
        .or_else(|| {
            let (_, of, _) = shared.first()?;
            Some((JointReason::SameCoin, of.last().copied()))
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn file<'a>(sha256: &'a [u8], name: &'a str, outpoints: &[&'a [u8]]) -> JoinedFile<'a> {
        let coin = |outpoint: &&'a [u8]| JoinedCoin {
            outpoint,
            value: 1_000,
            counts: true,
        };
        JoinedFile {
            sha256,
            network: CoinNetwork::Mainnet,
            request: "Acme Bank, loan 4711",
            name,
            status: ProofStatus::Right,
            coins: outpoints.iter().map(coin).collect(),
        }
    }

    fn three<'a>() -> [JoinedFile<'a>; 3] {
        [
            file(b"1", "Mira", &[b"a", b"b"]),
            file(b"2", "Mira", &[b"c"]),
            file(b"3", "Ivo", &[b"d"]),
        ]
    }

    #[test]
    fn each_name_has_a_sum_and_all_have_one_only_if_they_are_one_client() {
        let joint = join_proofs(&three(), false);
        assert_eq!((joint.status, joint.reason), (ProofStatus::Right, None));
        let sums = joint
            .names
            .iter()
            .map(|name| (&*name.files, name.coins, name.amount_sats));
        let expected = [(&[0, 1][..], 3, Some(3_000)), (&[2][..], 1, Some(1_000))];
        assert_eq!(sums.collect::<Vec<_>>(), expected);
        assert_eq!(joint.amount_sats, None);
        assert_eq!(join_proofs(&three(), true).amount_sats, Some(4_000));
        assert_eq!(join_proofs(&three()[..2], false).amount_sats, Some(3_000));
        let mut spent = three();
        spent[0].coins[1].counts = false;
        let joint = join_proofs(&spent, true);
        assert_eq!((joint.names[0].coins, joint.amount_sats), (2, Some(3_000)));
    }

    #[test]
    fn one_wrong_file_leaves_no_sum() {
        use JointReason::*;
        type Change = fn(&mut JoinedFile<'_>);
        let changes: [(Change, JointReason, ProofStatus); 4] = [
            (
                |it| it.status = ProofStatus::False,
                FalseFile,
                ProofStatus::False,
            ),
            (
                |it| it.request = "Other Bank",
                OtherRequest,
                ProofStatus::False,
            ),
            (
                |it| it.network = CoinNetwork::Testnet4,
                OtherNetwork,
                ProofStatus::False,
            ),
            (
                |it| it.status = ProofStatus::Unchecked,
                UncheckedFile,
                ProofStatus::Unchecked,
            ),
        ];
        for (change, reason, status) in changes {
            let mut files = three();
            change(&mut files[1]);
            let joint = join_proofs(&files, true);
            assert_eq!(
                (joint.status, joint.reason),
                (status, Some((reason, Some(1))))
            );
            assert_eq!(joint.amount_sats, None);
            assert!(joint.names.iter().all(|name| name.amount_sats.is_none()));
        }
        let many = vec![file(b"1", "Mira", &[]); 21];
        assert_eq!(join_proofs(&many, true).reason, Some((TooMany, None)));
        let coins = vec![three()[0].coins[0]; 5_001];
        let large = JoinedFile {
            coins,
            ..file(b"1", "Mira", &[])
        };
        assert_eq!(join_proofs(&[large], true).reason, Some((TooMany, None)));
    }

    #[test]
    fn a_coin_of_two_files_counts_once_and_is_not_right() {
        let mut files = three();
        files[2].coins.push(files[0].coins[1]);
        files[1].coins.push(files[0].coins[1]);
        let joint = join_proofs(&files, true);
        assert_eq!(joint.status, ProofStatus::Unchecked);
        assert_eq!(joint.reason, Some((JointReason::SameCoin, Some(2))));
        assert_eq!(joint.shared, [(vec![0, 1, 2], 1)]);
        assert_eq!(joint.amount_sats, Some(4_000));
        let twice = [three()[0].clone(), three()[0].clone()];
        let joint = join_proofs(&twice, false);
        assert_eq!(joint.status, ProofStatus::Unchecked);
        assert_eq!(joint.reason, Some((JointReason::SameFile, Some(1))));
        assert_eq!(joint.amount_sats, Some(2_000));
    }
}
