//! Checks a board from outside, and says what is checked, what is private, and what is false.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::time::Duration;

use super::audit_log::{self, AuditLogError, Known};
use crate::app::{StartError, connect};
use crate::audit::{Audit, AuditError, Report, Site};
use crate::base::clock::Clock;
use crate::chain::sources::Sources;
use crate::config::{AuditArgs, Config, Secret};
use crate::outbound;

/// Why a board does not pass.
#[derive(Debug, thiserror::Error)]
pub(super) enum AuditFailed {
    #[error(transparent)]
    Start(#[from] StartError),
    #[error("the audit came to no end: {0}")]
    Audit(#[from] AuditError),
    #[error("the report cannot be written: {0}")]
    Write(#[from] std::io::Error),
    #[error(transparent)]
    Log(#[from] AuditLogError),
    #[error("{0} of what this board says is false")]
    False(usize),
}

/// Checks a board. Succeeds only when nothing that it says is false.
pub(super) async fn run(config: &Config, asked: &AuditArgs) -> Result<(), AuditFailed> {
    if let Some(file) = &asked.receipt {
        let good = audit_log::receipt(asked, file)?;
        return Ok(writeln!(stdout(), "{good}")?);
    }
    let (report, log) = look(config, asked).await?;
    write(&report, asked.json)?;
    match report.findings.len() {
        0 => Ok(log?),
        count => Err(AuditFailed::False(count)),
    }
}

/// What is published, the rows that stand on it, and the log; the report counts without the log as well.
async fn look(
    config: &Config,
    asked: &AuditArgs,
) -> Result<(Report, Result<(), AuditLogError>), AuditFailed> {
    let client = outbound::client().map_err(StartError::from)?;
    let mut chain = config.chain.clone();
    if !asked.chain.is_empty() {
        chain.sources.clone_from(&asked.chain);
        chain.quorum = None;
    }
    chain.quorum = asked.quorum.or(chain.quorum);
    chain.network = asked.network.unwrap_or(chain.network);
    let names: Vec<&str> = chain.sources.iter().map(Secret::expose).collect();
    let sources = Sources::open(&names, chain.quorum, false, &client).await;
    let sources = sources.map_err(StartError::from)?;
    let clock = Clock::System;
    let url = asked.url.as_ref().ok_or(AuditLogError::NoBoard)?;
    let site = Site::new(url, client).map_err(AuditError::from)?;
    let known = Known::of(asked, &site)?;
    let connected = connect(sources, &chain, clock.clone()).await;
    let audit = Audit {
        site: site.clone(),
        chain: connected.map_err(StartError::from)?,
        clock,
        patience: Duration::from_secs(asked.patience),
        progress: &progress,
    };
    let report = audit.run().await;
    progress(String::new());
    let mut report = report?;
    let log = known.look(&site, &mut report).await;
    Ok((report, log))
}

fn write(report: &Report, json: bool) -> Result<(), AuditFailed> {
    let text = if json {
        serde_json::to_string_pretty(report).map_err(std::io::Error::from)? + "\n"
    } else {
        report.to_string()
    };
    stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Says how far it is, in one line that the next one takes the place of; to a person alone.
fn progress(line: String) {
    let mut terminal = stderr();
    if terminal.is_terminal() {
        // Whoever is not told is told nothing wrong.
        let _ = write!(terminal, "\r\x1b[K{line}");
        let _ = terminal.flush();
    }
}
