//! Lets requests in: a handler that takes a [`User`] cannot be reached by anybody who is not signed
//! in right now.

use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum_extra::headers::authorization::Bearer;
use axum_extra::headers::{Authorization, HeaderMapExt};

use crate::http::error::Error;
use crate::sign_in::SignIn;
use store::sessions::Session;

/// Who sends the request. The session was live in the database a moment ago, so a sign-out or a
/// deleted account is seen at once by every replica.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's id, a UUID.
    pub id: String,
    /// The session that the access token belongs to.
    pub session: Session,
}

impl<S: Sync> FromRequestParts<S> for User
where
    Arc<SignIn>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        match access_token(&parts.headers) {
            Some(token) => signed_in(Arc::from_ref(state), &token).await,
            None => Err(Error::unauthorized(
                "no-authorization",
                "This endpoint requires a valid Bearer token",
            )),
        }
    }
}

/// A visitor is None. An access token that is no longer valid is an error all the same: its sender
/// believes to be signed in and should find out.
impl<S: Sync> OptionalFromRequestParts<S> for User
where
    Arc<SignIn>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Error> {
        match access_token(&parts.headers) {
            Some(token) => signed_in(Arc::from_ref(state), &token).await.map(Some),
            None => Ok(None),
        }
    }
}

/// The access token of a request (RFC 6750, section 2.1). None for a visitor: the client library
/// sends its public key as bearer then, which is no token of ours.
fn access_token(headers: &HeaderMap) -> Option<String> {
    let Authorization(bearer) = headers.typed_get::<Authorization<Bearer>>()?;
    let token = bearer.token().trim();
    // The shape of a JSON Web Token in compact form (RFC 7515, section 3.1).
    let is_signed = token.split('.').count() == 3;
    (is_signed && !is_public_key(token)).then(|| token.to_owned())
}

/// Whether it is a public key of the older kind, a token with the role `anon`. It need not be
/// checked, because all that it makes of its sender is a visitor.
fn is_public_key(token: &str) -> bool {
    #[derive(serde::Deserialize)]
    struct Role {
        role: String,
    }
    jsonwebtoken::dangerous::insecure_decode::<Role>(token)
        .is_ok_and(|token| token.claims.role == "anon")
}

async fn signed_in(sign_in: Arc<SignIn>, token: &str) -> Result<User, Error> {
    let session = sign_in.authenticate(token).await?;
    Ok(User {
        id: session.user_id.clone(),
        session,
    })
}
