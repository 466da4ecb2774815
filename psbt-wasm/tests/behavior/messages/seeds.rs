//! The seeds of the fuzz target `messages`: a signed message for each kind of address and each format.

use super::*;

const TEXT: &str = "I hold these coins.\nAll of them.";

/// `UPDATE_FIXTURES=1 cargo test -p psbt-wasm` rewrites the files.
#[test]
fn the_seeds_of_the_fuzz_target_are_current() {
    for kind in Kind::VARIANTS.iter().copied() {
        let (script, signed) = sign(kind, 1, TEXT.as_bytes(), PLAIN);
        let signer = address(&script);
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
