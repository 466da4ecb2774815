//! A strict witness (C2SP tlog-witness, July 2026) in place of a public one, written from the specification. Crates by others check
//! notes and proofs.

use std::sync::MutexGuard;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use axum::extract::State;
use axum::response::{Redirect, Response};
use axum::routing::post;
use board_log::cosignature::WitnessKey;
use sha2::{Digest, Sha256};
use signed_note::{Note, StandardVerifier, VerifierList};
use tlog_tiles::{Checkpoint, Hash, check_tree};
use tokio::sync::Notify;

use crate::support::prelude::*;

/// The behavior of a witness.
#[derive(Clone, Debug)]
pub(crate) enum Mood {
    Strict,
    /// As in versions of the specification before 2026: another root at the same size is a conflict as well.
    Older,
    /// It cosigns, and its response is lost.
    LosesAnswers,
    Away,
    /// It responds only after this.
    Waits(Arc<Notify>),
    /// It redirects its clients to this address.
    Redirects(String),
    /// Its cosignatures are invalid.
    Lies,
}

#[derive(Default)]
struct Log {
    keys: Vec<String>,
    /// The newest checkpoint that it has cosigned.
    latest: Option<(u64, Hash)>,
}

struct Inside {
    name: String,
    pair: Ed25519KeyPair,
    mood: Mood,
    /// The time of its clock, unix seconds.
    now: u64,
    logs: HashMap<String, Log>,
    /// The first lines of the requests.
    asked: Vec<String>,
}

pub(crate) struct Witness {
    /// Its submission prefix.
    pub(crate) address: String,
    inside: Arc<Mutex<Inside>>,
}

impl Witness {
    pub(crate) async fn start(name: &str) -> Self {
        let seed = Sha256::digest(name);
        let inside = Inside {
            name: name.to_owned(),
            pair: Ed25519KeyPair::from_seed_unchecked(&seed).expect("a seed"),
            mood: Mood::Strict,
            now: 1_790_000_000,
            logs: HashMap::new(),
            asked: Vec::new(),
        };
        let inside = Arc::new(Mutex::new(inside));
        let router = Router::new().route("/w/add-checkpoint", post(add_checkpoint));
        let address = serve(router.with_state(Arc::clone(&inside))).await + "/w/";
        Self { address, inside }
    }

    pub(crate) async fn two() -> [Self; 2] {
        let one = Self::start("one.example/w").await;
        [one, Self::start("two.example/w").await]
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().expect("no panic")
    }

    /// Its verifier key.
    pub(crate) fn key(&self) -> WitnessKey {
        let inside = self.inside();
        let key = [&[4], inside.pair.public_key().as_ref()].concat();
        let id = hex::encode(inside.id());
        let text = format!("{}+{id}+{}", inside.name, STANDARD.encode(key));
        text.parse().unwrap()
    }

    /// The witness in the format of the server's setting.
    pub(crate) fn setting(&self) -> String {
        format!("{} {}", self.key(), self.address)
    }

    /// Registers a log; operators of logs ask for that by hand.
    pub(crate) fn register(&self, key: &str) {
        let key = key.trim().to_owned();
        let origin = key.split('+').next().unwrap().to_owned();
        let mut inside = self.inside();
        inside.logs.entry(origin).or_default().keys.push(key);
    }

    pub(crate) fn be(&self, mood: Mood) {
        self.inside().mood = mood;
    }

    /// Moves its clock.
    pub(crate) fn advance(&self, seconds: u64) {
        self.inside().now += seconds;
    }

    /// The size that it has last cosigned, of its only log.
    pub(crate) fn size(&self) -> Option<u64> {
        let inside = self.inside();
        let log = inside.logs.values().next()?;
        log.latest.as_ref().map(|latest| latest.0)
    }

    /// Makes it see another history of its only log.
    pub(crate) fn has_seen(&self, size: u64, root: [u8; 32]) {
        let mut inside = self.inside();
        inside.logs.values_mut().next().unwrap().latest = Some((size, Hash(root)));
    }

    /// The first lines of the requests since it was last asked.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.inside().asked)
    }
}

impl Inside {
    fn id(&self) -> [u8; 4] {
        let name = format!("{}\n\u{4}", self.name);
        let key = [name.as_bytes(), self.pair.public_key().as_ref()].concat();
        *Sha256::digest(key).first_chunk().expect("32 bytes")
    }

    fn cosignature(&self, text: &str) -> String {
        let message = format!("cosignature/v1\ntime {}\n{text}", self.now);
        let mut signature = self.id().to_vec();
        signature.extend(self.now.to_be_bytes());
        signature.extend(self.pair.sign(message.as_bytes()).as_ref());
        if matches!(self.mood, Mood::Lies) {
            *signature.last_mut().expect("bytes") ^= 1;
        }
        format!("\u{2014} {} {}\n", self.name, STANDARD.encode(signature))
    }

    /// Answers a request, in the order of the specification.
    fn answer(&mut self, body: &str) -> Result<String, (StatusCode, String)> {
        let status = |status: StatusCode| (status, String::new());
        let bad = || status(StatusCode::BAD_REQUEST);
        let (head, checkpoint) = body.split_once("\n\n").ok_or_else(bad)?;
        let mut lines = head.split('\n');
        let first = lines.next().ok_or_else(bad)?;
        let old = first.strip_prefix("old ").ok_or_else(bad)?;
        let number: Option<u64> = old.parse().ok();
        let old = number.filter(|it| it.to_string() == old).ok_or_else(bad)?;
        let hash = |line| Some(Hash(STANDARD.decode(line).ok()?.try_into().ok()?));
        let proof: Vec<Hash> = lines.map(hash).collect::<Option<_>>().ok_or_else(bad)?;
        if proof.len() > 63 {
            return Err(bad());
        }

        let note = Note::from_bytes(checkpoint.as_bytes()).map_err(|_| bad())?;
        let text = String::from_utf8(note.text().to_vec()).map_err(|_| bad())?;
        let read = Checkpoint::from_bytes(note.text()).map_err(|_| bad())?;
        let mood = self.mood.clone();
        let cosignature = self.cosignature(&text);
        let log = self.logs.get_mut(read.origin());
        let log = log.ok_or_else(|| status(StatusCode::NOT_FOUND))?;
        let verifiers = log.keys.iter().map(|key| {
            Box::new(StandardVerifier::new(key).unwrap()) as Box<dyn signed_note::Verifier>
        });
        let verified = note.verify(&VerifierList::new(verifiers.collect()));
        verified.map_err(|_| status(StatusCode::FORBIDDEN))?;

        if old > read.size() {
            return Err(bad());
        }
        let latest = log.latest.as_ref().map_or(0, |latest| latest.0);
        if old != latest {
            return Err((StatusCode::CONFLICT, format!("{latest}\n")));
        }
        let unprocessable = || status(StatusCode::UNPROCESSABLE_ENTITY);
        match &log.latest {
            None if !proof.is_empty() => return Err(unprocessable()),
            None => {}
            Some((size, root)) if *size == read.size() && root.0 != read.hash().0 => {
                return Err(match mood {
                    Mood::Older => (StatusCode::CONFLICT, format!("{latest}\n")),
                    _ => unprocessable(),
                });
            }
            Some((size, root)) => {
                let checked = check_tree(&proof, read.size(), *read.hash(), *size, *root);
                checked.map_err(|_| unprocessable())?;
            }
        }
        log.latest = Some((read.size(), *read.hash()));
        Ok(cosignature)
    }
}

async fn add_checkpoint(State(inside): State<Arc<Mutex<Inside>>>, body: String) -> Response {
    let mood = {
        let mut inside = inside.lock().expect("no panic");
        inside.asked.extend(body.lines().next().map(str::to_owned));
        inside.mood.clone()
    };
    match &mood {
        Mood::Away => return StatusCode::SERVICE_UNAVAILABLE.into_response(),
        Mood::Redirects(to) => return Redirect::temporary(to).into_response(),
        Mood::Waits(gate) => gate.notified().await,
        _ => {}
    }
    let answer = inside.lock().expect("no panic").answer(&body);
    match answer {
        Ok(_) if matches!(mood, Mood::LosesAnswers) => StatusCode::BAD_GATEWAY.into_response(),
        Ok(line) => {
            // An unknown signature, which the server must ignore.
            let strange = "\u{2014} stranger.example/w AAAAAAAAAAAAAAAAAAAAAA==\n";
            format!("{strange}{line}").into_response()
        }
        Err((status, size)) => {
            let kind = [("content-type", "text/x.tlog.size")];
            (status, kind, size).into_response()
        }
    }
}
