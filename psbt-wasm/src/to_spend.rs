//! The virtual transaction of BIP-0322 whose output a signed message spends.

use alloc::vec::Vec;

use crate::hash::sha256;
use crate::read::transaction::TxOut;
use crate::write::output;

/// BIP-0322, "Full": the transaction `to_spend` over a message, for a script.
pub(crate) fn to_spend(message: &[u8], script: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Version 0, and one input, which spends what no transaction can.
    bytes.extend([0, 0, 0, 0, 1]);
    bytes.extend([0; 32]);
    bytes.extend([0xff; 4]);
    // OP_0 and a push of the hash.
    bytes.extend([34, 0, 32]);
    bytes.extend(message_hash(message));
    // Sequence 0, and one output without value.
    bytes.extend([0, 0, 0, 0, 1]);
    bytes.extend(output(TxOut { value: 0, script }));
    // Lock time 0.
    bytes.extend([0; 4]);
    bytes
}

/// The hash of a message, tagged as in BIP-0340.
fn message_hash(message: &[u8]) -> [u8; 32] {
    let tag = sha256(&[b"BIP0322-signed-message"]);
    sha256(&[&tag, &tag, message])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// BIP-0322, "Message hashing".
    #[test]
    fn hashes_are_those_of_the_standard() {
        let hex = |message: &[u8]| {
            let hash = message_hash(message);
            hash.map(|byte| format!("{byte:02x}")).concat()
        };
        assert_eq!(
            hex(b""),
            "c90c269c4f8fcbe6880f72a721ddfbf1914268a794cbb21cfafee13770ae19f1"
        );
        assert_eq!(
            hex(b"Hello World"),
            "f0eb03b1a75ac6d9847f55c624a99169b5dccba2a31f5b23bea77ba270de0a7a"
        );
    }
}
