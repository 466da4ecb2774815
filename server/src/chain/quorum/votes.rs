//! Votes: answers that agree, counted.

use super::member::Member;
use super::question::Question;

/// An answer and who gave it.
struct Vote<'q, Q: Question> {
    answer: Q::Answer,
    voters: Vec<&'q Member>,
}

/// Answers to one question, those that agree put together.
pub(super) struct Votes<'q, Q: Question>(Vec<Vote<'q, Q>>);

impl<'q, Q: Question> Votes<'q, Q> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds an answer to the first one that it agrees with.
    pub(super) fn add(&mut self, voter: &'q Member, answer: Q::Answer) {
        for vote in &mut self.0 {
            if let Some(common) = Q::agree(&vote.answer, &answer) {
                vote.answer = common;
                vote.voters.push(voter);
                return;
            }
        }
        self.0.push(Vote {
            answer,
            voters: vec![voter],
        });
    }

    /// The number of votes for the most frequent answer.
    pub(super) fn most(&self) -> usize {
        let counts = self.0.iter().map(|vote| vote.voters.len());
        counts.max().unwrap_or(0)
    }

    /// The number of answers.
    pub(super) fn answers(&self) -> usize {
        self.0.iter().map(|vote| vote.voters.len()).sum()
    }

    /// The names of the sources, those that agree together.
    pub(super) fn names(&self) -> Vec<Vec<&str>> {
        let names = |vote: &Vote<'q, Q>| vote.voters.iter().map(|voter| voter.name()).collect();
        self.0.iter().map(names).collect()
    }

    /// The most frequent answer. Whoever gave another one is asked last for a while.
    pub(super) fn decide(mut self) -> Option<Q::Answer> {
        self.0.sort_by_key(|vote| vote.voters.len());
        let decided = self.0.pop()?;
        for voter in self.0.iter().flat_map(|vote| &vote.voters) {
            tracing::warn!(
                source = voter.name(),
                "a chain source differs from the others"
            );
            voter.put_back();
        }
        Some(decided.answer)
    }
}
