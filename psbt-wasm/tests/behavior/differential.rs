//! The package gives the verdicts and the values of a second reader, which is on top of the `bitcoin` crate: on fixtures,
//! on published vectors, and on what seeded mutations make of both.

use oracle::{NETWORKS, Refused, Verdict, compare};

use super::*;

mod corpus;
mod mutate;

#[test]
fn fixtures_and_vectors_are_read_as_the_bitcoin_crate_reads_them() {
    for (name, file) in corpus::files() {
        println!("{name}");
        let verdict = compare(&file, 0);
        for network in 1..NETWORKS.len() {
            compare(&file, network);
        }
        for (encoding, dressed) in corpus::dressed(&file) {
            let found = compare(&dressed, 0);
            if verdict == Verdict::Read {
                assert_eq!(found, verdict, "{encoding:?}");
                let read = read(&dressed).expect("both read it");
                assert_eq!(read.encoding, encoding);
            }
        }
        for text in corpus::damaged_texts(&file) {
            compare(&text, 0);
        }
    }
}

#[test]
fn damaged_files_get_the_verdict_and_values_of_the_bitcoin_crate() {
    let mut corpus = corpus::files();
    corpus.retain(|(_, file)| oracle::read(file).is_ok());
    let seeds: Vec<&[u8]> = corpus.iter().map(|(_, file)| &file[..]).collect();
    let mut random = mutate::Random::new(0x5eed);
    let mut still_read = 0;
    for round in 0..rounds() {
        let file = mutate::mutate(&seeds, &mut random);
        let outcome = std::panic::catch_unwind(|| compare(&file, round));
        let verdict = outcome.unwrap_or_else(|panic| {
            println!("round {round}: {}", file.to_lower_hex_string());
            std::panic::resume_unwind(panic)
        });
        still_read += usize::from(verdict == Verdict::Read);
    }
    // Enough mutated files must still be readable, or the test compares nothing.
    assert!(still_read * 10 > rounds(), "{still_read} of {}", rounds());
}

/// `DIFFERENTIAL_ROUNDS` for long runs.
fn rounds() -> usize {
    let rounds = std::env::var("DIFFERENTIAL_ROUNDS").ok();
    rounds.map_or(40_000, |rounds| rounds.parse().expect("a number"))
}

#[test]
fn a_file_cut_anywhere_or_continued_is_refused() {
    for file in [mixed().serialize(), as_version_2(&mixed()).serialize()] {
        for length in 0..file.len() {
            let code = ["could-not-parse", "file-too-short"][usize::from(length < 5)];
            let refused = Verdict::Refused(Refused { code, input: None });
            assert_eq!(compare(&file[..length], 0), refused, "{length}");
        }
        for extra in [0, 1, 0xff] {
            let verdict = compare(&[&file[..], &[extra]].concat(), 0);
            assert_ne!(verdict, Verdict::Read);
        }
    }
}

/// Whether a number is the x coordinate of a curve point; the package has its own arithmetic for it.
#[test]
fn keys_on_the_curve_are_those_of_the_bitcoin_crate() {
    let mut random = mutate::Random::new(7);
    let mut points = 0;
    let mut edges = [[0; 32], [0xff; 32], [0xff; 32]];
    // Just below the prime.
    edges[2][27..].copy_from_slice(&[0xfe, 0xff, 0xff, 0xfc, 0x2e]);
    for round in 0..20_000 {
        let mut x = *edges.get(round).unwrap_or(&random.bytes());
        if round % 7 == 0 {
            x[..28].fill(if round % 2 == 0 { 0 } else { 0xff });
        }
        let expected = XOnlyPublicKey::from_slice(&x).is_ok();
        points += usize::from(expected);
        assert_eq!(is_key(&x, Keys::Curve), expected, "{x:02x?}");
        let compressed = [&[2 + u8::from(round % 2 == 0)], &x[..]].concat();
        assert_eq!(is_key(&compressed, Keys::Curve), expected);
        if let Ok(key) = bitcoin::secp256k1::PublicKey::from_slice(&compressed) {
            let mut long = key.serialize_uncompressed();
            assert!(is_key(&long, Keys::Curve));
            long[40] ^= 1;
            assert!(!is_key(&long, Keys::Curve));
        }
    }
    assert!((9_000..11_000).contains(&points), "{points}");
}
