//! Compares the package with the second reader.

use bitcoin::Network as BitcoinNetwork;
use bitcoin::hashes::Hash;
use psbt_wasm::{Content, Error, Fault, File, Keys, Network, decode};

use super::Refused;
use super::format::{self, Content as Expected, ProofFile};
use super::report::{Report, report};

pub(crate) const NETWORKS: [(BitcoinNetwork, Network); 4] = [
    (BitcoinNetwork::Bitcoin, Network::Mainnet),
    (BitcoinNetwork::Testnet, Network::Testnet),
    (BitcoinNetwork::Signet, Network::Signet),
    (BitcoinNetwork::Regtest, Network::Regtest),
];

/// What both readers decide about a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Refused(Refused),
    /// Read, and then refused by the report.
    Implausible(Refused),
    Read,
}

/// Compares both readers on one file; what they decided.
pub(crate) fn compare(bytes: &[u8], network: usize) -> Verdict {
    let expected = format::read(bytes);
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
fn compare_for_servers(bytes: &[u8], expected: &Result<ProofFile, Refused>) {
    match (psbt_wasm::read(bytes), expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.encoding, expected.encoding);
            assert_eq!(found.psbt_version, expected.psbt_version);
            match (found.content, &expected.content) {
                (Content::Psbt(found), Expected::Psbt(expected)) => {
                    assert_eq!(&found, expected);
                }
                (Content::Transaction(found), Expected::Transaction(expected)) => {
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

fn compare_reports(expected: &ProofFile, found: &File<'_>, network: usize) -> Verdict {
    let (bitcoin_network, network) = NETWORKS[network % NETWORKS.len()];
    match (report(expected, bitcoin_network), found.report(network)) {
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

fn compare_values(expected: &Report, found: &psbt_wasm::Report<'_>) {
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
