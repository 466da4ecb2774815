// The JavaScript half of src/wasm/reader/pack.rs: a packed report as an object. Types and documentation: index.d.ts.

import { PsbtError } from './psbt.js';

// What follows is made from src/wasm/reader/layout.rs, by `UPDATE_FIXTURES=1 cargo test -p psbt-wasm layout`.
// <layout>
const HEADER_TOTAL_INPUT_SATS = 0;
const HEADER_TOTAL_OUTPUT_SATS = 8;
const HEADER_FEE_SATS = 16;
const HEADER_INPUTS = 24;
const HEADER_OUTPUTS = 28;
const HEADER_TRANSACTION_VERSION = 32;
const HEADER_LOCK_TIME = 36;
const HEADER_EXTENDED_PUBLIC_KEYS = 40;
const HEADER_DERIVATION_PATHS = 44;
const HEADER_PROPRIETARY = 48;
const HEADER_UNKNOWN = 52;
const HEADER_PREVIOUS_TRANSACTIONS = 56;
const HEADER_MESSAGE_BYTES = 60;
const HEADER_WEIGHT = 64;
const HEADER_TEXTS = 68;
const HEADER_WEIGHT_IS_EXACT = 72;
const HEADER_PSBT_VERSION = 73;
const HEADER_ENCODING = 74;
const HEADER_WARNINGS = 75;
const HEADER_NETWORK_HINT = 76;
const HEADER_BYTES = 80;
const INPUT_VALUE_SATS = 0;
const INPUT_VOUT = 8;
const INPUT_SEQUENCE = 12;
const INPUT_SCRIPT_BYTES = 16;
const INPUT_SIGHASH = 20;
const INPUT_ADDRESS_LENGTH = 24;
const INPUT_SCRIPT_TYPE = 25;
const INPUT_SOURCE = 26;
const INPUT_SIGNATURES = 27;
const INPUT_BYTES = 28;
const OUTPUT_VALUE_SATS = 0;
const OUTPUT_SCRIPT_BYTES = 8;
const OUTPUT_LABEL = 12;
const OUTPUT_SILENT_ADDRESS_LENGTH = 16;
const OUTPUT_ADDRESS_LENGTH = 17;
const OUTPUT_SCRIPT_TYPE = 18;
const OUTPUT_BYTES = 20;
const WARNING_INPUTS = 0;
const WARNING_MESSAGE_LENGTH = 4;
const WARNING_CODE = 5;
const WARNING_BYTES = 8;
const ENCODINGS = ['binary', 'base64', 'hex'];
const SCRIPT_TYPES = ['p2pk', 'p2pkh', 'p2sh', 'p2wpkh', 'p2wsh', 'p2sh-p2wpkh', 'p2sh-p2wsh', 'p2tr', 'p2ms', 'op-return', 'p2a', 'unknown'];
const SOURCES = ['witness-utxo', 'previous-transaction'];
const SIGNATURES = ['none', 'partial', 'final'];
const WARNINGS = ['high-fee', 'lock-time', 'unsigned-input', 'sighash-not-all', 'unknown-value', 'field-type'];
const NETWORKS = ['mainnet', 'testnet', 'signet', 'regtest'];
// </layout>

/** A number that is absent has all bits set. */
const ABSENT = 0xffff_ffff;

/** Texts are decoded in pieces of this many characters: a caller who keeps one text, an address for instance, keeps its piece. */
const PIECE = 700;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The place of each network in the list: the addresses of both public test networks are the same. */
const PLACES = { mainnet: 0, testnet3: 1, testnet4: 1, signet: 2, regtest: 3 };

/** The position of a network in the list. */
export function networkOf(name) {
  if (!Object.hasOwn(PLACES, name)) throw new PsbtError('unknown-network', `The network must be ${Object.keys(PLACES).join(', ')}.`);
  return PLACES[name];
}

/** The Unix time. */
export function now() {
  return Math.floor(Date.now() / 1000);
}

/** The module's memory. The views are kept between calls, because making them is a good part of a small file. */
let numbers = new DataView(new ArrayBuffer(0));
let bytes = new Uint8Array(numbers.buffer);
/** The piece that is decoded, and where in it the next text starts. */
let texts = '';
let position = 0;
/** The positions in memory of the texts that are not decoded yet, and the end of the last one. */
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
  texts = utf8.decode(bytes.subarray(start, rest));
  position = 0;
}

/** `packed` is a view into the module's memory, so all of it is read before anything else runs. */
export function toReport(packed) {
  if (numbers.buffer !== packed.buffer) {
    numbers = new DataView(packed.buffer);
    bytes = new Uint8Array(packed.buffer);
  }
  const start = packed.byteOffset;
  const inputCount = u32(start + HEADER_INPUTS);
  const outputCount = u32(start + HEADER_OUTPUTS);
  const warningCount = bytes[start + HEADER_WARNINGS];
  let at = start + HEADER_BYTES;
  let indices = at + inputCount * INPUT_BYTES + outputCount * OUTPUT_BYTES + warningCount * WARNING_BYTES;
  texts = '';
  position = 0;
  rest = start + u32(start + HEADER_TEXTS);
  const messageBytes = u32(start + HEADER_MESSAGE_BYTES);
  end = start + packed.byteLength;
  const message = messageBytes === ABSENT ? null : utf8.decode(bytes.subarray((end -= messageBytes), end + messageBytes));

  const version = bytes[start + HEADER_PSBT_VERSION];
  const txid = text(64);
  const inputs = new Array(inputCount);
  for (let index = 0; index < inputCount; index += 1, at += INPUT_BYTES) {
    const scriptBytes = u32(at + INPUT_SCRIPT_BYTES);
    const sighash = u32(at + INPUT_SIGHASH);
    const addressLength = bytes[at + INPUT_ADDRESS_LENGTH];
    inputs[index] = {
      txid: text(64),
      vout: u32(at + INPUT_VOUT),
      sequence: u32(at + INPUT_SEQUENCE),
      valueSats: sats(at + INPUT_VALUE_SATS),
      scriptPubKey: scriptBytes === ABSENT ? null : text(2 * scriptBytes),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[bytes[at + INPUT_SCRIPT_TYPE]] ?? null,
      source: SOURCES[bytes[at + INPUT_SOURCE]] ?? 'none',
      signatureState: SIGNATURES[bytes[at + INPUT_SIGNATURES]],
      sighash: sighash === ABSENT ? null : sighash,
    };
  }
  const outputs = new Array(outputCount);
  for (let index = 0; index < outputCount; index += 1, at += OUTPUT_BYTES) {
    const addressLength = bytes[at + OUTPUT_ADDRESS_LENGTH];
    const silentLength = bytes[at + OUTPUT_SILENT_ADDRESS_LENGTH];
    const label = u32(at + OUTPUT_LABEL);
    outputs[index] = {
      valueSats: sats(at + OUTPUT_VALUE_SATS),
      scriptPubKey: text(2 * u32(at + OUTPUT_SCRIPT_BYTES)),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[bytes[at + OUTPUT_SCRIPT_TYPE]],
      silentPayment:
        silentLength === 0
          ? null
          : { scanKey: text(66), spendKey: text(66), address: text(silentLength), label: label === ABSENT ? null : label },
    };
  }
  const warnings = new Array(warningCount);
  for (let index = 0; index < warningCount; index += 1, at += WARNING_BYTES) {
    const about = new Array(u32(at + WARNING_INPUTS));
    for (let place = 0; place < about.length; place += 1, indices += 4) about[place] = u32(indices);
    warnings[index] = { code: WARNINGS[bytes[at + WARNING_CODE]], message: text(bytes[at + WARNING_MESSAGE_LENGTH]), inputs: about };
  }
  texts = '';
  const feeSats = sats(start + HEADER_FEE_SATS);
  const weight = u32(start + HEADER_WEIGHT);
  const vsize = weight === ABSENT ? null : Math.ceil(weight / 4);
  return {
    format: version === 0xff ? 'transaction' : 'psbt',
    version: version === 0xff ? null : version,
    encoding: ENCODINGS[bytes[start + HEADER_ENCODING]],
    txid,
    transactionVersion: numbers.getInt32(start + HEADER_TRANSACTION_VERSION, true),
    lockTime: u32(start + HEADER_LOCK_TIME),
    inputs,
    outputs,
    message,
    totalInputSats: sats(start + HEADER_TOTAL_INPUT_SATS),
    totalOutputSats: sats(start + HEADER_TOTAL_OUTPUT_SATS),
    feeSats,
    weight: weight === ABSENT ? null : weight,
    vsize,
    feeRate: feeSats === null || vsize === null ? null : Number(feeSats) / vsize,
    networkHint: NETWORKS[bytes[start + HEADER_NETWORK_HINT]] ?? null,
    exactSize: bytes[start + HEADER_WEIGHT_IS_EXACT] === 1,
    privateFields: {
      extendedPublicKeys: u32(start + HEADER_EXTENDED_PUBLIC_KEYS),
      derivationPaths: u32(start + HEADER_DERIVATION_PATHS),
      proprietary: u32(start + HEADER_PROPRIETARY),
      unknown: u32(start + HEADER_UNKNOWN),
      previousTransactions: u32(start + HEADER_PREVIOUS_TRANSACTIONS),
    },
    warnings,
  };
}
