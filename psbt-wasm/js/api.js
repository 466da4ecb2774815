// What the package offers, for every entry that loads the modules by their addresses.

export {
  PsbtError,
  checkProof,
  checkSignatures,
  combine,
  extract,
  inspect,
  makeProof,
  normalizeWords,
  readPsbt,
  readerProof,
  readerStatement,
  recognize,
  stripPsbt,
  verifyMessage,
} from './loaded.js';
