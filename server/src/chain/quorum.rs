//! Several sources, of which some must agree before an answer counts (rule B6).
//!
//! Only as many are asked as must agree; the others stand in for those that fail or differ. Whatever
//! is not agreed on is an error, and an error never means that a coin is spent.

use std::sync::Arc;
use std::time::Duration;

use bitcoin::Network;
use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;

use super::{ChainError, ChainSource};

mod member;
mod question;

use member::Member;
use question::Question;
pub(super) use question::{BlockAt, LookUp, NewestBlock, SpentIn};

/// How often sources that differ are asked again: one may have heard of a block or of a transaction a
/// moment before the others.
const ROUNDS: usize = 3;

/// How long to wait before that.
const PAUSE: Duration = Duration::from_secs(1);

/// Sources and how many of them must agree.
#[derive(Debug)]
pub(super) struct Quorum {
    members: Vec<Member>,
    needed: usize,
}

/// An answer and who gave it.
struct Vote<'q, A> {
    answer: A,
    voters: Vec<&'q Member>,
}

impl Quorum {
    /// Checks that each source follows `network`. One that cannot be reached now is checked before it
    /// is first asked.
    ///
    /// # Errors
    /// When a source follows another network, or fewer than `needed` can be reached.
    pub(super) async fn connect(
        sources: Vec<Arc<dyn ChainSource>>,
        needed: usize,
        network: Network,
    ) -> Result<Self, ChainError> {
        let quorum = Self {
            members: sources
                .into_iter()
                .map(|source| Member::new(source, network))
                .collect(),
            needed,
        };
        let checks = join_all(quorum.members.iter().map(Member::check)).await;
        let mut failures = Vec::new();
        for failure in checks.into_iter().filter_map(Result::err) {
            if matches!(failure, ChainError::Invalid { .. }) {
                return Err(failure);
            }
            tracing::warn!(%failure, "a chain source cannot be used yet");
            failures.push(failure);
        }
        if quorum.members.len() - failures.len() < needed {
            return Err(quorum.too_few(failures));
        }
        Ok(quorum)
    }

    /// The answer that as many sources as needed agree on.
    ///
    /// # Errors
    /// When too few answer, or they do not agree.
    pub(super) async fn ask<Q: Question>(&self, question: &Q) -> Result<Q::Answer, ChainError> {
        for round in 1.. {
            match self.round(question).await {
                Err(ChainError::Disagreement { .. }) if round < ROUNDS => {
                    tokio::time::sleep(PAUSE).await;
                }
                answer => return answer,
            }
        }
        Err(self.disagreement())
    }

    /// The first answer of a source that has one, for questions whose answers prove themselves.
    ///
    /// # Errors
    /// When none answers and at least one failed.
    pub(super) async fn ask_any<T, Q>(&self, question: &Q) -> Result<Option<T>, ChainError>
    where
        Q: Question<Answer = Option<T>>,
    {
        let mut failures = Vec::new();
        for member in self.in_order() {
            match member.ask(question).await {
                Ok(Some(answer)) => return Ok(Some(answer)),
                Ok(None) => {}
                Err(failure) => failures.push(failure),
            }
        }
        match failures.is_empty() {
            true => Ok(None),
            false => Err(self.too_few(failures)),
        }
    }

    async fn round<Q: Question>(&self, question: &Q) -> Result<Q::Answer, ChainError> {
        let mut waiting = self.in_order().into_iter();
        let mut asked = FuturesUnordered::new();
        let mut votes: Vec<Vote<'_, Q::Answer>> = Vec::new();
        let mut failures = Vec::new();
        loop {
            // As many under way as could still agree with the most frequent answer so far.
            let most = votes.iter().map(|vote| vote.voters.len()).max();
            let open = self.needed.saturating_sub(most.unwrap_or(0) + asked.len());
            asked.extend(
                waiting
                    .by_ref()
                    .take(open)
                    .map(async |member| (member, member.ask(question).await)),
            );
            match asked.next().await {
                Some((member, Ok(answer))) => {
                    if let Some(agreed) = self.count::<Q>(&mut votes, member, answer) {
                        put_back_the_others(&votes, agreed);
                        return Ok(votes.swap_remove(agreed).answer);
                    }
                }
                Some((_, Err(failure))) => failures.push(failure),
                None => break,
            }
        }
        let answered: usize = votes.iter().map(|vote| vote.voters.len()).sum();
        if answered < self.needed {
            return Err(self.too_few(failures));
        }
        let names: Vec<Vec<&str>> = votes
            .iter()
            .map(|vote| vote.voters.iter().map(|voter| voter.name()).collect())
            .collect();
        tracing::warn!(?names, "chain sources do not agree");
        Err(self.disagreement())
    }

    /// Adds an answer to the first vote that it agrees with; the result is the index of that vote when
    /// it now has enough.
    fn count<'q, Q: Question>(
        &self,
        votes: &mut Vec<Vote<'q, Q::Answer>>,
        member: &'q Member,
        answer: Q::Answer,
    ) -> Option<usize> {
        let agreeing = votes
            .iter()
            .position(|vote| Q::agree(&vote.answer, &answer).is_some());
        let index = agreeing.unwrap_or(votes.len());
        match votes.get_mut(index) {
            Some(vote) => {
                vote.answer = Q::agree(&vote.answer, &answer)?;
                vote.voters.push(member);
            }
            None => votes.push(Vote {
                answer,
                voters: vec![member],
            }),
        }
        (votes[index].voters.len() >= self.needed).then_some(index)
    }

    /// Those that failed a moment ago come last; among equals the order of the configuration holds.
    fn in_order(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by_key(|member| member.failed_lately());
        members
    }

    /// With a single source its own failure says most.
    fn too_few(&self, mut failures: Vec<ChainError>) -> ChainError {
        if self.members.len() == 1
            && let Some(failure) = failures.pop()
        {
            return failure;
        }
        let reasons: Vec<String> = failures.iter().map(ToString::to_string).collect();
        ChainError::TooFew {
            answered: self.members.len() - failures.len(),
            needed: self.needed,
            reasons: reasons.join("; "),
        }
    }

    fn disagreement(&self) -> ChainError {
        ChainError::Disagreement {
            needed: self.needed,
        }
    }
}

/// Whoever differs from what was agreed is asked last for a while.
fn put_back_the_others<A>(votes: &[Vote<'_, A>], agreed: usize) {
    let others = votes
        .iter()
        .enumerate()
        .filter(|(index, _)| *index != agreed);
    for voter in others.flat_map(|(_, vote)| &vote.voters) {
        tracing::warn!(
            source = voter.name(),
            "a chain source differs from the others"
        );
        voter.put_back();
    }
}
