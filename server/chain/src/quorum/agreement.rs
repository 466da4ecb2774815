//! What enough sources say, found among their answers.

use std::collections::HashMap;

use crate::{Coin, Snapshot};

/// An answer that enough sources give, or as much of it as they agree on.
#[derive(Clone)]
pub(crate) struct Agreed<T> {
    pub(crate) answer: T,
    /// Whether it leaves nothing open.
    pub(crate) whole: bool,
}

/// The answer that `needed` sources give alike.
pub(crate) fn alike<T: Clone + PartialEq>(answers: &[T], needed: usize) -> Option<Agreed<T>> {
    let count = |one: &&T| answers.iter().filter(|answer| answer == one).count();
    let answer = answers.iter().find(|answer| count(answer) >= needed)?;
    Some(Agreed {
        answer: answer.clone(),
        whole: true,
    })
}

/// What `needed` sources say, coin by coin, at the tip that most of them name: what one coin's look-up says, or fails to say,
/// never holds up the others (decisions, D12).
pub(crate) fn at_one_tip(snapshots: &[Snapshot], needed: usize) -> Option<Agreed<Snapshot>> {
    let at = |tip| snapshots.iter().filter(move |it| it.tip == tip);
    let tips = snapshots.iter().map(|snapshot| snapshot.tip);
    let tip = tips.max_by_key(|tip| at(*tip).count())?;
    let agreeing: Vec<&Snapshot> = at(tip).collect();
    if agreeing.len() < needed {
        return None;
    }
    let states = |index| agreeing.iter().map(move |snapshot| &snapshot.coins[index]);
    let coins: Vec<Coin> = (0..agreeing[0].coins.len())
        .map(|index| coin_of_most(states(index), needed))
        .collect();
    Some(Agreed {
        whole: !coins.contains(&Coin::Unknown),
        answer: Snapshot {
            tip,
            coins,
            median_times: HashMap::new(),
        },
    })
}

/// The state that `needed` of the sources say.
fn coin_of_most<'c>(said: impl Iterator<Item = &'c Coin>, needed: usize) -> Coin {
    let mut states: Vec<(Coin, usize)> = Vec::new();
    for coin in said.filter(|coin| **coin != Coin::Unknown) {
        let agreeing = states
            .iter_mut()
            .find_map(|state| Some((same_coin(&state.0, coin)?, state)));
        match agreeing {
            Some((common, state)) => *state = (common, state.1 + 1),
            None => states.push((coin.clone(), 1)),
        }
    }
    let most = states.into_iter().max_by_key(|(_, sources)| *sources);
    most.filter(|(_, sources)| *sources >= needed)
        .map_or(Coin::Unknown, |(coin, _)| coin)
}

/// The state that both say: a source without history says less than one that has it. A coin that is in no block may be in
/// the mempool of one source alone, or in a stale block that another still knows (rule B9): for both it is in no block.
fn same_coin(one: &Coin, other: &Coin) -> Option<Coin> {
    match (one, other) {
        (Coin::SpentOrMissing, Coin::Spent | Coin::Missing)
        | (Coin::Spent | Coin::Missing, Coin::SpentOrMissing) => Some(Coin::SpentOrMissing),
        (Coin::Unspent(coin), Coin::Missing | Coin::SpentOrMissing)
        | (Coin::Missing | Coin::SpentOrMissing, Coin::Unspent(coin))
            if coin.block.is_none() =>
        {
            Some(Coin::Missing)
        }
        _ => (one == other).then(|| one.clone()),
    }
}
