//! How the modules of the npm package answer: their functions return nothing, and call one function of
//! `js/answers.js` instead. Nothing but bytes crosses the boundary, which needs a third of the glue that objects need.

use alloc::vec::Vec;

use wasm_bindgen::prelude::*;

use crate::Error;

#[wasm_bindgen(raw_module = "./answers.js")]
extern "C" {
    /// `answer` is a view that is read before this returns.
    #[wasm_bindgen(js_name = give)]
    fn give(kind: u8, answer: &[u8]);
}

/// What an answer is; `js/answers.js` has the same list.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// A packed report.
    #[cfg(feature = "report")]
    Report = 1,
    /// A file.
    #[cfg(feature = "report")]
    File = 2,
    /// JSON text.
    #[cfg(feature = "signatures")]
    Json = 3,
    /// The length of a JSON text in 4 bytes, the text, and a file.
    #[cfg(feature = "make")]
    Made = 4,
}

/// Answers. An error is 0, then the index of its input or `u32::MAX`, the code, a line feed and the sentence.
pub(super) fn answer(kind: Kind, result: Result<Vec<u8>, Error>) {
    match result {
        Ok(bytes) => give(kind as u8, &bytes),
        Err(error) => {
            let input = error.input().and_then(|input| u32::try_from(input).ok());
            let mut bytes = Vec::from(input.unwrap_or(u32::MAX).to_le_bytes());
            bytes.extend_from_slice(error.code().as_bytes());
            bytes.push(b'\n');
            bytes.extend_from_slice(error.sentence().as_bytes());
            give(0, &bytes);
        }
    }
}
