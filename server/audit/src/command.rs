//! The command: checks a board or a receipt, and prints what was checked, what is private, and what is false.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::time::Duration;

use chain::clock::Clock;
use chain::sources::{Sources, SourcesError, Trust};
use chain::{Chain, ChainError, Expected, Secret, outbound};

use crate::args::Args;
use crate::{Audit, AuditError, Report, Site};

mod log;

use log::{AuditLogError, Trusted};

/// Why the command fails.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Sources(#[from] SourcesError),
    #[error("cannot use the chain sources: {0}. Check --chain")]
    Chain(#[from] ChainError),
    #[error("cannot create the HTTP client: {0}")]
    Http(#[from] reqwest::Error),
    #[error("the audit did not finish: {0}")]
    Audit(#[from] AuditError),
    #[error("cannot write the report: {0}")]
    Write(#[from] std::io::Error),
    #[error(transparent)]
    Log(#[from] AuditLogError),
    #[error("false claims of the board: {0}; the report lists them")]
    False(usize),
}

/// Runs the command line.
///
/// # Errors
/// When something is false, or cannot be checked.
pub async fn run(args: &Args) -> Result<(), Failure> {
    if let Some(file) = &args.receipt {
        let good = log::receipt(args, file)?;
        return Ok(writeln!(stdout(), "{good}")?);
    }
    let (report, log) = look(args).await?;
    write(&report, args.json)?;
    match report.findings.len() {
        0 => Ok(log?),
        count => Err(Failure::False(count)),
    }
}

/// Checks the published proofs, the rows, and the log. The report is complete even when the log cannot be checked.
async fn look(args: &Args) -> Result<(Report, Result<(), AuditLogError>), Failure> {
    let client = outbound::client()?;
    let names: Vec<&str> = args.chain.iter().map(Secret::expose).collect();
    let sources = Sources::open(&names, args.chain_quorum, Trust::Audit, &client).await?;
    let url = args.url.as_ref().ok_or(AuditLogError::NoBoard)?;
    let patience = Duration::from_secs(args.patience);
    let site = Site::new(url, client, patience).map_err(AuditError::from)?;
    let trusted = Trusted::load(args, &site)?;
    let expected = Expected {
        network: args.network,
        checkpoint: args.checkpoint,
    };
    let clock = Clock::System;
    let chain = Chain::connect_all(sources.list, sources.quorum, expected, clock.clone()).await?;
    let first = trusted.snapshot(&site).await;
    let audit = Audit {
        site: site.clone(),
        chain: chain.clone(),
        clock: clock.clone(),
        progress: &progress,
    };
    let report = audit.run().await;
    progress(String::new());
    let mut report = report?;
    let log = trusted.look(args, &audit, first.as_ref(), &mut report);
    let log = log.await;
    Ok((report, log))
}

fn write(report: &Report, json: bool) -> Result<(), Failure> {
    let text = if json {
        serde_json::to_string_pretty(report).map_err(std::io::Error::from)? + "\n"
    } else {
        report.to_string()
    };
    stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Shows progress in one line, which the next one replaces; only in a terminal.
fn progress(line: String) {
    let mut terminal = stderr();
    if terminal.is_terminal() {
        // Progress is optional, so a failed write is ignored.
        let _ = write!(terminal, "\r\x1b[K{line}");
        let _ = terminal.flush();
    }
}
