//! The pages of `server/docs`, only for rustdoc, so that an edit there recompiles nothing.

#[cfg_attr(doc, doc = include_str!("../../docs/decisions.md"))]
pub mod decisions {}

#[cfg_attr(doc, doc = include_str!("../../docs/rules.md"))]
pub mod rules {}

#[cfg_attr(doc, doc = include_str!("../../docs/proofs.md"))]
pub mod proofs {}

#[cfg_attr(doc, doc = include_str!("../../docs/specification.md"))]
pub mod specification {}

#[cfg_attr(doc, doc = include_str!("../../docs/postgrest.md"))]
pub mod postgrest {}
