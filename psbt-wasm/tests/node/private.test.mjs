// A file that is full of private fields leaves none of them in what is sent. What is private, and how a file is cut into
// fields, is written down here once more, from BIP-174, 370 and 371, so that the package is not asked about itself.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { stripPsbt } from 'psbt-wasm/sync';

/** Types of fields that have to stay in an input, where they are in the file. */
const KEPT_OF_INPUTS = {
  witnessUtxo: 0x01,
  partialSig: 0x02,
  redeemScript: 0x04,
  witnessScript: 0x05,
  tapKeySig: 0x13,
  tapScriptSig: 0x14,
  tapLeafScript: 0x15,
  tapInternalKey: 0x17,
  tapMerkleRoot: 0x18,
};
/** Types of fields that describe the transaction itself, which is kept. */
const TRANSACTION = {
  global: [0x00, 0x02, 0x03, 0x04, 0x05, 0xfb],
  input: [0x0e, 0x0f, 0x10, 0x11, 0x12],
  output: [0x03, 0x04],
};
const KEY_ORIGINS = { derivation: 0x06, tapDerivation: 0x16 };
const KINDS = {
  global: { extendedPublicKey: 0x01, unknown: 0x77, proprietary: 0xfc },
  input: { previousTransaction: 0x00, ...KEY_ORIGINS, unknown: 0x77, proprietary: 0xfc },
  output: { derivation: 0x02, unknown: 0x77, proprietary: 0xfc },
};

for (const name of ['every-kind.psbt', 'every-kind-v2.psbt']) {
  test(`${name}: nothing private is left, and everything else is`, () => {
    const file = new Uint8Array(readFileSync(new URL(`../../fuzz/seeds/${name}`, import.meta.url)));
    const before = fieldsOf(file);
    const minimal = Buffer.from(stripPsbt(file));
    const left = fieldsOf(minimal);

    for (const [map, kinds] of Object.entries(KINDS)) {
      for (const [kind, type] of Object.entries(kinds)) {
        const ofKind = before.filter((field) => field.map === map && field.type === type);
        assert.ok(ofKind.length > 0, `the file has ${kind} (${map})`);
        for (const { value } of ofKind) assert.ok(!minimal.includes(value), `${kind} (${map}) is left`);
      }
    }
    for (const secret of ['VENDOR', '\xde\xad\xbe\xef', '\x04\x88\xb2\x1e']) {
      assert.ok(Buffer.from(file).includes(secret, 'latin1'));
      assert.ok(!minimal.includes(secret, 'latin1'), secret);
    }

    const kept = Object.values(KEPT_OF_INPUTS);
    const text = ({ index, type, key, value }) => `${index} ${type} ${hex(key)} ${hex(value)}`;
    const inputs = (fields) => fields.filter(({ map }) => map === 'input');
    const wanted = inputs(before).filter(({ type }) => kept.includes(type));
    assert.deepEqual([...new Set(wanted.map(({ type }) => type))].sort(), [...kept].sort());
    // A script that names the hash of a key needs the key; where it is from stays out of it.
    const isKeyAlone = ({ type, value }) => Object.values(KEY_ORIGINS).includes(type) && value.every((byte) => byte === 0);
    const others = inputs(left).filter((field) => !isKeyAlone(field));
    const ofTransaction = inputs(before).filter(({ type }) => TRANSACTION.input.includes(type));
    assert.deepEqual(new Set(others.map(text)), new Set([...wanted, ...ofTransaction].map(text)));
    assert.deepEqual(left.filter(({ map, type }) => map !== 'input' && !TRANSACTION[map].includes(type)), []);
  });
}

function hex(bytes) {
  return Buffer.from(bytes).toString('hex');
}

/** Every field of a PSBT: `{map, index, type, key, value}`, key without its type. */
function fieldsOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields = [];
  let at = 5;
  const size = () => {
    const first = bytes[at];
    at += 1;
    if (first < 0xfd) return first;
    assert.equal(first, 0xfd, 'the fields of these files are below 64 kB');
    at += 2;
    return view.getUint16(at - 2, true);
  };
  const take = (length) => bytes.subarray(at, (at += length));
  const map = (name, index) => {
    for (let length = size(); length > 0; length = size()) {
      const key = take(length);
      fields.push({ map: name, index, type: key[0], key: key.subarray(1), value: take(size()) });
    }
  };
  map('global', 0);
  const { inputs, outputs } = counts(fields);
  for (let index = 0; index < inputs; index += 1) map('input', index);
  for (let index = 0; index < outputs; index += 1) map('output', index);
  assert.equal(at, bytes.length);
  return fields;
}

/** How many inputs and outputs: version 2 says so, version 0 has them in its transaction. */
function counts(fields) {
  const global = (type) => fields.find((field) => field.type === type)?.value;
  const [inputs, outputs] = [global(0x04), global(0x05)];
  if (inputs && outputs) return { inputs: inputs[0], outputs: outputs[0] };
  const transaction = global(0x00);
  // Unsigned inputs are all of one size.
  return { inputs: transaction[4], outputs: transaction[5 + 41 * transaction[4]] };
}
