//! What a report says.

use super::*;

/// A report borrows the file, which lives until the test ends.
pub(crate) fn report_of(bytes: &[u8], network: Network) -> Report<'static> {
    let binary = Box::leak(Box::new(decode(bytes.to_vec()).expect("a file")));
    let file = Box::leak(Box::new(binary.read(Keys::Curve).expect("well-formed")));
    file.report(network).expect("plausible")
}

/// Nothing else in a file differs between networks.
#[test]
fn derivation_paths_hint_at_the_network() {
    let hint = |paths: &[&str]| {
        let mut psbt = simple(2, 1);
        for (number, path) in (1..).zip(paths) {
            let origin = (Fingerprint::default(), path.parse().expect("a path"));
            let x_only = key(number).x_only();
            let public = key(number).public().inner;
            // In each kind of field that has them, of inputs and of outputs.
            match number % 3 {
                0 => drop(psbt.outputs[0].bip32_derivation.insert(public, origin)),
                1 => drop(psbt.inputs[0].bip32_derivation.insert(public, origin)),
                _ => {
                    let origin = (vec![TapLeafHash::from_byte_array([7; 32])], origin);
                    psbt.inputs[0].tap_key_origins.insert(x_only, origin);
                }
            }
        }
        report_of(&psbt.serialize(), Network::Regtest).network_hint
    };
    for purpose in [44, 48, 49, 84, 86, 87] {
        let [mainnet, test] = [0, 1].map(|coin| format!("{purpose}h/{coin}h/0h/0/5"));
        assert_eq!(hint(&[&mainnet]), Some(Network::Mainnet));
        assert_eq!(hint(&[&test]), Some(Network::Testnet));
        assert_eq!(hint(&["m", &test]), Some(Network::Testnet));
        assert_eq!(hint(&["m", "m", &test]), Some(Network::Testnet));
        assert_eq!(hint(&[&mainnet, &test]), None, "they contradict each other");
    }
    // Older descriptors of Core, a cosigner of a multisig, an unhardened path, another coin, only an account.
    for path in "0h/0h/7h 45h/1/0/0 84/0/0 84h/0 84h/2h/0h 84h".split(' ') {
        assert_eq!(hint(&[path]), None, "{path}");
    }
}

/// Exact for final inputs, an estimate for others.
#[test]
fn weights_are_those_of_the_signed_transaction() {
    let seed = |name: &str| {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds");
        let bytes = std::fs::read(folder.join(name)).expect("a seed");
        decode(bytes).expect("a file").as_bytes().to_vec()
    };
    let signed = bitcoin::consensus::deserialize::<Transaction>(&seed("final.txn"));
    let weight = signed.expect("a transaction").weight().to_wu();
    let exact = usize::try_from(weight).expect("small");
    for name in ["final.psbt", "final.txn"] {
        let report = report_of(&seed(name), Network::Mainnet);
        assert_eq!((report.weight, report.weight_is_exact), (Some(exact), true));
    }
    // BIP-0141 and the usual sizes of signatures and keys; of the multisigs 2 of 3.
    for (name, segwit, input) in [
        ("p2pkh", 0, 4 * 107),
        ("p2wpkh", 2, 108),
        ("p2sh-p2wpkh", 2, 4 * 23 + 108),
        ("p2tr", 2, 66),
        ("p2sh-multisig", 0, 4 * (1 + 2 * 73 + 2 + 105 + 2)),
        ("p2wsh-multisig", 2, 1 + 1 + 2 * 73 + 1 + 105),
    ] {
        let bytes = seed(&format!("{name}.psbt"));
        let report = report_of(&bytes, Network::Mainnet);
        let found = report.weight.expect("a known kind");
        let psbt = Psbt::deserialize(&bytes).expect("a PSBT");
        let (inputs, unsigned) = (psbt.inputs.len(), 4 * psbt.unsigned_tx.base_size());
        assert_eq!(found, unsigned + segwit + inputs * input, "{name}");
        assert!(!report.weight_is_exact);
    }
    // BIP-0341: a signature of another type than DEFAULT has a byte for it.
    let mut psbt = Psbt::deserialize(&seed("p2tr.psbt")).expect("a PSBT");
    let weight = |psbt: &Psbt| report_of(&psbt.serialize(), Network::Mainnet).weight;
    psbt.inputs[0].tap_key_sig = None;
    let before = weight(&psbt).expect("a known kind");
    psbt.inputs[0].sighash_type = Some(TapSighashType::All.into());
    assert_eq!(weight(&psbt), Some(before + 1));
}

#[test]
fn witness_programs_of_every_length_have_the_address_that_the_bitcoin_crate_gives_them() {
    let report = report_of(&mixed().serialize(), Network::Mainnet);
    for length in 2..=40_u8 {
        let program: Vec<u8> = (0..length).map(|at| at.wrapping_mul(37) ^ length).collect();
        let script = [&[0x51 + length % 16, length][..], &program].concat();
        let script = ScriptBuf::from(script);
        let address = Address::from_script(&script, bitcoin::Network::Bitcoin);
        let address = Some(address.expect("a witness program").to_string());
        assert_eq!(report.address(script.as_bytes()), address, "{length} bytes");
    }
}
