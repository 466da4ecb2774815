//! Sessions (families of refresh tokens) and the codes that begin them.

use sqlx::FromRow;

use super::{Store, begin, each};
use crate::clock::UnixTime;

/// One sign-in on one device.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Session {
    /// A UUID, the `session_id` of its access tokens.
    pub id: String,
    /// Whose it is.
    pub user_id: String,
    /// Whether the real refresh token lives in a cookie (decisions, D9).
    pub cookie: bool,
    /// How often the refresh token has been rotated.
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

/// Which sessions a sign-out ends (the `scope` of the client library).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SignOutScope {
    /// Every session of the user: the default.
    #[default]
    Global,
    /// The one that asks.
    Local,
    /// Every other one.
    Others,
}

/// What a code stands for until it is exchanged.
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
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_auth_code(&self, code: &AuthCode, now: UnixTime) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query("delete from auth_codes where expires_at <= $1")
                .bind(now)
                .execute(pool)
                .await?;
            sqlx::query(
                "insert into auth_codes (code_hash, user_id, code_challenge, cookie, expires_at)
                 values ($1, $2, $3, $4, $5)",
            )
            .bind(&code.code_hash)
            .bind(&code.user_id)
            .bind(&code.code_challenge)
            .bind(code.cookie)
            .bind(code.expires_at)
            .execute(pool)
            .await?;
            Ok(())
        })
    }

    /// Takes a code: it works once, so reading it deletes it.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn take_auth_code(&self, code_hash: &str) -> Result<Option<AuthCode>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as("delete from auth_codes where code_hash = $1 returning *")
                .bind(code_hash)
                .fetch_optional(pool)
                .await
        })
    }

    /// Begins a session.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn add_session(&self, session: &Session) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query(
                "insert into sessions (id, user_id, cookie, counter, rotated_at, created_at, expires_at)
                 values ($1, $2, $3, $4, $5, $6, $7)",
            )
            .bind(&session.id)
            .bind(&session.user_id)
            .bind(session.cookie)
            .bind(session.counter)
            .bind(session.rotated_at)
            .bind(session.created_at)
            .bind(session.expires_at)
            .execute(pool)
            .await?;
            Ok(())
        })
    }

    /// The session with this id, live or not.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn session(&self, id: &str) -> Result<Option<Session>, sqlx::Error> {
        each!(self, |pool| {
            sqlx::query_as("select * from sessions where id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await
        })
    }

    /// Moves the counter on from `counter`. False when somebody else did so first: of any number of
    /// simultaneous refreshes exactly one rotates.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn rotate_session(
        &self,
        id: &str,
        counter: i64,
        now: UnixTime,
    ) -> Result<bool, sqlx::Error> {
        each!(self, |pool| {
            let rotated = sqlx::query(
                "update sessions set counter = counter + 1, rotated_at = $3
                 where id = $1 and counter = $2 and revoked_at is null",
            )
            .bind(id)
            .bind(counter)
            .bind(now)
            .execute(pool)
            .await?
            .rows_affected();
            Ok(rotated == 1)
        })
    }

    /// Ends one session at once.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn revoke_session(&self, id: &str, now: UnixTime) -> Result<(), sqlx::Error> {
        each!(self, |pool| {
            sqlx::query("update sessions set revoked_at = $2 where id = $1 and revoked_at is null")
                .bind(id)
                .bind(now)
                .execute(pool)
                .await?;
            Ok(())
        })
    }

    /// Ends the sessions that the scope names, as seen from `session`.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn sign_out(
        &self,
        session: &Session,
        scope: SignOutScope,
        now: UnixTime,
    ) -> Result<(), sqlx::Error> {
        begin!(self, |transaction| {
            if scope != SignOutScope::Others {
                sqlx::query(
                    "update sessions set revoked_at = $2 where id = $1 and revoked_at is null",
                )
                .bind(&session.id)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            }
            if scope != SignOutScope::Local {
                sqlx::query(
                    "update sessions set revoked_at = $3
                     where user_id = $1 and id <> $2 and revoked_at is null",
                )
                .bind(&session.user_id)
                .bind(&session.id)
                .bind(now)
                .execute(&mut *transaction)
                .await?;
            }
            transaction.commit().await
        })
    }
}
