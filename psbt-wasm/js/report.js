// The JavaScript half of src/wasm/pack.rs: a packed report as an object. Types and documentation: index.d.ts.

const ENCODINGS = ['binary', 'base64', 'hex'];
const SCRIPT_TYPES = [
  'p2pk',
  'p2pkh',
  'p2sh',
  'p2wpkh',
  'p2wsh',
  'p2sh-p2wpkh',
  'p2sh-p2wsh',
  'p2tr',
  'p2ms',
  'op-return',
  'p2a',
  'unknown',
];
const SOURCES = ['none', 'witness-utxo', 'previous-transaction'];
const SIGNATURES = ['none', 'partial', 'final'];

const HEADER_BYTES = 64;
const INPUT_BYTES = 32;
const OUTPUT_BYTES = 16;
/** A number that is absent has all bits set. */
const ABSENT = 0xffff_ffff;

/** Texts are decoded in pieces of this many characters: a string of megabytes costs several times as much for each. */
const PIECE = 0x1_0000;

const ascii = new TextDecoder();

export function wantsPoints(options) {
  return options?.keys === 'curve';
}

/** The module's memory. The views are kept between calls, because making them is a good part of a small file. */
let numbers = new DataView(new ArrayBuffer(0));
let bytes = new Uint8Array(numbers.buffer);
/** The piece that is decoded, and where in it the next text starts. */
let texts = '';
let position = 0;
/** Where in the memory the pieces are that are not decoded yet, and where the last one ends. */
let rest = 0;
let end = 0;

function u32(at) {
  return numbers.getUint32(at, true);
}

function sats(at) {
  return numbers.getUint32(at + 4, true) === ABSENT ? null : numbers.getBigUint64(at, true);
}

/** The next text. It is cut out of the piece without being copied. */
function text(length) {
  if (position + length > texts.length) decode(length);
  return texts.substring(position, (position += length));
}

/** Decodes a piece that starts with the next text. */
function decode(length) {
  rest -= texts.length - position;
  const start = rest;
  rest = Math.min(start + Math.max(length, PIECE), end);
  texts = ascii.decode(bytes.subarray(start, rest));
  position = 0;
}

/** `packed` is a view into the module's memory, so all of it is read before anything else runs. */
export function toReport(packed) {
  if (numbers.buffer !== packed.buffer) {
    numbers = new DataView(packed.buffer);
    bytes = new Uint8Array(packed.buffer);
  }
  const start = packed.byteOffset;
  const inputCount = u32(start);
  const outputCount = u32(start + 4);
  let at = start + HEADER_BYTES;
  texts = '';
  position = 0;
  rest = at + inputCount * INPUT_BYTES + outputCount * OUTPUT_BYTES;
  end = start + packed.byteLength;

  const version = bytes[start + 8];
  const txid = text(64);
  const inputs = new Array(inputCount);
  for (let index = 0; index < inputCount; index += 1, at += INPUT_BYTES) {
    const scriptLength = u32(at + 16);
    const sighash = u32(at + 20);
    const addressLength = bytes[at + 24];
    inputs[index] = {
      txid: text(64),
      vout: u32(at + 8),
      sequence: u32(at + 12),
      valueSats: sats(at),
      scriptPubKey: scriptLength === ABSENT ? null : text(2 * scriptLength),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[bytes[at + 25]] ?? null,
      source: SOURCES[bytes[at + 26]],
      signatures: SIGNATURES[bytes[at + 27]],
      sighash: sighash === ABSENT ? null : sighash,
    };
  }
  const outputs = new Array(outputCount);
  for (let index = 0; index < outputCount; index += 1, at += OUTPUT_BYTES) {
    const addressLength = bytes[at + 12];
    outputs[index] = {
      valueSats: sats(at),
      scriptPubKey: text(2 * u32(at + 8)),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[bytes[at + 13]],
    };
  }
  texts = '';
  return {
    format: version === 0xff ? 'transaction' : 'psbt',
    version: version === 0xff ? null : version,
    encoding: ENCODINGS[bytes[start + 9]],
    txid,
    transactionVersion: numbers.getInt32(start + 12, true),
    lockTime: u32(start + 16),
    inputs,
    outputs,
    totalInputSats: sats(start + 40),
    totalOutputSats: sats(start + 48),
    feeSats: sats(start + 56),
    private: {
      extendedPublicKeys: u32(start + 20),
      derivationPaths: u32(start + 24),
      proprietary: u32(start + 28),
      unknown: u32(start + 32),
      previousTransactions: u32(start + 36),
    },
    // Filled in by loaded.js.
    warnings: null,
  };
}
