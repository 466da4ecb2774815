//! What holds for every signed message: an address, a signature, and the message, each after a line break.

use std::sync::LazyLock;

use psbt_wasm::{MessageStatus, verify_message};

use crate::seeds::message_seeds;

/// The messages that keys of the seeds signed, by address.
static SIGNED: LazyLock<Vec<[Vec<u8>; 3]>> =
    LazyLock::new(|| message_seeds().iter().map(|seed| parts(seed)).collect());

fn parts(bytes: &[u8]) -> [Vec<u8>; 3] {
    let mut parts = bytes.splitn(3, |byte| *byte == b'\n');
    [(); 3].map(|()| parts.next().unwrap_or_default().to_vec())
}

/// Only a message that was signed is valid, with any line endings.
pub(crate) fn verifying(bytes: &[u8]) {
    let [address, signature, message] = parts(bytes);
    let (Ok(address), Ok(signature)) = (
        std::str::from_utf8(&address),
        std::str::from_utf8(&signature),
    ) else {
        return;
    };
    let check = verify_message(address, &message, signature);
    let is_valid = matches!(
        check.status,
        MessageStatus::Valid | MessageStatus::ValidWithLocks
    );
    assert_eq!(is_valid, check.reason.is_none());
    let is_signed = SIGNED.iter().any(|[signer, _, signed]| {
        let same_signer = address.trim_ascii().as_bytes().eq_ignore_ascii_case(signer);
        same_signer && unix_lines(&message) == unix_lines(signed)
    });
    assert!(!is_valid || is_signed, "this was never signed");
}

fn unix_lines(message: &[u8]) -> Vec<u8> {
    let mut lines = message.to_vec();
    let mut at = 0;
    lines.retain(|byte| {
        at += 1;
        *byte != b'\r' || message.get(at) != Some(&b'\n')
    });
    lines
}
