//! The seeds of the fuzz target `messages`: a signed message for each kind of address and each format.

use psbt_wasm::{MessageStatus, verify_message};

use crate::current::assert_current;
use crate::scene::*;

const TEXT: &str = "I hold these coins.\nAll of them.";

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the files.
#[test]
fn the_seeds_of_the_fuzz_target_are_current() {
    let (own, other) = (key(1), key(2));
    for kind in KINDS {
        let signer = address(&script_pubkey(kind, &own, &other));
        let signed = sign(kind, (&own, &other), &own, TEXT.as_bytes(), PLAIN);
        let mut formats = vec![("full", full(&signed))];
        if !signed.input[0].witness.is_empty() {
            formats.push(("simple", simple(&signed)));
        }
        for (format, signature) in formats {
            let check = verify_message(&signer, TEXT.as_bytes(), &signature);
            assert_eq!(check.status, MessageStatus::Valid, "{kind:?} {format}");
            let name = format!("{kind:?}-{format}.txt").to_lowercase();
            let text = format!("{signer}\n{signature}\n{TEXT}");
            assert_current(&format!("fuzz/seeds-messages/{name}"), &text);
        }
    }
}
