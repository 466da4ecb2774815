//! Sessions (families of refresh tokens) and the codes that begin them.

use sqlx::FromRow;

use super::Store;
use crate::base::clock::UnixTime;

/// One sign-in on one device.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Session {
    /// A UUID, the `session_id` of its access tokens.
    pub id: String,
    pub user_id: String,
    /// Whether the real refresh token lives in a cookie (decisions, D9).
    pub cookie: bool,
    /// The number of rotations of the refresh token.
    pub counter: i64,
    /// When it was last rotated, unix seconds.
    pub rotated_at: UnixTime,
    /// When it began, unix seconds.
    pub created_at: UnixTime,
    /// When it ends whatever happens, unix seconds.
    pub expires_at: UnixTime,
    /// When it was ended early, unix seconds.
    pub revoked_at: Option<UnixTime>,
}

impl Session {
    /// Whether it still signs its owner in.
    #[must_use]
    pub fn live(&self, now: UnixTime) -> bool {
        self.revoked_at.is_none() && self.expires_at > now
    }
}

/// The sessions that a sign-out ends (the `scope` of the client library).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SignOutScope {
    /// Every session of the user: the default.
    #[default]
    Global,
    /// The one that asks.
    Local,
    /// Every other one.
    Others,
}

/// A code, until it is exchanged for a session.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct AuthCode {
    /// SHA-256 of the code, hex.
    pub code_hash: String,
    /// Who signs in with it.
    pub user_id: String,
    /// The PKCE challenge, method S256 (RFC 7636, section 4.2).
    pub code_challenge: String,
    /// Whether the session will be in cookie mode.
    pub cookie: bool,
    /// When it stops working, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Remembers a code that was just issued, and forgets those whose time is over.
    pub async fn add_auth_code(&self, code: &AuthCode, now: UnixTime) -> Result<(), sqlx::Error> {
        self.query("delete from auth_codes where expires_at <= $1", &[&now])
            .execute()
            .await?;
        self.query(
            "insert into auth_codes (code_hash, user_id, code_challenge, cookie, expires_at)
             values ($1, $2, $3, $4, $5)",
            &[
                &code.code_hash,
                &code.user_id,
                &code.code_challenge,
                &code.cookie,
                &code.expires_at,
            ],
        )
        .run()
        .await
    }

    /// Takes a code: it works once, so reading it deletes it.
    pub async fn take_auth_code(&self, code_hash: &str) -> Result<Option<AuthCode>, sqlx::Error> {
        self.query(
            "delete from auth_codes where code_hash = $1 returning *",
            &[&code_hash],
        )
        .optional()
        .await
    }

    /// Begins a session.
    pub async fn add_session(&self, session: &Session) -> Result<(), sqlx::Error> {
        self.query(
            "insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7)",
            &[
                &session.id,
                &session.user_id,
                &session.cookie,
                &session.counter,
                &session.rotated_at,
                &session.created_at,
                &session.expires_at,
            ],
        )
        .run()
        .await
    }

    /// The session with this id, live or not.
    pub async fn session(&self, id: &str) -> Result<Option<Session>, sqlx::Error> {
        self.query("select * from sessions where id = $1", &[&id])
            .optional()
            .await
    }

    /// Moves the counter on from `counter`. False when somebody else did so first: of any number of
    /// simultaneous refreshes exactly one rotates.
    pub async fn rotate_session(
        &self,
        id: &str,
        counter: i64,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        let rotated = self
            .query(
                "update sessions set counter = counter + 1, rotated_at = $3
                 where id = $1 and counter = $2 and revoked_at is null",
                &[&id, &counter, &now],
            )
            .execute()
            .await?;
        Ok(rotated == 1)
    }

    /// Ends one session at once.
    pub async fn revoke_session(&self, id: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        self.query(
            "update sessions set revoked_at = $2 where id = $1 and revoked_at is null",
            &[&id, &now],
        )
        .run()
        .await
    }

    /// Ends the sessions that the scope names, as seen from `session`.
    pub async fn sign_out(
        &self,
        session: &Session,
        scope: SignOutScope,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        let mut tx = self.begin().await?;
        if scope != SignOutScope::Others {
            tx.query(
                "update sessions set revoked_at = $2 where id = $1 and revoked_at is null",
                &[&session.id, &now],
            )
            .execute()
            .await?;
        }
        if scope != SignOutScope::Local {
            tx.query(
                "update sessions set revoked_at = $3
                 where user_id = $1 and id <> $2 and revoked_at is null",
                &[&session.user_id, &session.id, &now],
            )
            .execute()
            .await?;
        }
        tx.commit().await
    }
}
