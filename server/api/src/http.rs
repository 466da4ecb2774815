//! HTTP: the only room that knows axum. [`router`] is the URL map; each group of addresses has a folder, and a handler
//! takes the rooms that it needs and handles one request.

pub mod auth;
pub mod board_log;
pub mod cache;
pub mod card;
pub mod client_address;
pub mod connections;
pub mod cors;
pub mod download;
pub mod encoding;
pub mod error;
mod error_body;
pub mod etag;
pub mod extract;
pub mod functions;
pub mod headers;
pub mod health;
pub mod limits;
mod malformed;
pub mod metrics;
mod openapi;
pub mod pages;
mod request_id;
pub mod rest;
pub mod router;
pub mod session;
pub mod stops;
pub mod storage;
