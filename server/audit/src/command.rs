//! The command: checks a board or a receipt, and prints what was checked, what is private, and what is false.

use std::io::{IsTerminal, Write, stderr, stdout};
use std::path::Path;
use std::time::Duration;

use tokio::time::{Instant, sleep};

use board_log::check;
use board_log::cosignature;
use chain::clock::Clock;

use crate::args::Args;
use crate::failure::Failure;
use crate::log::{self, LogError, Look, Seen};
use crate::{Audit, AuditError, Report, Site};
use crate::{blocks, engine, receipt, seen, served, snapshot};

/// Runs the command line.
///
/// # Errors
/// When something is false, or cannot be checked.
pub async fn run(args: &Args) -> Result<(), Failure> {
    if let Some(file) = &args.receipt {
        let good = receipt::check(args, file)?;
        return Ok(writeln!(stdout(), "{good}")?);
    }
    let (report, log) = look(args).await?;
    write(&report, args.json)?;
    match report.findings.len() {
        0 => log,
        count => Err(Failure::False(count)),
    }
}

/// Checks the published proofs, the rows, and the log. The report is complete even when the log cannot be checked.
async fn look(args: &Args) -> Result<(Report, Result<(), Failure>), Failure> {
    let client = outbound::client()?;
    let clock = Clock::System;
    let chain = args.sources.connect(clock.clone(), &client).await?;
    let url = args.url.as_ref().ok_or(Failure::NoBoard)?;
    let patience = Duration::from_secs(args.patience);
    let site = Site::new(url, client, patience).map_err(AuditError::from)?;
    let file = seen::path(args, site.host());
    let seen = seen::load(&file)?;
    let stored = seen.as_ref();
    if stored.is_some_and(|seen| check::unsigned(&seen.checkpoint).is_err()) {
        return Err(Failure::Unreadable(file));
    }
    // The snapshot before everything else; a log that is rejected now is rejected below.
    let first = log::look(&site, stored, args.key.as_ref()).await.ok();
    let audit = Audit {
        site,
        chain,
        clock,
        progress: &progress,
    };
    let report = audit.run().await;
    progress(String::new());
    let mut report = report?;
    let log = check_log(args, &audit, (&file, stored), first.as_ref(), &mut report).await;
    Ok((report, log))
}

/// Checks the log, and what the board serves with it. Adds the result to the report, even an error.
async fn check_log(
    args: &Args,
    audit: &Audit<'_>,
    (file, seen): (&Path, Option<&Seen>),
    first: Option<&Look>,
    report: &mut Report,
) -> Result<(), Failure> {
    let site = &audit.site;
    let newest = async || log::look(site, seen, args.key.as_ref()).await;
    let look = match newest().await {
        Ok(look) => look,
        Err(error) => return reject(report, error, file),
    };
    let now = audit.clock.now();
    let earlier = seen.map(|seen| seen.unlogged.clone());
    let before = first.and_then(|first| first.snapshot.as_ref());
    let unlogged = snapshot::compare(report, before, &look, earlier.unwrap_or_default(), now);
    let compared = async {
        let (look, findings) = served::compare(site, report, look, newest).await?;
        report.findings.extend(findings);
        compare_blocks(audit, report, look, newest).await
    };
    let look = match compared.await {
        Ok(look) => look?,
        Err(error) => return reject(report, error, file),
    };
    report
        .findings
        .extend(engine::notes(&report.proofs, &look.keys));
    let cosigned = cosignature::count(&look.seen.checkpoint, &args.witnesses);
    report.log = Some(args.with_witnesses(&look.sentence, cosigned));
    if cosigned < args.cosignatures() {
        report.add("witness", args.too_few(cosigned));
    }
    let seen = Seen {
        unlogged,
        ..look.seen
    };
    seen::save(file, &seen)
}

/// Compares the blocks of the entries with the chain, again with the newest log while there are findings: it gets an entry a little later
/// than the chain a block. Returns the newest look at the log.
async fn compare_blocks(
    audit: &Audit<'_>,
    report: &mut Report,
    mut look: Look,
    newest: impl AsyncFn() -> Result<Look, LogError>,
) -> Result<Result<Look, Failure>, LogError> {
    let begin = Instant::now();
    loop {
        let now = audit.clock.now();
        let (findings, unexplained) = match blocks::compare(&audit.chain, &look, now).await {
            Ok(compared) => compared,
            Err(error) => return Ok(Err(Failure::Blocks(error))),
        };
        if findings.is_empty() || begin.elapsed() >= audit.site.patience {
            report.findings.extend(findings);
            report.not_checked.entries = unexplained;
            return Ok(Ok(look));
        }
        sleep(audit.site.pause()).await;
        look = newest().await?;
    }
}

/// Adds to the report why the log is false, or was not checked.
fn reject(report: &mut Report, error: LogError, file: &Path) -> Result<(), Failure> {
    let sentence = match error {
        LogError::Site(_) | LogError::Moved => {
            report.not_checked.log = Some(error.to_string());
            return Err(Failure::Log(error));
        }
        LogError::Another(_) => format!(
            "{error}. What you have seen is kept in {}: compare it with what others have. Once you believe the reason, remove the \
             file, and the new log counts as seen for the first time",
            file.display()
        ),
        error => error.to_string(),
    };
    report.add("log", sentence);
    Ok(())
}

fn write(report: &Report, json: bool) -> Result<(), Failure> {
    let text = match json {
        true => serde_json::to_string_pretty(report).map_err(std::io::Error::from)?,
        false => report.to_string(),
    };
    Ok(writeln!(stdout(), "{text}")?)
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
