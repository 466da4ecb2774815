//! Extractors whose rejections are our own errors, so that a malformed request reads like any other.

use axum::extract::{FromRequest, FromRequestParts};

use crate::http::error::Error;

/// The largest body that is read where files are sent, in bytes (decisions, D13).
pub const MAX_FILE_BODY_BYTES: usize = 2 * 1024 * 1024;

/// The largest body that is read elsewhere, in bytes: no call has much to say, and everybody may make some.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

/// A JSON body.
#[derive(Clone, Copy, Debug, FromRequest)]
#[from_request(via(axum::Json), rejection(Error))]
pub struct Json<T>(pub T);

/// The query string.
#[derive(Clone, Copy, Debug, FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Error))]
pub struct Query<T>(pub T);

/// Parts of the path.
#[derive(Clone, Copy, Debug, FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Error))]
pub struct Path<T>(pub T);
