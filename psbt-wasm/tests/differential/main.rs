//! The package gives the verdicts and the values of a second reader, which is on top of the `bitcoin` crate: on fixtures,
//! on published vectors, and on what seeded mutations make of both.

mod corpus;
#[path = "../behavior/fixtures.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod fixtures;
mod mutate;
#[path = "../oracle/mod.rs"]
mod oracle;
#[path = "../../examples/fixtures/version2.rs"]
mod version2;

use bitcoin::Network as BitcoinNetwork;
use bitcoin::hashes::Hash;
use bitcoin::secp256k1::{PublicKey, XOnlyPublicKey};
use oracle::Refused;
use psbt_wasm::{Content, Error, Fault, File, Keys, Network, decode, is_key};

const NETWORKS: [(BitcoinNetwork, Network); 4] = [
    (BitcoinNetwork::Bitcoin, Network::Mainnet),
    (BitcoinNetwork::Testnet, Network::Testnet),
    (BitcoinNetwork::Signet, Network::Signet),
    (BitcoinNetwork::Regtest, Network::Regtest),
];

/// What both readers decide about a file.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Refused(Refused),
    /// Read, and then refused by the report.
    Implausible(Refused),
    Read,
}

/// Compares both readers on one file; what they decided.
fn compare(bytes: &[u8], network: usize) -> Verdict {
    let expected = oracle::read(bytes);
    let binary = decode(bytes);
    let strict = binary.as_ref().map_err(Clone::clone).and_then(|binary| {
        let file = binary.read(Keys::Curve)?;
        Ok((file.strip().into_owned(), file))
    });
    compare_for_servers(bytes, &expected);
    let verdict = match (&expected, &strict) {
        (Err(expected), Err(found)) => {
            assert_eq!(Refused::from(*found), *expected, "{found}");
            Verdict::Refused(*expected)
        }
        (Ok(expected), Ok((minimal, found))) => {
            assert_eq!(minimal, &expected.strip());
            compare_reports(expected, found, network)
        }
        (expected, found) => panic!("expected: {expected:?}\nfound: {found:?}"),
    };
    // With keys by form alone, a file may be read that has a key which is no point, and nothing else differs.
    let form = binary
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|binary| Ok(binary.read(Keys::Form)?.strip().into_owned()));
    match (form, strict) {
        (Ok(minimal), Ok((strict, _))) => assert_eq!(minimal, strict),
        (Err(form), Err(strict)) => assert!(form == strict || is_about_a_key(&strict)),
        (Ok(_), Err(strict)) => assert!(is_about_a_key(&strict), "{strict}"),
        (Err(form), Ok(_)) => panic!("only the looser reader refuses: {form:?}"),
    }
    verdict
}

fn is_about_a_key(error: &Error) -> bool {
    matches!(error, Error::CouldNotParse(malformed) if malformed.fault == Fault::Invalid("public key"))
}

/// What a server gets: the types of the `bitcoin` crate.
fn compare_for_servers(bytes: &[u8], expected: &Result<oracle::ProofFile, Refused>) {
    match (psbt_wasm::read(bytes), expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.encoding, expected.encoding);
            assert_eq!(found.psbt_version, expected.psbt_version);
            match (found.content, &expected.content) {
                (Content::Psbt(found), oracle::Content::Psbt(expected)) => {
                    assert_eq!(&found, expected);
                }
                (Content::Transaction(found), oracle::Content::Transaction(expected)) => {
                    assert_eq!(&found, expected);
                }
                (found, expected) => panic!("expected: {expected:?}\nfound: {found:?}"),
            }
        }
        (Err(found), Err(expected)) => {
            assert_eq!(Refused::from(found), *expected, "{found}");
            let disputed = Error::from(Fault::Disputed);
            assert_ne!(found, disputed, "only the second opinion refuses");
        }
        (found, expected) => panic!("expected: {expected:?}\nfound: {found:?}"),
    }
}

fn compare_reports(expected: &oracle::ProofFile, found: &File<'_>, network: usize) -> Verdict {
    let (bitcoin_network, network) = NETWORKS[network % NETWORKS.len()];
    match (
        oracle::report(expected, bitcoin_network),
        found.report(network),
    ) {
        (Err(expected), Err(found)) => {
            assert_eq!(Refused::from(found), expected);
            Verdict::Implausible(expected)
        }
        (Ok(expected), Ok(found)) => {
            compare_values(&expected, &found);
            Verdict::Read
        }
        (expected, found) => panic!("expected: {expected:?}\nfound: {found:?}"),
    }
}

fn compare_values(expected: &oracle::Report, found: &psbt_wasm::Report<'_>) {
    assert_eq!(found.psbt_version, expected.psbt_version);
    assert_eq!(found.encoding, expected.encoding);
    assert_eq!(found.txid, expected.txid.to_byte_array());
    assert_eq!(found.transaction_version, expected.transaction_version);
    assert_eq!(found.lock_time, expected.lock_time);
    assert_eq!(found.total_input_sats, expected.total_input_sats);
    assert_eq!(found.total_output_sats, expected.total_output_sats);
    assert_eq!(found.fee_sats, expected.fee_sats);
    assert_eq!(found.private, expected.private);
    assert_eq!(found.inputs.len(), expected.inputs.len());
    for (ours, input) in found.inputs.iter().zip(&expected.inputs) {
        assert_eq!(*ours.txid, input.outpoint.txid.to_byte_array());
        assert_eq!(ours.vout, input.outpoint.vout);
        assert_eq!(ours.sequence, input.sequence.0);
        assert_eq!(ours.value_sats, input.value_sats);
        let script = input.script_pubkey.as_ref().map(|script| script.as_bytes());
        assert_eq!(ours.script_pubkey, script);
        assert_eq!(ours.script_type, input.script_type);
        assert_eq!(ours.source, input.source);
        assert_eq!(ours.signatures, input.signatures);
        let address = script.and_then(|script| found.address(script));
        assert_eq!(address, input.address);
    }
    assert_eq!(found.outputs.len(), expected.outputs.len());
    for (ours, output) in found.outputs.iter().zip(&expected.outputs) {
        assert_eq!(ours.value_sats, output.value_sats);
        assert_eq!(ours.script_pubkey, output.script_pubkey.as_bytes());
        assert_eq!(ours.script_type, output.script_type);
        assert_eq!(found.address(ours.script_pubkey), output.address);
    }
}

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
                let read = psbt_wasm::read(&dressed).expect("both read it");
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
        match outcome {
            Ok(verdict) => still_read += usize::from(verdict == Verdict::Read),
            Err(panic) => {
                println!("round {round}: {}", corpus::hex(&file));
                std::panic::resume_unwind(panic);
            }
        }
    }
    // The mutations are worth something only while a good part of them is still read.
    assert!(still_read * 10 > rounds(), "{still_read} of {}", rounds());
}

/// `DIFFERENTIAL_ROUNDS` for long runs.
fn rounds() -> usize {
    let rounds = std::env::var("DIFFERENTIAL_ROUNDS").ok();
    rounds.map_or(40_000, |rounds| rounds.parse().expect("a number"))
}

#[test]
fn a_file_cut_anywhere_or_continued_is_refused() {
    let file = fixtures::mixed();
    for file in [file.serialize(), version2::as_version_2(&file).serialize()] {
        for length in 0..file.len() {
            let code = match length {
                0..5 => "file-too-short",
                _ => "could-not-parse",
            };
            let verdict = compare(&file[..length], 0);
            let refused = Refused { code, input: None };
            assert_eq!(verdict, Verdict::Refused(refused), "{length}");
        }
        for extra in [0, 1, 0xff] {
            let verdict = compare(&[&file[..], &[extra]].concat(), 0);
            assert_ne!(verdict, Verdict::Read);
        }
    }
}

/// The question whether a number is the x of a point, for which the package has its own arithmetic.
#[test]
fn keys_on_the_curve_are_those_of_the_bitcoin_crate() {
    let mut random = mutate::Random::new(7);
    let mut points = 0;
    let edges = [[0; 32], [0xff; 32], {
        let mut below_prime = [0xff; 32];
        below_prime[27] = 0xfe;
        below_prime[30] = 0xfc;
        below_prime[31] = 0x2e;
        below_prime
    }];
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
        if let Ok(key) = PublicKey::from_slice(&compressed) {
            let mut long = key.serialize_uncompressed();
            assert!(is_key(&long, Keys::Curve));
            long[40] ^= 1;
            assert!(!is_key(&long, Keys::Curve));
        }
    }
    assert!((9_000..11_000).contains(&points), "{points}");
}
