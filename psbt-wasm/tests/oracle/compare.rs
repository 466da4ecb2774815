//! Compares the package with the second reader.

use bitcoin::Network as BitcoinNetwork;
use psbt_wasm::{Content, Error, Fault, File, Keys, Network, decode};

use super::Refused;
use super::format::{self, ProofFile};
use super::report::{assert_described, sums};

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
    /// Readable, but the report refuses it.
    Implausible(Refused),
    Read,
}

/// Compares both readers on one file; what they decided.
pub(crate) fn compare(bytes: &[u8], network: usize) -> Verdict {
    let expected = format::read(bytes);
    let binary = decode(bytes);
    let read = |keys| binary.as_ref().map_err(Clone::clone)?.read(keys);
    let strict = read(Keys::Curve);
    compare_for_servers(bytes, &expected);
    let verdict = match (&expected, &strict) {
        (Err(expected), Err(found)) => {
            assert_eq!(Refused::from(*found), *expected, "{found}");
            Verdict::Refused(*expected)
        }
        (Ok(expected), Ok(found)) => {
            assert_eq!(*found.strip(), expected.strip());
            compare_reports(expected, found, network)
        }
        (expected, found) => panic!("expected: {expected:?}\nfound: {found:?}"),
    };
    // When only the form of keys is checked, a file with a key that is no point is readable; nothing else differs.
    let invalid_key = Fault::Invalid("public key");
    let is_about_a_key =
        |error: &Error| matches!(error, Error::CouldNotParse(it) if it.fault == invalid_key);
    match (read(Keys::Form), strict) {
        (Ok(form), Ok(strict)) => assert_eq!(form.strip(), strict.strip()),
        (Err(form), Err(strict)) => assert!(form == strict || is_about_a_key(&strict)),
        (Ok(_), Err(strict)) => assert!(is_about_a_key(&strict), "{strict}"),
        (Err(form), Ok(_)) => panic!("only the looser reader refuses: {form:?}"),
    }
    verdict
}

/// The types of the `bitcoin` crate, as the server uses them.
fn compare_for_servers(bytes: &[u8], expected: &Result<ProofFile, Refused>) {
    match (psbt_wasm::read(bytes), expected) {
        (Ok(found), Ok(expected)) => {
            let psbt = expected.psbt.as_ref();
            assert_eq!(found.encoding, expected.encoding);
            assert_eq!(found.psbt_version, psbt.map(|parsed| parsed.version));
            let transaction = || Content::Transaction(expected.transaction.clone());
            let psbt = psbt.map(|parsed| Content::Psbt(Box::new(parsed.psbt.clone())));
            assert_eq!(found.content, psbt.unwrap_or_else(transaction));
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
    match (sums(expected), found.report(network)) {
        (Err(expected), Err(found)) => {
            assert_eq!(Refused::from(found), expected);
            Verdict::Implausible(expected)
        }
        (Ok((spent, paid)), Ok(found)) => {
            assert_eq!(found.total_input_sats, spent);
            assert_eq!(found.total_output_sats, paid);
            assert_eq!(found.fee_sats, spent.map(|spent| spent - paid));
            assert_described(expected, &found, bitcoin_network);
            Verdict::Read
        }
        (expected, found) => panic!("expected: {expected:?}\nfound: {found:?}"),
    }
}
