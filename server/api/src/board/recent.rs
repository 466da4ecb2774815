//! What the newest changes did to the board, so that whoever has seen one of the last boards can be told what is other now.

use std::collections::VecDeque;
use std::sync::Arc;

use super::memory::Move;

/// The most steps that are remembered.
const STEPS: usize = 256;

/// The most moves of one step, and the most that somebody is told: with more, the rows themselves are less to read.
pub const MOST: usize = 200;

/// From the board of one number to the next one that was here.
#[derive(Debug)]
struct Step {
    from: i64,
    to: i64,
    moves: Vec<Move>,
}

/// The last steps. Cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Recent(VecDeque<Arc<Step>>);

impl Recent {
    /// The steps after one more.
    pub(super) fn and(&self, from: i64, to: i64, moves: Vec<Move>) -> Self {
        let mut steps = self.0.clone();
        if moves.len() > MOST {
            // Nobody is told of it, nor of anything before it.
            return Self::default();
        }
        if steps.len() == STEPS {
            steps.pop_front();
        }
        steps.push_back(Arc::new(Step { from, to, moves }));
        Self(steps)
    }

    /// The moves since the board of this number, one after another, each with the number after it; none when they are too many, or
    /// there was no such board here.
    #[must_use]
    pub fn since(&self, number: i64) -> Option<Vec<(i64, Move)>> {
        let first = self.0.iter().position(|step| step.from == number)?;
        let steps = self.0.iter().skip(first);
        let moves = steps.flat_map(|step| step.moves.iter().map(|moved| (step.to, *moved)));
        let moves: Vec<_> = moves.take(MOST + 1).collect();
        (moves.len() <= MOST).then_some(moves)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn moved(id: u128) -> Move {
        Move {
            id: Uuid::from_u128(id),
            from: None,
            to: None,
            renamed: false,
        }
    }

    #[test]
    fn tells_what_came_after_a_board_that_was_here() {
        let recent = Recent::default()
            .and(3, 4, vec![moved(1)])
            .and(4, 7, vec![moved(2), moved(3)])
            .and(7, 8, Vec::new());
        let since = |number| {
            let moves = recent.since(number)?;
            let ids = moves
                .into_iter()
                .map(|(at, moved)| (at, moved.id.as_u128()));
            Some(ids.collect::<Vec<_>>())
        };
        assert_eq!(since(3), Some(vec![(4, 1), (7, 2), (7, 3)]));
        assert_eq!(since(4), Some(vec![(7, 2), (7, 3)]));
        assert_eq!(since(7), Some(vec![]));
        for unknown in [2, 5, 8, 9] {
            assert_eq!(since(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn what_is_too_much_is_not_told() {
        let some = vec![moved(1); MOST];
        let recent = Recent::default().and(1, 2, some.clone());
        assert_eq!(recent.since(1).map(|moves| moves.len()), Some(MOST));
        let more = recent.and(2, 3, vec![moved(2)]);
        assert!(more.since(1).is_none());
        assert!(more.since(2).is_some());
        let much = more.and(3, 4, vec![moved(3); MOST + 1]);
        assert!(much.since(2).is_none());
        assert!(much.since(3).is_none());
        let many = (1..1_000).fold(Recent::default(), |recent, number| {
            recent.and(number, number + 1, Vec::new())
        });
        assert!(many.since(700).is_none());
        assert!(many.since(900).is_some());
    }
}
