//! A second reader, on top of the `bitcoin` crate and of `base64`, that shares no code with the one of this package: which
//! verdict a file deserves, what is in it, and what is left of it. What this one says, the package must say.
//!
//! Only the names of encodings, script types and so on come from the package.

mod compare;
mod format;
pub(crate) mod maps;
mod reader;
mod report;
mod strip;
mod version2;

pub(crate) use compare::{NETWORKS, Verdict, compare};
pub(crate) use format::read;

/// BIP-0174: `psbt` and the separator 0xff.
const MAGIC: &[u8; 5] = b"psbt\xff";

/// Why a file is refused: the code, and the input that is to blame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) code: &'static str,
    /// Also `None` for a violation of the format, because this reader does not say where.
    pub(crate) input: Option<usize>,
}

impl Refused {
    /// Any violation of the format.
    const MALFORMED: Self = Self::whole("could-not-parse");

    const fn whole(code: &'static str) -> Self {
        Self { code, input: None }
    }

    fn at(code: &'static str, input: usize) -> Self {
        let input = Some(input);
        Self { code, input }
    }
}

impl From<psbt_wasm::Error> for Refused {
    /// The same view of the package's errors.
    fn from(error: psbt_wasm::Error) -> Self {
        let (code, input) = (error.code(), error.input());
        match code {
            "could-not-parse" => Self::MALFORMED,
            _ => Self { code, input },
        }
    }
}
