//! What layers of routes use. They have no state, because the same routes are written into the OpenAPI document without one.

use std::any::type_name;
use std::sync::Arc;

use axum::Extension;
use axum::extract::FromRequestParts;
use axum::http::Extensions;
use axum::http::request::Parts;

use crate::http::error::Error;

/// One of the values that [`share_all`] has put into the request.
#[derive(Clone, Debug)]
pub struct Shared<T>(pub T);

impl<S: Sync, T: Clone + Send + Sync + 'static> FromRequestParts<S> for Shared<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        let all: Option<&Arc<Extensions>> = parts.extensions.get();
        let value = all.and_then(|all| all.get()).cloned();
        value
            .map(Self)
            .ok_or_else(|| Error::internal(type_name::<T>()))
    }
}

/// A layer that puts these values into each request: as one, because many threads would count the references to each.
pub fn share_all(values: Extensions) -> Extension<Arc<Extensions>> {
    Extension(Arc::new(values))
}
