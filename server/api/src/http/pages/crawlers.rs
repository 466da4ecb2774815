//! What search engines ask for first.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;

use super::head::PUBLIC;
use super::render::Pages;

/// Which addresses are worth a visit (RFC 9309).
pub(super) async fn robots(State(pages): State<Arc<Pages>>) -> String {
    format!(
        "User-agent: *\n\
         Allow: /api/storage/v1/\n\
         Disallow: /api/\n\
         Disallow: /auth/\n\
         Disallow: /login\n\
         Disallow: /profile\n\
         Disallow: /upload\n\
         Disallow: /choose-plan\n\
         Sitemap: {}/sitemap.xml\n",
        pages.origin
    )
}

/// The public pages (sitemaps.org, version 0.9).
pub(super) async fn sitemap(State(pages): State<Arc<Pages>>) -> impl IntoResponse {
    let origin = &pages.origin;
    let pages: String = PUBLIC
        .iter()
        .map(|path| format!("  <url><loc>{origin}{path}</loc></url>\n"))
        .collect();
    let sitemap = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{pages}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], sitemap)
}
