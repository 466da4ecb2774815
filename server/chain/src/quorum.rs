//! The chain as several sources agree on it (rule B6).
//!
//! Asks only as many sources as must agree; the others stand in for those that fail or differ. Where the sources do not agree, the answer is an
//! error, or [`Coin::Unknown`]; neither ever means that a coin is spent.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use bitcoin::block::Header;
use bitcoin::{BlockHash, Network, OutPoint};
use futures_util::future::{BoxFuture, join_all};
use futures_util::stream::{self, FuturesUnordered};
use futures_util::{FutureExt, StreamExt, TryStreamExt};
use tokio::time::{Instant, sleep, timeout};

use crate::clock::Clock;
use crate::service::IN_FLIGHT;
use crate::{ChainError, ChainSource, Checkpoint, Coin, CoinHistory, FoundCoins, Spends, Tip};

mod agreement;
mod member;

use agreement::{Agreed, alike, at_one_tip};
use member::Member;

/// How long the server waits for its sources at start before it serves without them.
const START_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait until enough sources name the same newest block, and the pause before they are asked again.
const TIP_TIMEOUT: Duration = Duration::from_secs(15);
const TIP_PAUSE: Duration = Duration::from_secs(1);

/// The chain as the rest of the server sees it: one or several sources, of which some must agree. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Chain {
    members: Arc<[Member]>,
    needed: usize,
    network: Network,
}

impl Chain {
    /// Connects to several sources, in the order in which they are asked, of which `needed` must
    /// agree on every answer. With 1 the others stand in for those that fail. `clock` tells which of them lag.
    ///
    /// Checks that each source follows the chain of `network` that has the block `checkpoint`, which forks do not have (rule B5). A source
    /// that cannot be reached now is checked before it is first asked.
    ///
    /// # Errors
    /// When a source follows another network.
    pub async fn connect(
        sources: Vec<Arc<dyn ChainSource>>,
        needed: usize,
        network: Network,
        checkpoint: Option<Checkpoint>,
        clock: Clock,
    ) -> Result<Self, ChainError> {
        let members: Arc<[Member]> = sources
            .into_iter()
            .map(|source| Member::new(source, network, checkpoint, clock.clone()))
            .collect();
        let checks = members.iter().map(async |member| {
            let late = format!("no answer within {START_TIMEOUT:?}");
            let check = timeout(START_TIMEOUT, member.check()).await;
            check.unwrap_or_else(|_| Err(ChainError::unreachable(member.source.name(), late)))
        });
        for check in join_all(checks).await {
            match check {
                Ok(()) => {}
                Err(failure @ ChainError::Invalid { .. }) => return Err(failure),
                Err(failure) => {
                    tracing::warn!(%failure, "a chain source failed its first check and will be checked again");
                }
            }
        }
        Ok(Self {
            members,
            needed,
            network,
        })
    }

    /// The network whose coins can be proven.
    pub fn network(&self) -> Network {
        self.network
    }

    /// The network's name, part of what makes a claim unique.
    pub fn network_name(&self) -> &'static str {
        self.network.to_core_arg()
    }

    /// The newest block. Sources learn of a block one after the other, so this waits until enough of them name the same one, at
    /// most 15 seconds. No other question is repeated.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree in time.
    pub async fn tip(&self) -> Result<Tip, ChainError> {
        let deadline = Instant::now() + TIP_TIMEOUT;
        loop {
            match self.look_up(&[]).await {
                Err(ChainError::Moved | ChainError::Disagreement { .. })
                    if Instant::now() + TIP_PAUSE < deadline =>
                {
                    sleep(TIP_PAUSE).await;
                }
                found => return Ok(found?.tip),
            }
        }
    }

    /// Hash of the block at `height` in the best chain; `None` while the chain is shorter.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree.
    pub async fn block_hash_at(&self, height: u32) -> Result<Option<BlockHash>, ChainError> {
        self.ask(
            "block-hash",
            |member| member.source.block_hash_at(height),
            alike,
        )
        .await
    }

    /// The header of the block. Its hash proves it, so one source is enough.
    ///
    /// # Errors
    /// When no source has it.
    pub async fn block_header(&self, block: BlockHash) -> Result<Header, ChainError> {
        self.ask_first("header", |member| member.source.block_header(block))
            .await
    }

    /// The outpoints that the block spends. The hash commits to them, so one source is enough. Whether the
    /// block is in the chain is for [`block_hash_at`](Self::block_hash_at) to say.
    ///
    /// # Errors
    /// When no source has the block.
    pub async fn spent_in_block(&self, block: BlockHash) -> Result<Spends, ChainError> {
        self.ask_first("block", |member| member.source.spent_in_block(block))
            .await
    }

    /// The state of each outpoint at one tip (rules B1, B2).
    ///
    /// # Errors
    /// When too few sources answer, they do not agree on a tip, or a block arrives meanwhile.
    pub async fn look_up(&self, outpoints: &[OutPoint]) -> Result<FoundCoins, ChainError> {
        let question = if outpoints.is_empty() { "tip" } else { "coins" };
        self.ask(
            question,
            |member| member.look_up(outpoints).boxed(),
            at_one_tip,
        )
        .await
    }

    /// As [`look_up`](Self::look_up), and for the coins at the indexes `locked_in_time` also when their locks began. That is
    /// asked for by block hash, so it does not matter whether the tip moves meanwhile.
    ///
    /// # Errors
    /// As for [`look_up`](Self::look_up).
    pub async fn look_up_with_times(
        &self,
        outpoints: &[OutPoint],
        locked_in_time: &[usize],
    ) -> Result<FoundCoins, ChainError> {
        let mut found = self.look_up(outpoints).await?;
        let locked = locked_in_time
            .iter()
            .filter_map(|index| found.coins.get(*index));
        let blocks: HashSet<BlockHash> = locked
            .filter_map(|coin| match coin {
                Coin::Unspent(coin) => coin.block,
                _ => None,
            })
            .collect();
        found.median_times = stream::iter(blocks)
            .map(async |block| {
                let time = self.ask(
                    "median-time",
                    |member| member.source.median_time_before(block),
                    alike,
                );
                Ok((block, time.await?))
            })
            .buffer_unordered(IN_FLIGHT)
            .try_collect()
            .await?;
        Ok(found)
    }

    /// What became of each outpoint.
    ///
    /// # Errors
    /// When too few sources answer, or they do not agree.
    pub async fn histories(&self, outpoints: &[OutPoint]) -> Result<Vec<CoinHistory>, ChainError> {
        self.ask(
            "histories",
            |member| member.source.histories(outpoints),
            alike,
        )
        .await
    }

    /// The first answer of a source that has one.
    async fn ask_first<'q, T>(
        &'q self,
        question: &'static str,
        work: impl Fn(&'q Member) -> BoxFuture<'q, Result<T, ChainError>>,
    ) -> Result<T, ChainError> {
        let mut failures = Vec::new();
        for member in self.in_order() {
            match member.ask(question, &work).await {
                Ok(answer) => return Ok(answer),
                Err(failure) => failures.push(failure),
            }
        }
        Err(self.too_few(failures))
    }

    /// Asks as many sources as it takes until `agree` finds an answer of enough of them.
    async fn ask<'q, T: Clone>(
        &'q self,
        question: &'static str,
        work: impl Fn(&'q Member) -> BoxFuture<'q, Result<T, ChainError>>,
        agree: fn(&[T], usize) -> Option<Agreed<T>>,
    ) -> Result<T, ChainError> {
        let work = &work;
        let ask = |member: &'q Member| async move { (member, member.ask(question, work).await) };
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
            // Another source replaces each one that failed, and decides where they differ.
            if answers.len() + asked.len() < self.needed || asked.is_empty() {
                asked.extend(waiting.next().map(ask));
            }
        }
        if answers.len() < self.needed {
            return Err(self.too_few(failures));
        }
        let whole = agreed.as_ref().filter(|agreed| agreed.whole);
        let Some(Agreed { answer, .. }) = whole else {
            let sources: Vec<&str> = members.iter().map(|member| member.source.name()).collect();
            tracing::warn!(?sources, "too few chain sources agree");
            let needed = self.needed;
            let part = agreed.map(|agreed| agreed.answer);
            return part.ok_or(ChainError::Disagreement { needed });
        };
        for (member, other) in members.into_iter().zip(answers) {
            if !agree(&[answer.clone(), other], 2).is_some_and(|both| both.whole) {
                let source = member.source.name();
                tracing::warn!(source, "a chain source differs from the others");
                member.demote();
            }
        }
        Ok(answer.clone())
    }

    /// The sources in the order in which they are asked: as configured, but those that failed a moment ago come last.
    fn in_order(&self) -> Vec<&Member> {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by_key(|member| member.is_demoted());
        members
    }

    /// The error for too few answers; with a single source, that source's own failure.
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
