//! Sessions and the codes that begin them.

use serde::Deserialize;
use sqlx::FromRow;
use utoipa::ToSchema;

use super::Store;
use super::sql::Value;
use chain::clock::UnixTime;

/// One sign-in on one device.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct Session {
    /// A UUID, the `session_id` of its access tokens.
    pub id: String,
    pub user_id: String,
    /// Whether the real refresh token lives in a cookie (decisions, D9).
    pub cookie: bool,
    /// How often the refresh token has been rotated.
    pub counter: i64,
    /// When it was last rotated, unix seconds.
    pub rotated_at: UnixTime,
    /// When it was rotated before that, unix seconds.
    pub rotated_before_at: UnixTime,
    /// When it began, unix seconds.
    pub created_at: UnixTime,
    /// When it expires, unix seconds. A session that ends earlier is deleted.
    pub expires_at: UnixTime,
    /// The newest rotation whose access token has been used.
    pub seen: i64,
}

impl Session {
    /// Whether it has not expired.
    pub fn live(&self, now: UnixTime) -> bool {
        self.expires_at > now
    }
}

/// The sessions that a sign-out ends (the `scope` of the client library).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SignOutScope {
    /// Every session of the user: the default.
    #[default]
    Global,
    /// The current session.
    Local,
    /// Every other session of the user.
    Others,
}

/// A code that can be exchanged for a session.
#[derive(Clone, Debug, FromRow, PartialEq, Eq)]
pub struct AuthCode {
    /// SHA-256 of the code, hex.
    pub code_hash: String,
    /// The user who signs in with it.
    pub user_id: String,
    /// The PKCE challenge, method S256 (RFC 7636, section 4.2).
    pub code_challenge: String,
    /// Whether the session will be in cookie mode.
    pub cookie: bool,
    /// When it expires, unix seconds.
    pub expires_at: UnixTime,
}

impl Store {
    /// Stores a new code, and deletes expired ones.
    pub async fn add_auth_code(&self, code: &AuthCode, now: UnixTime) -> sqlx::Result<()> {
        self.forget_expired(now).await?;
        let sql = "insert into auth_codes (code_hash, user_id, code_challenge, cookie, expires_at)
            values ($1, $2, $3, $4, $5)";
        let values: &[&dyn Value] = &[
            &code.code_hash,
            &code.user_id,
            &code.code_challenge,
            &code.cookie,
            &code.expires_at,
        ];
        self.query(sql, values).run().await
    }

    /// The user of this code; none once it was exchanged.
    pub async fn code_owner(&self, code_hash: &str) -> sqlx::Result<Option<String>> {
        let owner = "select user_id from auth_codes where code_hash = $1";
        self.query(owner, &[&code_hash]).scalar().await
    }

    /// Exchanges a code for the session that `judge` creates from it. Works once, even if `judge` refuses; a second exchange
    /// ends the session of the first one. None if there is no such code.
    pub async fn exchange_code<E: From<sqlx::Error>>(
        &self,
        code_hash: &str,
        judge: impl Fn(AuthCode) -> Result<Session, E>,
    ) -> Result<Option<Session>, E> {
        // May deadlock with a deletion of the account, which locks the account before its codes, and is tried again then.
        let judge = &judge;
        let judged = self.write(|mut tx| async move {
            let code = "delete from auth_codes where code_hash = $1 returning *";
            let code: Option<AuthCode> = tx.query(code, &[&code_hash]).optional().await?;
            let Some(code) = code else {
                let session = "delete from sessions where code_hash = $1";
                tx.query(session, &[&code_hash]).run().await?;
                return tx.end(None).await;
            };
            let judged = judge(code);
            if let Ok(session) = &judged {
                let sql = "insert into sessions
                      (id, user_id, cookie, counter, rotated_at, rotated_before_at, created_at, expires_at, seen, code_hash)
                    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
                let values: &[&dyn Value] = &[
                    &session.id,
                    &session.user_id,
                    &session.cookie,
                    &session.counter,
                    &session.rotated_at,
                    &session.rotated_before_at,
                    &session.created_at,
                    &session.expires_at,
                    &session.seen,
                    &code_hash,
                ];
                tx.query(sql, values).run().await?;
            }
            tx.end(Some(judged)).await
        });
        judged.await?.transpose()
    }

    /// Deletes expired sessions, codes and sign-ins.
    pub async fn forget_expired(&self, now: UnixTime) -> sqlx::Result<()> {
        for forget in [
            "delete from sessions where expires_at <= $1",
            "delete from auth_codes where expires_at <= $1",
            "delete from sign_in_flows where expires_at <= $1",
        ] {
            self.query(forget, &[&now]).run().await?;
        }
        Ok(())
    }

    /// The session with this id, even if it has expired.
    pub async fn session(&self, id: &str) -> sqlx::Result<Option<Session>> {
        let sql = "select * from sessions where id = $1";
        self.query(sql, &[&id]).optional().await
    }

    /// Increments the counter if it is `counter`. False if another refresh did so first: of any number of
    /// simultaneous refreshes exactly one rotates.
    pub async fn rotate_session(
        &self,
        id: &str,
        counter: i64,
        now: UnixTime,
    ) -> sqlx::Result<bool> {
        let sql = "update sessions set counter = counter + 1, rotated_before_at = rotated_at, rotated_at = $3
            where id = $1 and counter = $2";
        self.query(sql, &[&id, &counter, &now]).has_changed().await
    }

    /// Notes that the access token of a rotation has been used.
    pub async fn see_rotation(&self, id: &str, rotation: i64) -> sqlx::Result<()> {
        let sql = "update sessions set seen = $2 where id = $1 and seen < $2";
        self.query(sql, &[&id, &rotation]).run().await
    }

    /// Ends one session at once.
    pub async fn end_session(&self, id: &str) -> sqlx::Result<()> {
        let sql = "delete from sessions where id = $1";
        self.query(sql, &[&id]).run().await
    }

    /// Ends the sessions in the scope of `session`.
    pub async fn sign_out(&self, session: &Session, scope: SignOutScope) -> sqlx::Result<()> {
        let (id, user) = (&session.id, &session.user_id);
        match scope {
            SignOutScope::Local => self.end_session(id).await,
            SignOutScope::Global => {
                let all = "delete from sessions where user_id = $1";
                self.query(all, &[user]).run().await
            }
            SignOutScope::Others => {
                let others = "delete from sessions where user_id = $1 and id <> $2";
                self.query(others, &[user, id]).run().await
            }
        }
    }
}
