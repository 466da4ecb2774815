// Inputs of 32 MiB, each asking for the most work in its way, and the functions that get them.

import { createHash } from 'node:crypto';
import { MAX_FILE_BYTES } from '../../../js/psbt.js';
import { bytes, compact, field, key, output, P2PKH, push, sized, SIGNATURE, tagged, times, twice256, u32, u64, witnessProgram } from '../hostile.mjs';

/** The same content this many times. `bytes` takes its parts as parameters, and an engine has a limit for those. */
const repeated = (count, content) => Buffer.alloc(count * content.length, content);

/** Repeats a row, with its number written at one position. */
function numbered(count, row, place, first = 1) {
  const rows = repeated(count, row);
  for (let at = 0; at < count; at += 1) rows.writeUInt32LE(first + at, at * row.length + place);
  return rows;
}

const INPUT = bytes(Buffer.alloc(36), 0, u32(0xffff_fffd));
const [MOST_INPUTS, MOST_OUTPUTS] = [97_000, 440_000];

/** An output without value and script. */
const NOTHING = Buffer.alloc(9);

const unsigned = (inputs, outputs) => bytes(u32(2), inputs, outputs, u32(0));
const inputRows = (count) => bytes(compact(count), numbered(count, INPUT, 0));
const outputRows = (count) => bytes(compact(count), repeated(count, NOTHING));

/** A PSBT with this many inputs, each with these fields, and this many outputs. */
function psbt(inputs, input, { outputs = 1, output = Buffer.alloc(0), transaction = unsigned(inputRows(inputs), outputRows(outputs)) } = {}) {
  return bytes('psbt', 0xff, field([0], transaction), 0, repeated(inputs, bytes(input, 0)), repeated(outputs, bytes(output, 0)));
}

const spends = (script, sats = 1_000) => field([1], output(script, sats));
const P2WPKH = bytes(0, 20, Buffer.from('751e76e8199196d454941c45d1b3a323f1433bd6', 'hex'));
const P2TR = bytes(0x51, 32, key(0).subarray(1));
const ORIGIN = bytes(u32(1));

const hash = (...names) => names.reduce((content, name) => createHash(name).update(content).digest(), Buffer.alloc(0));
/** Hashes of the empty string. */
const PREIMAGES = [hash('ripemd160'), hash('sha256'), hash('sha256', 'ripemd160'), hash('sha256', 'sha256')].map((hash, at) =>
  field(bytes(0x0a + at, hash), []),
);

const derivations = (count) => bytes(...times(count, (at) => field(bytes(6, key(at)), ORIGIN)));

/** The most bytes of a value that the `bitcoin` crate reads. */
const VALUE = 3_999_900;

/** Unknown fields with distinct keys, as many as there can be. */
const fields = (size) => bytes(psbt(1, bytes(spends(P2WPKH), numbered(Math.floor((size - 200) / 7), bytes(5, 0x70, u32(0), 0), 2))));

/** Previous transactions of this many outputs. An input spends the last output of each. */
function previous(inputs, outputs) {
  const rows = [];
  const maps = [];
  for (let at = 0; at < inputs; at += 1) {
    const transaction = bytes(u32(2), 1, bytes(u32(at + 1), INPUT.subarray(4)), outputRows(outputs), u32(0));
    rows.push(bytes(twice256(transaction), u32(outputs - 1), 0, u32(0)));
    maps.push(field([0], transaction), Buffer.of(0));
  }
  const transaction = unsigned(bytes(compact(inputs), Buffer.concat(rows)), outputRows(1));
  return bytes('psbt', 0xff, field([0], transaction), 0, Buffer.concat(maps), 0);
}

/** Version 2: every output pays a silent payment address, and has no script yet. */
function silentPayments(outputs) {
  const global = [field([2], u32(2)), field([4], compact(1)), field([5], compact(outputs)), field([0xfb], u32(2))];
  const input = [spends(P2WPKH), field([0x0e], Buffer.alloc(32, 1)), field([0x0f], u32(0))];
  const row = bytes(field([3], u64(0)), field([9], bytes(key(0), key(1))), 0);
  return bytes('psbt', 0xff, ...global, 0, ...input, 0, repeated(outputs, row));
}

/** A script that pushes as many hashes as are looked at, and the derivations of as many keys as there can be. */
function hashesAndKeys(size) {
  const script = repeated(1_024, push(Buffer.alloc(20, 9)));
  const row = field(bytes(6, 2, Buffer.alloc(32, 7)), ORIGIN);
  const count = Math.floor((size - script.length - 300) / row.length);
  return psbt(1, bytes(spends(witnessProgram(script)), field([5], script), numbered(count, row, 4)));
}

/** Files, each of at most this many bytes. */
const FILES = {
  'unknown fields': fields,
  'unknown fields, as base64': (size) => Buffer.from(fields(0.74 * size).toString('base64')),
  'unknown fields, as hexadecimal text': (size) => Buffer.from(fields(0.49 * size).toString('hex')),
  'P2PKH inputs': () => psbt(MOST_INPUTS, bytes(spends(P2PKH), field(bytes(2, key(0)), SIGNATURE))),
  'P2WPKH inputs': (size) => psbt(Math.min(MOST_INPUTS, Math.floor(size / 190)), bytes(spends(P2WPKH), field(bytes(2, key(0)), SIGNATURE))),
  'taproot inputs': () => psbt(MOST_INPUTS, bytes(spends(P2TR), field([0x13], Buffer.alloc(64, 9)))),
  'derivations': (size) => psbt(Math.floor(size / 420), bytes(spends(P2WPKH), derivations(8))),
  'preimages': () => psbt(MOST_INPUTS, bytes(spends(P2WPKH), ...PREIMAGES)),
  'hashes and keys': hashesAndKeys,
  'long paths': () => psbt(1, bytes(spends(P2WPKH), ...times(8, (at) => field(bytes(6, key(at)), Buffer.alloc(VALUE, 0xff))))),
  'taproot trees': () => psbt(1, spends(P2WPKH), { outputs: 10, output: field([6], repeated(2 ** 20, bytes(20, 0xc0, 0))) }),
  'final witnesses': () => psbt(8, bytes(spends(P2WPKH), field([8], bytes(compact(VALUE - 10), Buffer.alloc(VALUE - 10))))),
  'previous transactions': () => previous(8, 440_000),
  'small previous transactions': () => previous(MOST_INPUTS, 1),
  'outputs': () => psbt(1, spends(P2WPKH), { outputs: MOST_OUTPUTS }),
  'silent payments': () => silentPayments(395_000),
  'a transaction of inputs': (size) => unsigned(inputRows(Math.floor(size / 41) - 2), outputRows(1)),
  'a transaction of outputs': (size) => unsigned(inputRows(1), outputRows(Math.floor(size / 9) - 8)),
  'seed words': (size) => Buffer.alloc(size, 'abandon x '),
};

const ADDRESS = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
const CHALLENGE = bytes(0, 20, Buffer.from('2b05d564e6a7a33c087f16e0f730d1440123799d', 'hex'));
const READER = 'reader';

/** A final transaction: each input has this script signature and this witness, unless it is empty. */
function transaction(outpoints, scriptSig, witness) {
  const inputs = outpoints.map((outpoint) => bytes(outpoint, sized(scriptSig), u32(0)));
  const marker = witness.length > 0 ? [0, 1] : [];
  return bytes(u32(2), marker, compact(outpoints.length), Buffer.concat(inputs), 1, output([0x6a], 0), repeated(outpoints.length, witness), u32(0));
}

/** This many outputs that can be spent. */
const outpoints = (count) => times(count, (at) => bytes(u32(at), Buffer.alloc(28, 7), u32(0)));

/** A published proof over coins of this script, each signed like this. */
function proof(count, script, scriptSig, witness) {
  const inputs = outpoints(count).map((outpoint) => ({
    txid: outpoint.subarray(0, 32).reverse().toString('hex'),
    vout: 0,
    value_sats: 1_000,
    script_pubkey: script.toString('hex'),
  }));
  const block = { height: 0, header: '00'.repeat(80) };
  const statement = { origin: READER, provider: READER, subject: '1', account_id: '2', name: '2', nonce: '00'.repeat(16), text: 'A line', block };
  const hex = transaction(outpoints(count), scriptSig, witness).toString('hex');
  return Buffer.from(JSON.stringify({ binding: 'transaction', network: 'mainnet', statement, inputs, transaction: hex }));
}

/** Published proofs of the largest transaction. */
const PROOFS = {
  'P2WPKH coins': () => proof(26_000, P2WPKH, [], bytes(2, sized(SIGNATURE), sized(key(0)))),
  'P2PKH coins': () => proof(26_000, P2PKH, bytes(push(SIGNATURE), push(key(0))), []),
  'coins without signatures': () => proof(90_000, witnessProgram([0x51]), [], bytes(1, 0)),
};

/** The output that signatures of the empty message spend (BIP-322). */
function toSpend(script) {
  const scriptSig = bytes(0, push(tagged('BIP0322-signed-message')));
  const input = bytes(Buffer.alloc(32), u32(0xffff_ffff), sized(scriptSig), u32(0));
  return bytes(twice256(bytes(u32(0), 1, input, 1, output(script, 0), u32(0))), u32(0));
}

/** A proof of funds over coins of this script, each signed like this. */
function proofOfFunds(count, script, signed) {
  const rows = [toSpend(CHALLENGE), ...outpoints(count)].map((outpoint) => bytes(outpoint, 0, u32(0)));
  const unsigned = bytes(u32(0), compact(rows.length), Buffer.concat(rows), 1, output([0x6a], 0), u32(0));
  const first = bytes(spends(CHALLENGE), 0);
  const file = bytes('psbt', 0xff, field([0], unsigned), 0, first, repeated(count, bytes(spends(script), signed, 0)), 0);
  return { signature: `pof${file.toString('base64')}` };
}

/** The first vector of BIP-322. */
const OF_NOTHING =
  'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';

/** Messages, and signatures of the empty message, for one address. */
const MESSAGES = {
  'a message of lines': (size) => ({ message: 'a\n'.repeat(size / 2 - 1_000), signature: OF_NOTHING }),
  'a witness of short signatures': (size) => {
    const count = Math.floor((0.74 * size) / 10);
    const elements = repeated(count, sized(Buffer.from('300602010102010101', 'hex')));
    return { signature: `smp${bytes(compact(count), elements).toString('base64')}` };
  },
  'P2WPKH coins': () => proofOfFunds(90_000, P2WPKH, field([8], bytes(2, sized(SIGNATURE), sized(key(0))))),
  'P2PKH coins': () => proofOfFunds(90_000, P2PKH, field([7], bytes(push(SIGNATURE), push(key(0))))),
};

const WORDS = {
  'letters': (size) => ({ words: 'a'.repeat(size) }),
  'marks above letters': () => ({ words: 'a' + '\u0316\u0301'.repeat(4_999) }),
  'white space': (size) => ({ words: ' '.repeat(size) }),
};

const options = (form) => ({ statement: 'A line', form });
const asked = { words: 'Acme Bank', name: 'A name', nonce: Buffer.alloc(16), header: Buffer.alloc(80), height: 1 };

const CALLS_OF_FILES = {
  'readPsbt': ({ readPsbt }, file) => readPsbt(file, 'mainnet'),
  'stripPsbt': ({ stripPsbt }, file) => stripPsbt(file),
  'checkSignatures': ({ checkSignatures }, file) => checkSignatures(file),
  'inspect': ({ inspect }, file) => inspect(file),
  'inspect, whole values': ({ inspect }, file) => inspect(file, { whole: true }),
  'derivations': ({ derivations }, file) => derivations(file, { fingerprint: '00000000' }),
  'recognize': ({ recognize }, file) => recognize(file),
  'makeProof, a transaction': ({ makeProof }, file) => makeProof(file, options('transaction')),
  'makeProof, a message': ({ makeProof }, file) => makeProof(file, options('message')),
  'combine': ({ combine }, file) => combine([file]),
  'extract': ({ extract }, file) => extract(file),
  'readerProof': ({ readerProof }, file) => readerProof(asked, file, file),
};
const CALLS_OF_HALVES = {
  'combine, two files': ({ combine }, file) => combine([file, file]),
  'readerProof, every key': ({ readerProof }, file) => readerProof(asked, file, file, { everyKey: true }),
};
const CALLS_OF_PROOFS = { checkProof: ({ checkProof }, proof) => checkProof(proof, READER) };
const CALLS_OF_MESSAGES = {
  verifyMessage: ({ verifyMessage }, { message = '', signature }) => verifyMessage(ADDRESS, message, signature),
};
const CALLS_OF_WORDS = {
  normalizeWords: ({ normalizeWords }, { words }) => normalizeWords(words),
  readerStatement: ({ readerStatement }, { words }) => readerStatement({ ...asked, words }),
};

/** Which functions get which input, and how many bytes of it. */
export const GROUPS = [
  { inputs: FILES, calls: CALLS_OF_FILES, size: MAX_FILE_BYTES },
  { inputs: FILES, calls: CALLS_OF_HALVES, size: MAX_FILE_BYTES / 2 - 4 },
  { inputs: PROOFS, calls: CALLS_OF_PROOFS },
  { inputs: MESSAGES, calls: CALLS_OF_MESSAGES, size: MAX_FILE_BYTES, isJson: true },
  { inputs: WORDS, calls: CALLS_OF_WORDS, size: MAX_FILE_BYTES, isJson: true },
];
