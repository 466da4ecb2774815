//! Extractors whose rejections are our own errors, so that a malformed request reads like any other.

use axum::extract::{FromRequest, FromRequestParts, Request};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::http::error::Error;

/// The largest body that is read where files are sent, in bytes (decisions, D13).
pub const MAX_FILE_BODY_BYTES: usize = 2 * 1024 * 1024;

/// The largest body that is read elsewhere, in bytes: no call has much to say, and everybody may make some.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// A JSON body that is an object.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Error;

    async fn from_request(request: Request, state: &S) -> Result<Self, Error> {
        let axum::Json(Object(value)) = axum::Json::from_request(request, state).await?;
        Ok(Self(value))
    }
}

/// An object and nothing else: structs would also be read from a list of their members in order.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(try_from = "Map<String, Value>", bound = "T: DeserializeOwned")]
pub struct Object<T>(pub T);

impl<T: DeserializeOwned> TryFrom<Map<String, Value>> for Object<T> {
    type Error = serde_json::Error;

    fn try_from(members: Map<String, Value>) -> Result<Self, Self::Error> {
        serde_json::from_value(members.into()).map(Self)
    }
}

/// The query string.
#[derive(Clone, Copy, Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Error))]
pub struct Query<T>(pub T);

/// Parts of the path.
#[derive(Clone, Copy, Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub struct Path<T>(pub T);
