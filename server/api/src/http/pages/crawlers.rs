//! What search engines ask for first.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::Pages;
use super::head::listed;

/// Which addresses are worth a visit (RFC 9309).
pub async fn get_robots(State(pages): State<Arc<Pages>>) -> String {
    let robots = include_str!("../../../templates/robots.txt");
    robots.replace("{origin}", &pages.origin)
}

/// The public pages (sitemaps.org, version 0.9).
pub async fn get_sitemap(State(pages): State<Arc<Pages>>) -> impl IntoResponse {
    let origin = &pages.origin;
    let pages: String = listed()
        .map(|path| format!("  <url><loc>{origin}{path}</loc></url>\n"))
        .collect();
    let sitemap = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{pages}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], sitemap)
}
