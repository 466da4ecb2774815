//! Votes: answers that agree, counted.

use super::member::Member;
use super::question::Question;

/// An answer and who gave it.
struct Vote<'q, Q: Question> {
    answer: Q::Answer,
    voters: Vec<&'q Member>,
}

/// Answers to one question, those that agree put together.
pub(super) struct Votes<'q, Q: Question> {
    whole: Vec<Vote<'q, Q>>,
    /// Those that leave something open. They decide only when others cannot.
    partial: Vec<Vote<'q, Q>>,
}

impl<'q, Q: Question> Votes<'q, Q> {
    pub(super) fn new() -> Self {
        Self {
            whole: Vec::new(),
            partial: Vec::new(),
        }
    }

    /// Adds an answer to the first one that it agrees with.
    pub(super) fn add(&mut self, voter: &'q Member, answer: Q::Answer) {
        let voters = vec![voter];
        if !Q::is_whole(&answer) {
            self.partial.push(Vote { answer, voters });
            return;
        }
        for vote in &mut self.whole {
            if let Some(common) = Q::agree(&vote.answer, &answer) {
                vote.answer = common;
                vote.voters.push(voter);
                return;
            }
        }
        self.whole.push(Vote { answer, voters });
    }

    /// The number of votes for the most frequent answer that leaves nothing open.
    pub(super) fn most(&self) -> usize {
        let counts = self.whole.iter().map(|vote| vote.voters.len());
        counts.max().unwrap_or(0)
    }

    /// The number of answers.
    pub(super) fn answers(&self) -> usize {
        self.all().map(|vote| vote.voters.len()).sum()
    }

    /// The names of the sources, those that agree together.
    pub(super) fn names(&self) -> Vec<Vec<&str>> {
        let names = |vote: &Vote<'q, Q>| vote.voters.iter().map(|voter| voter.name()).collect();
        self.all().map(names).collect()
    }

    /// Whether sources say different things, and not only one of them less than another.
    pub(super) fn contradict(&self) -> bool {
        self.whole.len() > 1
    }

    /// What `needed` of the answers say, with the rest left open.
    pub(super) fn common(&self, needed: usize) -> Option<Q::Answer> {
        // Each voter's own answer has become the common one of its vote, which is no more than it said.
        let answers: Vec<Q::Answer> = self
            .all()
            .flat_map(|vote| vote.voters.iter().map(|_| vote.answer.clone()))
            .collect();
        Q::common(&answers, needed)
    }

    /// The most frequent answer. Whoever gave another one is asked last for a while.
    pub(super) fn decide(mut self) -> Option<Q::Answer> {
        self.whole.sort_by_key(|vote| vote.voters.len());
        let decided = self.whole.pop()?;
        for voter in self.whole.iter().flat_map(|vote| &vote.voters) {
            tracing::warn!(
                source = voter.name(),
                "a chain source differs from the others"
            );
            voter.put_back();
        }
        Some(decided.answer)
    }

    fn all(&self) -> impl Iterator<Item = &Vote<'q, Q>> {
        self.whole.iter().chain(&self.partial)
    }
}
