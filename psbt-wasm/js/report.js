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
const ABSENT_SATS = 0xffff_ffff_ffff_ffffn;

const ascii = new TextDecoder();

export function wantsPoints(options) {
  return options?.keys === 'curve';
}

/** `packed` is a view into the module's memory, so all of it is read before anything else runs. */
export function toReport(packed) {
  const numbers = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const u32 = (at) => numbers.getUint32(at, true);
  const sats = (at) => {
    const value = numbers.getBigUint64(at, true);
    return value === ABSENT_SATS ? null : value;
  };
  const inputCount = u32(0);
  const outputCount = u32(4);
  const outputsAt = HEADER_BYTES + inputCount * INPUT_BYTES;
  // One string; the texts of the report are cut out of it without being copied.
  const texts = ascii.decode(packed.subarray(outputsAt + outputCount * OUTPUT_BYTES));
  let position = 0;
  const text = (length) => texts.substring(position, (position += length));

  const version = packed[8];
  const txid = text(64);
  const inputs = new Array(inputCount);
  for (let index = 0, at = HEADER_BYTES; index < inputCount; index += 1, at += INPUT_BYTES) {
    const scriptLength = u32(at + 16);
    const sighash = u32(at + 20);
    const addressLength = packed[at + 24];
    inputs[index] = {
      txid: text(64),
      vout: u32(at + 8),
      sequence: u32(at + 12),
      valueSats: sats(at),
      scriptPubKey: scriptLength === ABSENT ? null : text(2 * scriptLength),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[packed[at + 25]] ?? null,
      source: SOURCES[packed[at + 26]],
      signatures: SIGNATURES[packed[at + 27]],
      sighash: sighash === ABSENT ? null : sighash,
    };
  }
  const outputs = new Array(outputCount);
  for (let index = 0, at = outputsAt; index < outputCount; index += 1, at += OUTPUT_BYTES) {
    const addressLength = packed[at + 12];
    outputs[index] = {
      valueSats: sats(at),
      scriptPubKey: text(2 * u32(at + 8)),
      address: addressLength === 0 ? null : text(addressLength),
      scriptType: SCRIPT_TYPES[packed[at + 13]],
    };
  }
  return {
    format: version === 0xff ? 'transaction' : 'psbt',
    version: version === 0xff ? null : version,
    encoding: ENCODINGS[packed[9]],
    txid,
    transactionVersion: numbers.getInt32(12, true),
    lockTime: u32(16),
    inputs,
    outputs,
    totalInputSats: sats(40),
    totalOutputSats: sats(48),
    feeSats: sats(56),
    private: {
      extendedPublicKeys: u32(20),
      derivationPaths: u32(24),
      proprietary: u32(28),
      unknown: u32(32),
      previousTransactions: u32(36),
    },
  };
}
