//! Somebody who has signed in.

use std::io;
use std::net::SocketAddr;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
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

    pub(crate) fn header(&self) -> String {
        format!("authorization: Bearer {}\r\n", self.token)
    }
}
