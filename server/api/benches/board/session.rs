//! Somebody who has signed in.

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};

use crate::load::{Connection, find, get};

/// A session of development's mock sign-in.
pub(crate) struct Session {
    token: String,
}

impl Session {
    pub(crate) async fn begin(address: SocketAddr) -> io::Result<Self> {
        let verifier = "a-verifier-of-more-than-forty-three-characters-for-the-bench";
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
        let mut connection = Connection::open(address).await?;
        let authorize = format!(
            "/api/auth/v1/authorize?provider=mock&code_challenge={challenge}&code_challenge_method=s256"
        );
        let answer = connection.ask(&get(&authorize, "")).await?;
        let location = answer.header("location").unwrap_or_default();
        let code = location.split_once("code=").map_or("", |(_, code)| code);
        let code = code.split('&').next().unwrap_or_default();
        let body = format!(r#"{{"auth_code":"{code}","code_verifier":"{verifier}"}}"#);
        let exchange = format!(
            "POST /api/auth/v1/token?grant_type=pkce HTTP/1.1\r\nhost: bench\r\norigin: http://{address}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = connection.ask(exchange.as_bytes()).await?;
        let session = answer.body;
        let name = br#""access_token":""#;
        let at = find(&session, name).ok_or(io::ErrorKind::InvalidData)? + name.len();
        let token = session[at..].split(|byte| *byte == b'"').next();
        let token = String::from_utf8_lossy(token.unwrap_or_default()).into_owned();
        Ok(Self { token })
    }

    /// Sends a file in, and answers with what status it came back. No coin in it can be looked up, because the bench has no chain: that
    /// is the server's trouble, and no failure of the sender's.
    async fn submit(&self, connection: &mut Connection) -> io::Result<u16> {
        const FILE: &str = include_str!("../../../../psbt-wasm/tests/node/fixtures/final.txn");
        let file = STANDARD.encode(FILE);
        let body = format!(r#"{{"psbtBase64":"{file}","file_name":"final.txn"}}"#);
        let submit = format!(
            "POST /api/functions/v1/submit-proof HTTP/1.1\r\nhost: bench\r\n{}content-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.header(),
            body.len()
        );
        Ok(connection.ask(submit.as_bytes()).await?.status)
    }

    pub(crate) fn header(&self) -> String {
        format!("authorization: Bearer {}\r\n", self.token)
    }
}

/// How long nearly every one of those takes who sign in one after another for so long.
pub(crate) async fn p99(address: SocketAddr, lasts: Duration) -> io::Result<Duration> {
    let (begin, mut times) = (Instant::now(), Vec::new());
    while begin.elapsed() < lasts || times.is_empty() {
        let one = Instant::now();
        Session::begin(address).await?;
        times.push(one.elapsed());
    }
    times.sort_unstable();
    Ok(times[times.len() * 99 / 100])
}

/// How long nearly every file takes that is sent in, one after another for so long, and how many were refused instead of looked up.
pub(crate) async fn p99_of_submissions(
    address: SocketAddr,
    lasts: Duration,
) -> io::Result<(Duration, usize)> {
    /// Somebody may send no more in an hour.
    const EACH: usize = 50;
    let (begin, mut times, mut failed) = (Instant::now(), Vec::new(), 0);
    let mut connection = Connection::open(address).await?;
    let mut person = Session::begin(address).await?;
    while begin.elapsed() < lasts || times.is_empty() {
        if times.len() % EACH == EACH - 1 {
            person = Session::begin(address).await?;
        }
        let one = Instant::now();
        let status = person.submit(&mut connection).await?;
        times.push(one.elapsed());
        failed += usize::from(status != 503);
    }
    times.sort_unstable();
    Ok((times[times.len() * 99 / 100], failed))
}
