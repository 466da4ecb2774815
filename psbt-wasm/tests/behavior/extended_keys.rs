//! Extended public keys as wallets write them, which is not always as BIP-0174 asks. `differential` reads, counts and strips every
//! version.

use super::*;

/// SLIP-0132: ypub, zpub, Ypub, Zpub, upub, vpub, Upub, Vpub. And what is on no list.
pub(crate) const VERSIONS: [[u8; 4]; 9] = [
    [0x04, 0x9d, 0x7c, 0xb2],
    [0x04, 0xb2, 0x47, 0x46],
    [0x02, 0x95, 0xb4, 0x3f],
    [0x02, 0xaa, 0x7e, 0xd3],
    [0x04, 0x4a, 0x52, 0x62],
    [0x04, 0x5f, 0x1c, 0xf6],
    [0x02, 0x42, 0x89, 0xef],
    [0x02, 0x57, 0x54, 0x83],
    [0x01, 0x9d, 0xa4, 0x62],
];

pub(crate) fn with_version(version: [u8; 4]) -> Vec<u8> {
    let key = Xpub::from_priv(&secp(), &master()).encode();
    [&version, &key[4..]].concat()
}

/// A fingerprint and a path of one step.
const ORIGIN: [u8; 8] = [0xde, 0xad, 0xbe, 0xef, 0x54, 0, 0, 0x80];

/// `file` with these fields at the start of its global map.
pub(crate) fn with_keys(file: &[u8], keys: &[Vec<u8>]) -> Vec<u8> {
    let mut maps = maps::maps(file).expect("a PSBT");
    let field = |key: &Vec<u8>| ([&[1], &key[..]].concat(), ORIGIN.to_vec());
    maps[0].splice(0..0, keys.iter().map(field));
    maps::write(&maps)
}

#[test]
fn versions_hint_at_the_network() {
    let file = simple(5_000, 4_000).serialize();
    let hint = |keys: &[Vec<u8>]| report_of(&with_keys(&file, keys), Network::Signet).network_hint;
    assert_eq!(hint(&[]), None);
    let keys = [[0x04, 0x88, 0xb2, 0x1e], [0x04, 0x35, 0x87, 0xcf]].map(with_version);
    assert_eq!(hint(&keys[..1]), Some(Network::Mainnet));
    assert_eq!(hint(&keys[1..]), Some(Network::Testnet));
    assert_eq!(hint(&keys), None, "they contradict each other");
    // For other versions, the path tells the network.
    assert_eq!(hint(&VERSIONS.map(with_version)), None);
}

#[test]
fn what_is_no_extended_public_key_is_refused_whatever_its_version() {
    let zpub = with_version(VERSIONS[1]);
    let mut private = zpub.clone();
    // BIP-0032: a private key has a zero byte before it.
    private[45] = 0;
    let mut no_point = zpub.clone();
    no_point[46..].fill(0xff);
    let long = [&zpub[..], &[0]].concat();
    let refused = |keys: &[Vec<u8>], check| {
        let file = with_keys(&simple(5_000, 4_000).serialize(), keys);
        match decode(file).expect("a PSBT").read(check) {
            Err(Error::CouldNotParse(malformed)) => malformed,
            other => panic!("{other:?}"),
        }
    };
    for key in [zpub[..77].to_vec(), long, private, no_point] {
        let found = refused(&[key], Keys::Curve);
        let expected = malformed(Map::Global, "PSBT_GLOBAL_XPUB", found.fault);
        assert_eq!(found, expected);
    }
    let twice = refused(&[zpub.clone(), zpub], Keys::Form);
    assert_eq!(twice.fault, Fault::Duplicate);
}
