//! How the modules of the npm package answer: their functions return nothing, and call one function of
//! `js/answers.js` instead. Nothing but bytes crosses the boundary, which needs a third of the glue that objects need.

use alloc::{string::ToString, vec::Vec};

use wasm_bindgen::prelude::*;

use crate::{Error, Map};

/// What an answer is, in the order of `js/answers.js`.
#[cfg_attr(
    feature = "tools",
    allow(dead_code, reason = "the tools make no reports")
)]
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// An error: its code, map, index, field and sentence, each in a line, which is empty where there is none.
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
            let map = error.map();
            let index = map.and_then(Map::index);
            let lines = [
                error.code(),
                map.map_or("", Map::name),
                &index.map(|index| index.to_string()).unwrap_or_default(),
                error.field().unwrap_or_default(),
                &error.to_string(),
            ];
            give(Kind::Refusal as u8, lines.join("\n").as_bytes());
        }
    }
}
