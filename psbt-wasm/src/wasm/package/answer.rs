//! How the modules of the npm package answer: their functions return nothing, and call one function of
//! `js/answers.js` instead. Nothing but bytes crosses the boundary, which needs a third of the glue that objects need.

use alloc::{string::ToString, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::Error;

/// What an answer is, in the order of `js/answers.js`.
#[cfg_attr(
    feature = "tools",
    allow(dead_code, reason = "the tools make no reports")
)]
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// An error: the index of its input or `u32::MAX`, the code, a line feed and the sentence.
    Refusal,
    /// A packed report.
    Report,
    /// What JavaScript copies: a file, or a text.
    Bytes = 2,
}

#[wasm_bindgen(raw_module = "./answers.js")]
extern "C" {
    /// `answer` is a view that is read before this returns.
    #[wasm_bindgen(js_name = give)]
    fn give(kind: u8, answer: &[u8]);
}

/// Answers with what there is of this kind, or with what is wrong.
pub(super) fn answer(kind: Kind, result: Result<Vec<u8>, Error>) {
    match result {
        Ok(bytes) => give(kind as u8, &bytes),
        Err(error) => {
            let input = error.input().and_then(|input| u32::try_from(input).ok());
            let mut bytes = Vec::from(input.unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend_from_slice(error.code().as_bytes());
            bytes.push(b'\n');
            bytes.extend_from_slice(error.to_string().as_bytes());
            give(Kind::Refusal as u8, &bytes);
        }
    }
}
