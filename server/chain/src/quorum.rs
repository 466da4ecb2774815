//! Several sources, of which some must agree before an answer counts (rule B6).
//!
//! Only as many are asked as must agree; the others stand in for those that fail or differ. Whatever
//! is not agreed on is an error, or a coin of which nothing is known; neither ever means that a coin is spent.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;

use super::{ChainError, ChainSource, Expected};
use crate::clock::Clock;

mod member;
mod question;
mod votes;

use member::Member;
use question::Question;
pub(super) use question::{BlockAt, LookUp, NewestBlock, SpentIn};
use votes::Votes;

/// The number of rounds in which sources that differ are asked: one may have heard of a block or of
/// a transaction a moment before the others.
const ROUNDS: usize = 3;

/// The pause between two rounds.
const PAUSE: Duration = Duration::from_secs(1);

/// How long the server waits for its sources before it serves without them.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sources and how many of them must agree.
#[derive(Debug)]
pub(super) struct Quorum {
    members: Vec<Member>,
    needed: usize,
}

impl Quorum {
    /// Checks that each source follows the expected chain. One that cannot be reached now, or is slow to answer, is checked before it
    /// is first asked: the board is served meanwhile.
    ///
    /// # Errors
    /// When a source follows another one.
    pub(super) async fn connect(
        sources: Vec<Arc<dyn ChainSource>>,
        needed: usize,
        expected: Expected,
        clock: &Clock,
    ) -> Result<Self, ChainError> {
        let quorum = Self {
            members: sources
                .into_iter()
                .map(|source| Member::new(source, expected, clock))
                .collect(),
            needed,
        };
        let checks = quorum.members.iter().map(async |member| {
            let check = tokio::time::timeout(PATIENCE, member.check()).await;
            (member, check)
        });
        for (member, check) in join_all(checks).await {
            let source = member.name();
            match check {
                Ok(Ok(())) => {}
                Ok(Err(failure @ ChainError::Invalid { .. })) => return Err(failure),
                Ok(Err(failure)) => {
                    tracing::warn!(%failure, "a chain source cannot be used yet, and is tried again");
                }
                Err(_) => tracing::warn!(
                    source,
                    "a chain source does not answer within {PATIENCE:?}, and is tried again"
                ),
            }
        }
        Ok(quorum)
    }

    /// The answer that as many sources as needed agree on.
    ///
    /// # Errors
    /// When too few answer, or they do not agree.
    pub(super) async fn ask<Q: Question>(&self, question: &Q) -> Result<Q::Answer, ChainError> {
        for _ in 1..ROUNDS {
            match self.round(question, false).await {
                Err(ChainError::Disagreement { .. }) => tokio::time::sleep(PAUSE).await,
                answer => return answer,
            }
        }
        self.round(question, true).await
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

    /// Asks as many sources as it takes. Those that contradict each other agree on a part only in the `last` round.
    async fn round<Q: Question>(&self, question: &Q, last: bool) -> Result<Q::Answer, ChainError> {
        let mut waiting = self.in_order().into_iter();
        let mut asked = FuturesUnordered::new();
        let mut votes = Votes::<Q>::new();
        let mut failures = Vec::new();
        loop {
            // As many under way as could still agree with the most frequent answer so far.
            let open = self.needed.saturating_sub(votes.most() + asked.len());
            asked.extend(
                waiting
                    .by_ref()
                    .take(open)
                    .map(async |member| (member, member.ask(question).await)),
            );
            match asked.next().await {
                Some((member, Ok(answer))) => votes.add(member, answer),
                Some((_, Err(failure))) => failures.push(failure),
                None => break,
            }
            if votes.most() >= self.needed {
                return votes.decide().ok_or_else(|| self.disagreement());
            }
        }
        if votes.answers() < self.needed {
            return Err(self.too_few(failures));
        }
        let contradict = votes.contradict();
        if contradict {
            tracing::warn!(answers = ?votes.names(), "chain sources do not agree");
        }
        let common = (last || !contradict).then(|| votes.common(self.needed));
        common.flatten().ok_or_else(|| self.disagreement())
    }

    /// The sources in the order in which they are asked: those that failed a moment ago come last;
    /// among equals the order of the configuration holds.
    fn in_order(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by_key(|member| member.failed_lately());
        members
    }

    /// The error for too few answers; with a single source its own failure says most.
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
            behind: failures.iter().find_map(ChainError::behind),
        }
    }

    fn disagreement(&self) -> ChainError {
        ChainError::Disagreement {
            needed: self.needed,
        }
    }
}
