//! What boards' pages ask of the rules of statements. The package's interface does not have these functions.

use alloc::{format, string::String, vec::Vec};

use super::frames::{read, read_text};
use super::json::Quoted;
use crate::Error;
use crate::binding::{Binding, Motion, binding_of};
use crate::read::cursor::Cursor;
use crate::statement::{CoinNetwork, Person};

/// Whose a file is, as JSON text. The frames are the statement and the file.
pub(in crate::wasm) fn binding(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let line = read_text(&mut cursor)?;
    let binding = binding_of(read(&mut cursor)?, line)?;
    Ok(json(&binding).into_bytes())
}

fn json(binding: &Binding) -> String {
    match binding {
        Binding::Bound => r#"{"state":"bound"}"#.into(),
        Binding::MessageNotStated => r#"{"state":"unknown","why":"message"}"#.into(),
        Binding::ValuesNotStated => r#"{"state":"unknown","why":"values"}"#.into(),
        Binding::OtherCode => r#"{"state":"unknown","why":"earlier-code"}"#.into(),
        Binding::Foreign(said) => {
            format!(r#"{{"state":"foreign","statement":{}}}"#, Quoted(said))
        }
        Binding::FinalSequence => r#"{"state":"changed"}"#.into(),
        Binding::Unbound => r#"{"state":"unbound"}"#.into(),
        Binding::Moving { motion, output } => {
            let fault = fault(*motion, *output);
            format!(r#"{{"state":"moving","fault":{{"of":{fault}}}}}"#)
        }
    }
}

fn fault(motion: Motion, statement: usize) -> String {
    match motion {
        Motion::Form => format!(r#""form","output":{statement}"#),
        Motion::Valueless => r#""valueless""#.into(),
        Motion::LockTime { found } => format!(r#""lock-time","found":{found}"#),
        Motion::Sequences => r#""sequences""#.into(),
        Motion::Elsewhere { output } => format!(r#""elsewhere","output":{output}"#),
        Motion::Sum { input, had, back } => {
            format!(r#""sum","input":{input},"had":{had},"back":{back}"#)
        }
    }
}

/// The full name that a person signs. The frames are the name of the provider, the person's permanent id there, and their name with the
/// prefix of the provider, empty for a person without a name of their own.
pub(in crate::wasm) fn full_name(frames: &[u8]) -> Result<Vec<u8>, Error> {
    let mut cursor = Cursor::new(frames);
    let (provider, subject) = (read_text(&mut cursor)?, read_text(&mut cursor)?);
    let name = read_text(&mut cursor)?;
    // A full name depends on nothing else.
    let person = Person {
        network: CoinNetwork::Mainnet,
        origin: "",
        provider,
        subject,
        account: "",
    };
    let full = person.full_name((!name.is_empty()).then_some(name));
    Ok(full.into_bytes())
}
