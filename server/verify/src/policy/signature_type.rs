//! Signature types of elements that have the form of a signature.

/// The type byte of an element that has the form of an ECDSA signature: DER (BIP-0066) and one byte.
/// No other element has that form by chance, because five of its bytes are fixed.
pub(super) fn ecdsa(element: &[u8]) -> Option<u8> {
    let [0x30, length, 0x02, r_length, rest @ ..] = element else {
        return None;
    };
    let [0x02, s_length, s @ .., sighash] = rest.get(usize::from(*r_length)..)? else {
        return None;
    };
    let complete = usize::from(*length) + 3 == element.len() && usize::from(*s_length) == s.len();
    complete.then_some(*sighash)
}

/// The type byte of an element that has the form of a Schnorr signature with one (BIP-0341: 65 bytes);
/// without one (64 bytes) the type is DEFAULT.
pub(super) fn schnorr(element: &[u8]) -> Option<u8> {
    match element.len() {
        65 => element.last().copied(),
        _ => None,
    }
}

/// The name that wallets give a type; the byte in hex if it has no name.
pub(super) fn name(byte: u8) -> String {
    let kind = match byte & !0x80 {
        0x01 => "ALL",
        0x02 => "NONE",
        0x03 => "SINGLE",
        _ => return format!("0x{byte:02x}"),
    };
    match byte & 0x80 {
        0 => kind.to_owned(),
        _ => format!("{kind}|ANYONECANPAY"),
    }
}

#[cfg(test)]
mod tests {
    use bitcoin::ecdsa::Signature;
    use bitcoin::secp256k1::{Message, Secp256k1, SecretKey};

    use super::*;

    #[test]
    fn every_der_signature_is_seen_with_its_type() {
        let secp = Secp256k1::new();
        let key = SecretKey::from_slice(&[7; 32]).expect("a key");
        for number in 0..=u8::MAX {
            let message = Message::from_digest([number; 32]);
            let mut element = Signature::sighash_all(secp.sign_ecdsa(&message, &key)).to_vec();
            *element.last_mut().expect("a signature has bytes") = number;
            assert_eq!(ecdsa(&element), Some(number));
        }
    }

    #[test]
    fn the_shortest_and_the_longest_signature_are_seen() {
        assert_eq!(ecdsa(&[0x30, 6, 2, 1, 1, 2, 1, 1, 0x83]), Some(0x83));
        let half = [&[2, 33], [0; 33].as_slice()].concat();
        let longest = [&[0x30, 70], half.as_slice(), &half, &[2]].concat();
        assert_eq!(ecdsa(&longest), Some(2));
    }

    #[test]
    fn other_elements_are_none() {
        let elements: [&[u8]; 6] = [
            &[],
            &[1],
            &[0x30],
            &[0x30, 6, 2, 200, 1, 2, 1, 1, 1],
            &[0x30, 9, 2, 1, 1, 2, 1, 1, 1],
            &[0x02; 33],
        ];
        for element in elements {
            assert_eq!(ecdsa(element), None, "{element:?}");
        }
        assert_eq!(schnorr(&[3; 64]), None);
        assert_eq!(schnorr(&[3; 65]), Some(3));
    }

    #[test]
    fn types_have_names() {
        let names = [0x01, 0x02, 0x83, 0x00, 0x81, 0x41].map(name);
        assert_eq!(
            names,
            [
                "ALL",
                "NONE",
                "SINGLE|ANYONECANPAY",
                "0x00",
                "ALL|ANYONECANPAY",
                "0x41"
            ]
        );
    }
}
