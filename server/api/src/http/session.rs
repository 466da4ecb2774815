//! The signed-in user, as an extractor: a handler that takes a [`User`] runs only for requests of a live session.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum_extra::headers::authorization::Bearer;
use axum_extra::headers::{Authorization, HeaderMapExt};
use serde_json::Value;

use crate::http::error::Error;
use crate::limits::{CHECKOUT, EXPORT, Limit, RateLimits, SUBMIT};
use crate::sign_in::SignIn;
use store::profiles::Profile;
use store::sessions::Session;

/// The signed-in user. The session was live in the database a moment ago, so every replica notices a sign-out or a deleted account at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    /// The user's id, a UUID.
    pub id: String,
    /// The session of the access token.
    pub session: Session,
}

/// None for a visitor. An access token that is no longer valid is an error: the client believes that it is signed in, and must learn that
/// it is not.
impl<S: Sync> OptionalFromRequestParts<S> for User
where
    Arc<SignIn>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Option<Self>, Error> {
        let Some(token) = access_token(&parts.headers) else {
            return Ok(None);
        };
        let sign_in = Arc::<SignIn>::from_ref(state);
        let session = sign_in.authenticate(&token).await?;
        let id = session.user_id.clone();
        Ok(Some(Self { id, session }))
    }
}

impl<S: Sync> FromRequestParts<S> for User
where
    Arc<SignIn>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let user = <Self as OptionalFromRequestParts<S>>::from_request_parts(parts, state);
        let message = "This endpoint requires a valid Bearer token";
        let signed_out = || Error::unauthorized("no-authorization", message);
        user.await?.ok_or_else(signed_out)
    }
}

/// The signed-in user's profile; none for a visitor.
#[derive(Clone, Debug)]
pub struct Viewer(pub Option<Profile>);

impl<S: Sync> FromRequestParts<S> for Viewer
where
    Arc<SignIn>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let user = <User as OptionalFromRequestParts<S>>::from_request_parts(parts, state);
        let Some(user) = user.await? else {
            return Ok(Self(None));
        };
        let sign_in = Arc::<SignIn>::from_ref(state);
        Ok(Self(Some(sign_in.profile(&user.session).await?)))
    }
}

/// The signed-in user of a request that counts towards a limit by account.
#[derive(Clone, Debug)]
pub struct Counted<K>(pub User, pub PhantomData<K>);

/// A kind of request that is counted.
pub trait Kind {
    const LIMIT: Limit;
}

/// A file that is sent.
#[derive(Clone, Copy, Debug)]
pub struct Submit;

/// A copy of all data.
#[derive(Clone, Copy, Debug)]
pub struct Export;

/// A purchase that begins.
#[derive(Clone, Copy, Debug)]
pub struct Checkout;

impl Kind for Submit {
    const LIMIT: Limit = SUBMIT;
}

impl Kind for Export {
    const LIMIT: Limit = EXPORT;
}

impl Kind for Checkout {
    const LIMIT: Limit = CHECKOUT;
}

impl<S: Sync, K: Kind> FromRequestParts<S> for Counted<K>
where
    Arc<SignIn>: FromRef<S>,
    Arc<RateLimits>: FromRef<S>,
{
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Error> {
        let user = <User as FromRequestParts<S>>::from_request_parts(parts, state).await?;
        let limits = Arc::<RateLimits>::from_ref(state);
        limits.admit(K::LIMIT, user.id.as_bytes()).await?;
        Ok(Self(user, PhantomData))
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

/// Whether it is a public key of the older kind, a token with the role `anon`. It need not be checked: its sender is only a visitor.
fn is_public_key(token: &str) -> bool {
    jsonwebtoken::dangerous::insecure_decode::<Value>(token)
        .is_ok_and(|token| token.claims["role"] == "anon")
}
