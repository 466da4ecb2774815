//! Names of the metrics that are recorded in several modules. `http/metrics/scrape.rs` has the others.

/// By method, route and status.
pub const REQUEST_SECONDS: &str = "http_request_duration_seconds";
/// By source, question and result.
pub const CHAIN_SECONDS: &str = "chain_request_duration_seconds";
/// By outcome.
pub const SUBMISSIONS: &str = "submissions_total";
