//! Several sources, of which some must agree before an answer counts (rule B6).
//!
//! Only as many are asked as must agree; the others stand in for those that fail or differ. Whatever
//! is not agreed on is an error, or a coin of which nothing is known; neither ever means that a coin is spent.

use std::sync::Arc;
use std::time::Duration;

use bitcoin::BlockHash;
use bitcoin::block::Header;
use futures_util::StreamExt;
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::FuturesUnordered;

use crate::clock::Clock;
use crate::{ChainError, ChainSource, Expected, Spends};

mod agreement;
mod member;

use agreement::Agreed;
pub(crate) use agreement::{alike, at_one_tip};
use member::Member;

/// How long the server waits for its sources before it serves without them.
const PATIENCE: Duration = Duration::from_secs(5);

/// Sources and how many of them must agree.
#[derive(Debug)]
pub(crate) struct Quorum {
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
                .map(|source| Member::new(source, expected, clock.clone()))
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

    /// As [`ChainSource::spent_in_block`], from the first source that has blocks: the hash proves the answer.
    pub(super) async fn spent_in_block(
        &self,
        block: BlockHash,
    ) -> Result<Option<Spends>, ChainError> {
        let mut failures = Vec::new();
        for member in self.in_order() {
            match member
                .ask(|member| member.source.spent_in_block(block))
                .await
            {
                Ok(None) => {}
                Ok(spends) => return Ok(spends),
                Err(failure) => failures.push(failure),
            }
        }
        match failures.is_empty() {
            true => Ok(None),
            false => Err(self.too_few(failures)),
        }
    }

    /// The header of a block, from the first source that has it: the hash proves the answer.
    pub(super) async fn block_header(
        &self,
        block: BlockHash,
        height: u32,
    ) -> Result<Header, ChainError> {
        let mut failures = Vec::new();
        for member in self.in_order() {
            let header = member.ask(|member| member.source.block_header(block, height));
            match header.await {
                Ok(Some(header)) if header.block_hash() == block => return Ok(header),
                Ok(_) => failures.push(ChainError::Invalid {
                    source_name: member.name().to_owned(),
                    reason: format!("no header of the block {block}"),
                }),
                Err(failure) => failures.push(failure),
            }
        }
        Err(self.too_few(failures))
    }

    /// Asks as many sources as it takes until `agree` finds what enough of them say.
    pub(super) async fn ask<'q, T: Clone>(
        &'q self,
        question: impl Fn(&'q Member) -> BoxFuture<'q, Result<T, ChainError>>,
        agree: fn(&[T], usize) -> Option<Agreed<T>>,
    ) -> Result<T, ChainError> {
        let question = &question;
        let ask = |member: &'q Member| async move { (member, member.ask(question).await) };
        let mut waiting = self.in_order().into_iter();
        let mut asked = FuturesUnordered::new();
        asked.extend(waiting.by_ref().take(self.needed).map(ask));
        let (mut members, mut answers, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        let mut agreed = None;
        while let Some((member, answer)) = asked.next().await {
            match answer {
                Ok(answer) => {
                    members.push(member);
                    answers.push(answer);
                }
                Err(failure) => failures.push(failure),
            }
            agreed = agree(&answers, self.needed);
            if agreed.as_ref().is_some_and(|agreed| agreed.whole) {
                break;
            }
            // One stands in for each that failed, and one at a time decides where they differ.
            if answers.len() + asked.len() < self.needed || asked.is_empty() {
                asked.extend(waiting.next().map(ask));
            }
        }
        if answers.len() < self.needed {
            return Err(self.too_few(failures));
        }
        let whole = agreed.as_ref().filter(|agreed| agreed.whole);
        let Some(Agreed { answer, .. }) = whole else {
            let sources: Vec<&str> = members.iter().map(|member| member.name()).collect();
            tracing::warn!(?sources, "too few chain sources say the same");
            let needed = self.needed;
            let part = agreed.map(|agreed| agreed.answer);
            return part.ok_or(ChainError::Disagreement { needed });
        };
        for (member, other) in members.into_iter().zip(answers) {
            if !agree(&[answer.clone(), other], 2).is_some_and(|both| both.whole) {
                let source = member.name();
                tracing::warn!(source, "a chain source differs from the others");
                member.put_back();
            }
        }
        Ok(answer.clone())
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
        let answered = self.members.len() - failures.len();
        let moved = failures.iter().filter(|it| **it == ChainError::Moved);
        let moved = moved.count();
        if moved > 0 && answered + moved >= self.needed {
            return ChainError::Moved;
        }
        let reasons: Vec<String> = failures.iter().map(ToString::to_string).collect();
        ChainError::TooFew {
            answered,
            needed: self.needed,
            reasons: reasons.join("; "),
            behind: failures.iter().find_map(ChainError::behind),
        }
    }
}
