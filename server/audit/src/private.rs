//! `reserves-audit proof`: proofs for one reader (proofs, section 7) by Bitcoin Core's engine and the auditor's own chain sources. The same
//! verdict as `psbt-wasm verify`.

use std::collections::HashSet;
use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use bitcoin::OutPoint;
use psbt_wasm::date::read_instant;
use psbt_wasm::joined::{JoinedCoin, JoinedFile, MAX_COINS, MAX_FILES, ProofStatus, join_proofs};
use psbt_wasm::statement::CoinNetwork;
use tokio::task::spawn_blocking;

use crate::args::ProofArgs;
use crate::proof::outpoint;
use chain::clock::Clock;
use chain::coin_network;

mod file;
mod judged;
mod lookup;
mod report;
mod verdict;
mod words;

use file::{Checked, Said};
use lookup::Found;
use report::{FileReport, Joint, Report};
use verdict::{Wrong, exit_code, too_many};

/// The largest file, and all of them together.
const MAX_BYTES: u64 = 32 * 1024 * 1024;
const MAX_ALL_BYTES: u64 = 64 * 1024 * 1024;

/// What is the same for all files.
struct Given {
    /// The reader's request in its normal form.
    request: Option<String>,
    /// The date as it was given, and its Unix time.
    at: Option<(String, i64)>,
    network: CoinNetwork,
}

/// One file on its way through the checks.
struct FileCheck {
    said: Said,
    checked: Option<Checked>,
    report: FileReport,
}

/// Runs the command, and prints the result.
pub async fn run(args: &ProofArgs) -> ExitCode {
    let report = match check(args).await {
        Ok(report) => report,
        Err(wrong) => Report::refused(&wrong),
    };
    let status = report.status();
    let written = match args.json {
        true => serde_json::to_string(&report).map_err(std::io::Error::from),
        false => Ok(report.to_string()),
    };
    match written.and_then(|text| writeln!(stdout(), "{text}")) {
        Ok(()) => exit_code(status),
        Err(_) => exit_code(ProofStatus::Unchecked),
    }
}

/// The verdict on a file by itself: its statement, what carries it and every signature. The chain is not asked.
pub fn check_alone(file: &[u8]) -> ProofStatus {
    let (_, checked) = file::check(file);
    checked.map_or_else(|wrong| wrong.status(), |_| ProofStatus::Right)
}

async fn check(args: &ProofArgs) -> Result<Report, Wrong> {
    let given = Given {
        request: match &args.request {
            Some(text) => Some(words::normalize(text).map_err(|error| option("--request", error))?),
            None => None,
        },
        at: match &args.at {
            Some(text) => {
                let time = read_instant(text).map_err(|error| option("--at", error))?;
                Some((text.clone(), time))
            }
            None => None,
        },
        network: coin_network(args.sources.network),
    };
    if args.files.len() > MAX_FILES {
        return Err(too_many());
    }
    let mut files = Vec::new();
    let mut size = 0;
    for path in &args.files {
        let bytes = read(path, &mut size);
        files.push(check_file(path, bytes, &given).await);
    }
    let coins: usize = files
        .iter()
        .filter_map(|it| it.checked.as_ref())
        .map(|it| it.coins().len())
        .sum();
    if coins > MAX_COINS {
        return Err(too_many());
    }
    let found = look_up(args, &given, &files).await;
    for file in &mut files {
        file.judge(&given, &found);
    }
    let joint = (files.len() > 1).then(|| join(&files, args.one_client));
    let files = files.into_iter().map(|file| file.report).collect();
    Ok(Report::new(files, joint))
}

fn option(name: &str, error: impl std::fmt::Display) -> Wrong {
    Wrong::Unchecked(format!("{name}: {error}"))
}

fn read(path: &Path, size: &mut u64) -> Result<Vec<u8>, Wrong> {
    let unreadable = |_| Wrong::Unchecked(format!("the file {} cannot be read.", path.display()));
    let length = std::fs::metadata(path).map_err(unreadable)?.len();
    *size = size.saturating_add(length);
    if length > MAX_BYTES || *size > MAX_ALL_BYTES {
        let sentence = "the files are too large: each can have 32 MiB, and all together 64.";
        return Err(Wrong::Unchecked(sentence.into()));
    }
    std::fs::read(path).map_err(unreadable)
}

/// Checks a file without the chain.
async fn check_file(path: &Path, bytes: Result<Vec<u8>, Wrong>, given: &Given) -> FileCheck {
    let nothing = || Said {
        sha256: String::new(),
        document: None,
    };
    let (said, checked) = match bytes {
        Ok(bytes) => {
            let stopped = || Wrong::Unchecked("its check came to no end.".into());
            let checked = spawn_blocking(move || file::check(&bytes)).await;
            checked.unwrap_or_else(|_| (nothing(), Err(stopped())))
        }
        Err(wrong) => (nothing(), Err(wrong)),
    };
    let mut report = FileReport::new(path, &said);
    let checked = match checked {
        Ok(checked) => {
            report.show(&checked);
            match compare(&checked, given, &mut report) {
                Ok(()) => Some(checked),
                Err(wrong) => {
                    report.wrong = Some(wrong);
                    None
                }
            }
        }
        Err(wrong) => {
            report.wrong = Some(wrong);
            None
        }
    };
    FileCheck {
        said,
        checked,
        report,
    }
}

/// Compares request and network with those that the reader gave.
fn compare(checked: &Checked, given: &Given, report: &mut FileReport) -> Result<(), Wrong> {
    let said = &checked.document.statement;
    if let Some(request) = &given.request {
        let is_yours = *request == said.subject;
        report.request_is_yours = Some(is_yours);
        if !is_yours {
            let sentence =
                "Its request is different from the one that you gave. It was not made for you.";
            return Err(Wrong::False(sentence.into()));
        }
    }
    let network = checked.document.network;
    if network != given.network {
        let sentence = format!(
            "its coins are on {}, and the sources on {}. Use --network and other sources.",
            network.name(),
            given.network.name()
        );
        return Err(Wrong::Unchecked(sentence));
    }
    Ok(())
}

/// What the sources say of all coins and blocks, or why nothing.
async fn look_up(args: &ProofArgs, given: &Given, files: &[FileCheck]) -> Result<Found, Wrong> {
    if args.sources.chain.is_empty() {
        let sentence = "the coins are stated, not looked up. Use --chain.";
        return Err(Wrong::Unchecked(sentence.into()));
    }
    let unchecked = |error: &dyn std::fmt::Display| Wrong::Unchecked(error.to_string());
    let client = outbound::client().map_err(|error| unchecked(&error))?;
    let chain = args.sources.connect(Clock::System, &client).await;
    let chain = chain.map_err(|error| unchecked(&error))?;
    let checked = || files.iter().filter_map(|file| file.checked.as_ref());
    let outpoints: HashSet<OutPoint> = checked().flat_map(Checked::coins).map(outpoint).collect();
    let outpoints: Vec<OutPoint> = outpoints.into_iter().collect();
    let blocks = checked().map(Checked::block).collect();
    let at = given.at.as_ref().map(|(_, time)| *time);
    let found = lookup::look_up(&chain, &outpoints, &blocks, at).await;
    found.map_err(|error| unchecked(&error))
}

impl FileCheck {
    /// Judges the file now, or at the date.
    fn judge(&mut self, given: &Given, found: &Result<Found, Wrong>) {
        let Some(checked) = &self.checked else { return };
        let judged = match found {
            Ok(found) => judged::judge(checked, found, given.at.as_ref(), &mut self.report),
            Err(wrong) => Err(wrong.clone()),
        };
        let is_compared = given.request.is_some();
        let uncompared = || {
            let sentence = "the request was not compared. Use --request with the request that you gave the holder.";
            Wrong::Unchecked(sentence.into())
        };
        self.report.wrong = judged.err().or((!is_compared).then(uncompared));
    }
}

/// Puts the files together.
fn join(files: &[FileCheck], one_client: bool) -> Joint {
    let known = files.iter().find_map(|file| file.said.document.as_ref());
    let outpoints: Vec<Vec<[u8; 36]>> = files.iter().map(|file| file.report.outpoints()).collect();
    let joined: Vec<JoinedFile<'_>> = files
        .iter()
        .zip(&outpoints)
        .map(|(file, outpoints)| {
            let own = file.said.document.as_ref();
            // A file that could not be read has no request of its own.
            let like = own.or(known);
            JoinedFile {
                sha256: match file.said.sha256.is_empty() {
                    true => file.report.file.as_bytes(),
                    false => file.said.sha256.as_bytes(),
                },
                network: like.map_or(CoinNetwork::Mainnet, |it| it.network),
                request: like.map_or("", |it| &it.statement.subject),
                name: own.map_or("", |it| &it.statement.name),
                status: file.report.status(),
                coins: file
                    .report
                    .coins
                    .iter()
                    .zip(outpoints)
                    .map(|(coin, outpoint)| JoinedCoin {
                        outpoint,
                        value: coin.value_sats,
                        counts: coin.counts,
                    })
                    .collect(),
            }
        })
        .collect();
    let joint = join_proofs(&joined, one_client);
    Joint::new(&joint, files.iter().map(|file| &file.report))
}
