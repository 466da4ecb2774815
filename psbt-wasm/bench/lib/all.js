// What is compared. Imports that a bundler can see, so that each reader becomes a chunk of its own.

export const READERS = [
  () => import('../readers/ours.js'),
  () => import('../readers/scure.js'),
  () => import('../readers/scure-raw.js'),
  () => import('../readers/bitcoinjs.js'),
  () => import('../readers/bip174.js'),
  () => import('../readers/bdk.js'),
  () => import('../readers/bitgo.js'),
];

export const CHECKERS = [
  () => import('../checkers/ours.js'),
  () => import('../checkers/bitcoinjs-tiny.js'),
  () => import('../checkers/bitcoinjs-noble.js'),
];

/** The files that are read: as examples/fixtures names them, without the extension. */
export const FILES = [
  '1-input',
  '100-inputs',
  '1000-inputs',
  '10000-inputs',
  '10000-bare',
  '1000-x-1kB',
  '100-x-100kB',
  '1000-inputs-v2',
];

/** The files whose signatures are checked. */
export const SIGNED_FILES = [
  '1000-p2wpkh-signed',
  '1000-p2tr-signed',
  '200-p2wsh-multisig-signed',
  '100-p2pkh-signed',
  '100-p2sh-p2wpkh-signed',
];
