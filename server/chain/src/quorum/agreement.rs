//! Finds the answer that enough sources give.

use std::collections::HashMap;

use crate::{Coin, FoundCoins};

/// The answer of enough sources, or the part of it on which they agree.
#[derive(Clone)]
pub(super) struct Agreed<T> {
    pub(super) answer: T,
    /// Whether they agree on all of it.
    pub(super) whole: bool,
}

/// The answer that `needed` sources give.
pub(super) fn alike<T: Clone + PartialEq>(answers: &[T], needed: usize) -> Option<Agreed<T>> {
    let count = |one: &&T| answers.iter().filter(|answer| answer == one).count();
    let answer = answers.iter().find(|answer| count(answer) >= needed)?;
    Some(Agreed {
        answer: answer.clone(),
        whole: true,
    })
}

/// The states on which `needed` sources agree, coin by coin, at the tip that most of them name: disagreement about one coin
/// never affects the others (decisions, D12).
pub(super) fn at_one_tip(answers: &[FoundCoins], needed: usize) -> Option<Agreed<FoundCoins>> {
    let at = |tip| answers.iter().filter(move |it| it.tip == tip);
    let tips = answers.iter().map(|found| found.tip);
    let tip = tips.max_by_key(|tip| at(*tip).count())?;
    let agreeing: Vec<&FoundCoins> = at(tip).collect();
    if agreeing.len() < needed {
        return None;
    }
    let states = |index| agreeing.iter().map(move |found| &found.coins[index]);
    let coins: Vec<Coin> = (0..agreeing[0].coins.len())
        .map(|index| coin_of_most(states(index), needed))
        .collect();
    Some(Agreed {
        whole: !coins.contains(&Coin::Unknown),
        answer: FoundCoins {
            tip,
            coins,
            median_times: HashMap::new(),
        },
    })
}

/// The state that `needed` of the sources give.
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

/// The state that both answers have in common. A source without history says less than one that has it. An unconfirmed coin may be in
/// the mempool of only one source, or in a stale block that only one still knows (rule B9): both agree that it is in no block.
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
