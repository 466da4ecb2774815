//! How long requests take, and the page that Prometheus reads.

pub mod requests;
pub mod scrape;
