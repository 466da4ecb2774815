//! The light reader gives the verdicts and the values of the reader on top of the `bitcoin` crate: on fixtures, on
//! published vectors, and on what seeded mutations make of both.

mod corpus;
#[path = "../behaviour/fixtures.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod fixtures;
mod mutate;

use bitcoin::Network;
use bitcoin::hashes::Hash;
use bitcoin::secp256k1::{PublicKey, XOnlyPublicKey};
use psbt_wasm::light::{self, Keys};
use psbt_wasm::{Error, Malformed, ProofFile, Report, read, report};

const NETWORKS: [(Network, light::Network); 4] = [
    (Network::Bitcoin, light::Network::Mainnet),
    (Network::Testnet, light::Network::Testnet),
    (Network::Signet, light::Network::Signet),
    (Network::Regtest, light::Network::Regtest),
];

/// What both readers decide about a file.
#[derive(Debug, PartialEq, Eq)]
enum Verdict {
    Refused(&'static str, Option<usize>),
    /// Read, and then refused by the report.
    Implausible(&'static str, Option<usize>),
    Read,
}

fn refused(error: &Error) -> Verdict {
    Verdict::Refused(error.code(), error.input())
}

/// Compares both readers on one file; what they decided.
fn compare(bytes: &[u8], network: usize) -> Verdict {
    let full = read(bytes);
    let binary = light::decode(bytes);
    let strict = binary.as_ref().map_err(Clone::clone).and_then(|binary| {
        let file = binary.read(Keys::Curve)?;
        Ok((file.strip().into_owned(), file))
    });
    let verdict = match (&full, &strict) {
        (Err(full), Err(light)) => {
            assert_eq!(refused(light), refused(full), "{light} / {full}");
            refused(full)
        }
        (Ok(full), Ok((minimal, light))) => {
            assert_eq!(minimal, &full.strip());
            compare_reports(full, light, network)
        }
        (full, light) => panic!("full: {full:?}\nlight: {light:?}"),
    };
    // With keys by form alone, a file may be read that has a key which is no point, and nothing else differs.
    let form = binary
        .as_ref()
        .map_err(Clone::clone)
        .and_then(|binary| Ok(binary.read(Keys::Form)?.strip().into_owned()));
    match (form, strict) {
        (Ok(minimal), Ok((strict, _))) => assert_eq!(minimal, strict),
        (Err(form), Err(strict)) => {
            let off_curve = strict == Error::CouldNotParse(Malformed::InvalidField("public key"));
            assert!(refused(&form) == refused(&strict) || off_curve);
        }
        (Ok(_), Err(strict)) => {
            assert_eq!(
                strict,
                Error::CouldNotParse(Malformed::InvalidField("public key"))
            );
        }
        (Err(form), Ok(_)) => panic!("only the looser reader refuses: {form:?}"),
    }
    verdict
}

fn compare_reports(full: &ProofFile, light: &light::File<'_>, network: usize) -> Verdict {
    let (network, light_network) = NETWORKS[network % NETWORKS.len()];
    match (report(full, network), light.report(light_network)) {
        (Err(full), Err(light)) => {
            assert_eq!(light, full);
            Verdict::Implausible(full.code(), full.input())
        }
        (Ok(full), Ok(light)) => {
            compare_values(&full, &light);
            Verdict::Read
        }
        (full, light) => panic!("full: {full:?}\nlight: {light:?}"),
    }
}

fn compare_values(full: &Report, light: &light::Report<'_>) {
    assert_eq!(light.psbt_version, full.psbt_version);
    assert_eq!(light.encoding, full.encoding);
    assert_eq!(light.txid, full.txid.to_byte_array());
    assert_eq!(light.transaction_version, full.transaction_version);
    assert_eq!(light.lock_time, full.lock_time);
    assert_eq!(light.total_input_sats, full.total_input_sats);
    assert_eq!(light.total_output_sats, full.total_output_sats);
    assert_eq!(light.fee_sats, full.fee_sats);
    assert_eq!(light.private, full.private);
    assert_eq!(light.inputs.len(), full.inputs.len());
    for (ours, input) in light.inputs.iter().zip(&full.inputs) {
        assert_eq!(*ours.txid, input.outpoint.txid.to_byte_array());
        assert_eq!(ours.vout, input.outpoint.vout);
        assert_eq!(ours.sequence, input.sequence.0);
        assert_eq!(ours.value_sats, input.value_sats);
        let script = input.script_pubkey.as_ref().map(|script| script.as_bytes());
        assert_eq!(ours.script_pubkey, script);
        assert_eq!(ours.script_type, input.script_type);
        assert_eq!(ours.source, input.source);
        assert_eq!(ours.signatures, input.signatures);
        let address = script.and_then(|script| light.address(script));
        assert_eq!(address, input.address);
    }
    assert_eq!(light.outputs.len(), full.outputs.len());
    for (ours, output) in light.outputs.iter().zip(&full.outputs) {
        assert_eq!(ours.value_sats, output.value_sats);
        assert_eq!(ours.script_pubkey, output.script_pubkey.as_bytes());
        assert_eq!(ours.script_type, output.script_type);
        assert_eq!(light.address(ours.script_pubkey), output.address);
    }
}

#[test]
fn fixtures_and_vectors() {
    for (name, file) in corpus::files() {
        println!("{name}");
        for network in 0..NETWORKS.len() {
            compare(&file, network);
        }
        for text in corpus::dressed(&file) {
            compare(&text, 0);
        }
    }
}

#[test]
fn mutations() {
    let mut corpus = corpus::files();
    corpus.retain(|(_, file)| read(file).is_ok());
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
fn a_file_cut_anywhere() {
    let file = fixtures::mixed().serialize();
    for length in 0..=file.len() {
        compare(&file[..length], 0);
    }
}

/// The question whether a number is the x of a point, for which the light reader has its own arithmetic.
#[test]
fn keys_on_the_curve() {
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
        assert_eq!(light::is_key(&x, Keys::Curve), expected, "{x:02x?}");
        let compressed = [&[2 + u8::from(round % 2 == 0)], &x[..]].concat();
        assert_eq!(light::is_key(&compressed, Keys::Curve), expected);
        if let Ok(key) = PublicKey::from_slice(&compressed) {
            let mut long = key.serialize_uncompressed();
            assert!(light::is_key(&long, Keys::Curve));
            long[40] ^= 1;
            assert!(!light::is_key(&long, Keys::Curve));
        }
    }
    assert!((9_000..11_000).contains(&points), "{points}");
}
