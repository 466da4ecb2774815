//! Secrets and other things that are no PSBT are recognized, and ordinary text and files are not.

use bip39::Language;
use bitcoin::{NetworkKind, PrivateKey};
use proptest::prelude::*;
use psbt_wasm::{Recognized, recognize};

use super::*;

fn kind(text: &str) -> Option<Recognized> {
    recognize(text.as_bytes())
}

fn phrase(length: usize) -> impl Strategy<Value = Vec<&'static str>> {
    let words = Language::English.word_list();
    prop::collection::vec(prop::sample::select(&words[..]), length)
}

fn network() -> impl Strategy<Value = NetworkKind> {
    prop::sample::select(vec![NetworkKind::Main, NetworkKind::Test])
}

proptest! {
    #[test]
    fn a_phrase_is_recognized_however_it_is_written(
        words in prop::sample::select(vec![12, 15, 18, 21, 24]).prop_flat_map(phrase),
        separator in prop::sample::select(vec![" ", "\n", "  ", ", ", "\t", "-", "; ", "\u{200b} ", " \u{a0}"]),
        numbered: bool,
        short: bool,
        upper: bool,
        before in prop::sample::select(vec!["", "my seed: ", "Wallet 7\n", "\u{feff}"]),
        typo in prop::option::of(0..12_usize),
    ) {
        let written = words.iter().enumerate().map(|(at, word)| {
            let word = if short { &word[..word.len().min(4)] } else { word };
            let word = if typo == Some(at) { "qqqqqq" } else { word };
            let word = if upper { word.to_uppercase() } else { word.to_owned() };
            if numbered { format!("{}. {word}", at + 1) } else { word }
        });
        let text = format!("{before}{}", written.collect::<Vec<_>>().join(separator));
        prop_assert_eq!(kind(&text), Some(Recognized::SeedPhrase));
        let utf_16: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        prop_assert_eq!(recognize(&[&[0xff, 0xfe], &utf_16[..]].concat()), Some(Recognized::SeedPhrase));
    }

    #[test]
    fn fewer_words_are_no_phrase(words in (0..10_usize).prop_flat_map(phrase)) {
        prop_assert_eq!(kind(&words.join(" ")), None);
    }

    #[test]
    fn keys_are_recognized_anywhere_in_a_text(
        seed: [u8; 32],
        network in network(),
        before in prop::sample::select(vec!["", "key: ", "wpkh([d34db33f/84h]", "\"", "p2wpkh:"]),
        after in prop::sample::select(vec!["", "\n", "/0/*)", "\""]),
    ) {
        let xpriv = Xpriv::new_master(network, &seed).expect("a key");
        let found = kind(&format!("{before}{xpriv}{after}"));
        prop_assert_eq!(found, Some(Recognized::ExtendedPrivateKey));
        let key = SecretKey::from_slice(&seed);
        prop_assume!(key.is_ok());
        for compressed in [true, false] {
            let wif = PrivateKey { compressed, network, inner: key.expect("assumed") };
            let found = kind(&format!("{before}{}{after}", wif.to_wif()));
            prop_assert_eq!(found, Some(Recognized::PrivateKey));
        }
        let xpub = Xpub::from_priv(&secp(), &xpriv);
        prop_assert_eq!(kind(&xpub.to_string()), Some(Recognized::ExtendedPublicKey));
    }

    #[test]
    fn any_bytes_are_looked_at_without_a_panic(bytes: Vec<u8>, text: String) {
        let _ = recognize(&bytes);
        let _ = kind(&text);
    }
}

#[test]
fn other_things_are_named() {
    let cases = "
        Ur | ur:crypto-psbt/1-2/lpadaocsptcybkgdcarhhdgohdosjojkidjyzmad
        Ur | UR:PSBT/HDOSJOJKIDJYZMADAEGM
        Bbqr | B$2P0200QWERTY
        Html | <!DOCTYPE html><html></html>
        Html | <!-- saved --><html></html>
        Pset | cHNldP8BAgQCAAAAAQQBAQEFAQE=
        Descriptor | rawtr(a34b99f22c790c4e36b2b3c2c35a36db06226e41c692fc82b8b56ac1c540c5bd)
        Descriptor | tr([d34db33f/86h/0h/0h]xpub6ERApfZwUNrhLCkDtcHTcxd75RbzS1ed54G1LkBUHQVHQKqhMkhgbmJbZRkrgZw4koxb5JaHWkY4ALHY2grBGRjaDMzQLcgJvLJuZZvRcEL/0/*)
        Address | bitcoin:bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw?amount=1
        Address | bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw
        Address | 1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2
        TestAddress | tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx
        TestAddress | mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn";
    for case in cases.trim().lines() {
        let (expected, text) = case.trim().split_once(" | ").expect("a kind and a text");
        for text in [text.to_owned(), format!(" {text}\n")] {
            let found = kind(&text).expect(&text);
            assert_eq!(format!("{found:?}"), expected, "{text}");
            assert!(!found.is_secret() && found.message().ends_with('.'));
        }
    }
    assert_eq!(recognize(b"pset\xff\x01"), Some(Recognized::Pset));
}

/// BIP-0093's own vectors.
#[test]
fn shares_of_seeds_are_recognized() {
    let shares = [
        "ms10testsxxxxxxxxxxxxxxxxxxxxxxxxxx4nzvca9cmczlw",
        "MS12NAMEA320ZYXWVUTSRQPNMLKJHGFEDCAXRPP870HKKQRM",
        "ms10leetsllhdmn9m42vcsamx24zrxgs3qrl7ahwvhw4fnzrhve25gvezzyqqtum9pgv99ycma",
    ];
    for share in shares {
        for text in [share.to_lowercase(), share.to_uppercase()] {
            let found = kind(&format!("share 1: {text}\n"));
            assert_eq!(found, Some(Recognized::PrivateKey), "{text}");
        }
    }
    // Base64 text can have such letters anywhere.
    assert_eq!(kind(&format!("ms1{}", "Ab1".repeat(20))), None);
}

#[test]
fn ordinary_text_and_files_are_not_recognized() {
    let prose = "A still transaction pays each script exactly what its coins have, says the statement in an output without \
                 value, and has a lock time some eight thousand years away, so that no node takes it. You can use this to \
                 prove that you have all the coins, and nobody can move them with it. The board that you send it to will \
                 check every signature, ask the chain about each coin, and show your name above the ones who have less.";
    assert_eq!(kind(prose), None);
    assert_eq!(kind(include_str!("../../README.md")), None);
    assert_eq!(kind(include_str!("../../src/lib.rs")), None);
    assert_eq!(kind(include_str!("../node/fixtures/mixed.psbt")), None);
    let txid = "285472b374759346944c514410388d8290950efb3d1cb4a2c3168e6d8ca96216";
    assert_eq!(kind(txid), None);
}
