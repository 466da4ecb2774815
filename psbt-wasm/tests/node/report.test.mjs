// Reports as developers see them. Imports the package by its name, so through its `exports`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkSignatures, combine, readPsbt } from 'psbt-wasm/sync';
import { LARGE, binary, bytesOf, exhaust, fixture, memories, thrownBy } from './support.mjs';

const base64 = fixture('mixed.psbt');

test('a report is a plain object with every field', () => {
  const report = readPsbt(binary(base64), 'mainnet');
  assert.equal(Object.getPrototypeOf(report), Object.prototype);
  assert.deepEqual(
    { ...report, inputs: report.inputs.length, outputs: report.outputs.length },
    {
      format: 'psbt',
      version: 0,
      encoding: 'binary',
      txid: '285472b374759346944c514410388d8290950efb3d1cb4a2c3168e6d8ca96216',
      transactionVersion: 2,
      lockTime: 840_000,
      inputs: 4,
      outputs: 2,
      message: 'message',
      totalInputSats: 100_010_000n,
      totalOutputSats: 99_000_000n,
      feeSats: 1_010_000n,
      weight: 1737,
      vsize: 435,
      feeRate: 1_010_000 / 435,
      exactSize: false,
      networkHint: 'mainnet',
      privateFields: {
        extendedPublicKeys: 1,
        derivationPaths: 4,
        proprietary: 3,
        unknown: 3,
        previousTransactions: 2,
      },
      warnings: [
        { code: 'unsigned-input', message: 'Not signed: 1 of 4 inputs.', inputs: [1] },
      ],
    },
  );
});

test('inputs say what they spend', () => {
  const { inputs } = readPsbt(binary(base64), 'mainnet');
  assert.deepEqual(inputs[0], {
    txid: '01'.repeat(32),
    vout: 7,
    sequence: 0xfffffffd,
    valueSats: 50_000_000n,
    scriptPubKey: '001479b000887626b294a914501a4cd226b58b235983',
    address: 'bc1q0xcqpzrky6eff2g52qdye53xkk9jxkvrh6yhyw',
    scriptType: 'p2wpkh',
    source: 'witness-utxo',
    signatureState: 'partial',
    sighash: 1,
  });
  const column = (name) => inputs.map((input) => input[name]);
  assert.deepEqual(column('valueSats'), [50_000_000n, 30_000_000n, 20_000_000n, 10_000n]);
  assert.deepEqual(column('scriptType'), ['p2wpkh', 'p2pkh', 'p2sh-p2wpkh', 'p2tr']);
  assert.deepEqual(column('signatureState'), ['partial', 'none', 'final', 'partial']);
  assert.deepEqual(column('source'), [
    'witness-utxo',
    'previous-transaction',
    'witness-utxo',
    'witness-utxo',
  ]);
});

test('outputs say where the coins go', () => {
  const { outputs } = readPsbt(binary(base64), 'mainnet');
  assert.equal(outputs[0].scriptType, 'p2tr');
  assert.match(outputs[0].address, /^bc1p/);
  assert.deepEqual(outputs[1], {
    valueSats: 0n,
    scriptPubKey: '6a0568656c6c6f',
    address: null,
    scriptType: 'op-return',
    silentPayment: null,
  });
});

test('amounts are bigint', () => {
  const report = readPsbt(binary(base64), 'mainnet');
  const amounts = [
    report.totalInputSats,
    report.totalOutputSats,
    report.feeSats,
    ...report.inputs.map((input) => input.valueSats),
    ...report.outputs.map((output) => output.valueSats),
  ];
  for (const amount of amounts) assert.equal(typeof amount, 'bigint');
});

test('addresses are of the network asked for', () => {
  const first = (network) => readPsbt(binary(base64), network).inputs[0].address.split('1')[0];
  assert.deepEqual(['mainnet', 'testnet3', 'testnet4', 'signet', 'regtest'].map(first), ['bc', 'tb', 'tb', 'tb', 'bcrt']);
});

test('every encoding gives the same report', () => {
  const bytes = binary(base64);
  const hex = Buffer.from(bytes).toString('hex');
  const wrapped = base64.replace(/.{64}/g, '$&\r\n');
  const files = {
    binary: [bytes, Buffer.from(bytes)],
    base64: [bytesOf(base64), bytesOf(`${base64}\n`), bytesOf(wrapped), bytesOf(`\ufeff${base64}`)],
    hex: [bytesOf(hex), bytesOf(`${hex.toUpperCase()}\r\n`)],
  };
  const expected = readPsbt(bytes, 'signet');
  for (const [encoding, dresses] of Object.entries(files)) {
    for (const file of dresses) {
      assert.deepEqual(readPsbt(file, 'signet'), { ...expected, encoding });
    }
  }
});

test('version 2 gives the report of version 0', () => {
  const report = readPsbt(bytesOf(fixture('mixed-v2.psbt')), 'mainnet');
  const expected = readPsbt(bytesOf(base64), 'mainnet');
  assert.equal(report.version, 2);
  assert.deepEqual({ ...report, version: 0 }, expected);
});

test('a final transaction does not state what it spends', () => {
  const report = readPsbt(bytesOf(fixture('final.txn')), 'mainnet');
  assert.equal(report.format, 'transaction');
  assert.equal(report.version, null);
  assert.equal(report.encoding, 'hex');
  assert.equal(report.totalInputSats, null);
  assert.equal(report.feeSats, null);
  assert.equal(report.totalOutputSats, 1_000n);
  assert.deepEqual(report.inputs, [
    {
      txid: '01'.repeat(32),
      vout: 0,
      sequence: 0xfffffffd,
      valueSats: null,
      scriptPubKey: null,
      address: null,
      scriptType: null,
      source: 'none',
      signatureState: 'final',
      sighash: null,
    },
  ]);
});

test('a view into a larger buffer is read as far as it goes', () => {
  const bytes = binary(base64);
  const buffer = new Uint8Array(bytes.length + 20);
  buffer.set(bytes, 10);
  const view = buffer.subarray(10, 10 + bytes.length);
  assert.deepEqual(readPsbt(view, 'mainnet'), readPsbt(bytes, 'mainnet'));
});

test('a report stays what it was, whatever happens afterwards', async () => {
  const bytes = binary(base64);
  const report = readPsbt(bytes, 'mainnet');
  const expected = structuredClone(report);
  assert.deepEqual(expected, report);
  assert.deepEqual({ ...report, inputs: report.inputs.map((input) => ({ ...input })) }, expected);
  assert.equal(JSON.parse(JSON.stringify(report, (_, value) => (typeof value === 'bigint' ? String(value) : value))).inputs[3].address, expected.inputs[3].address);
  const happenings = {
    'the caller changes the bytes': () => bytes.fill(0),
    'the caller hands them over': () => structuredClone(bytes.buffer, { transfer: [bytes.buffer] }),
    'another file is read': () => readPsbt(fixture('final.txn'), 'regtest'),
    'the memory grows': () => memories.reader.grow(16),
    'the module traps': () => {
      exhaust(memories.reader);
      assert.equal(thrownBy(() => readPsbt(LARGE, 'mainnet')).code, 'internal');
    },
  };
  for (const [name, happen] of Object.entries(happenings)) {
    happen();
    assert.deepEqual(report, expected, name);
  }
});

test('a promise is about the bytes at the time of the call', async () => {
  const expected = await checkSignatures(binary(base64));
  const bytes = binary(base64);
  const list = [bytes];
  const promises = [checkSignatures(bytes), combine(list)];
  bytes.fill(0);
  list.length = 0;
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  assert.deepEqual(await promises[0], expected);
  assert.equal((await promises[1]).inputs.length, 4);
});

test('an address that is kept keeps no more than 1 kB', () => {
  const script = `
    import { readPsbt } from 'psbt-wasm/sync';
    const output = (at) => [...new Uint8Array(8), 22, 0, 20, ...new Uint8Array(16), ...new Uint8Array(Uint32Array.of(at).buffer)];
    const outputs = Array.from({ length: 5000 }, (_, at) => output(at)).flat();
    const transaction = Uint8Array.from([2, 0, 0, 0, 1, Array(36).fill(1), 1, 0x51, 0, 0, 0, 0, 0xfd, 5000 & 255, 5000 >> 8, outputs, 0, 0, 0, 0].flat());
    const kept = [];
    const used = () => (gc(), gc(), process.memoryUsage().heapUsed);
    for (let round = 0; round < 50; round += 1) readPsbt(transaction, 'mainnet');
    const before = used();
    for (let round = 0; round < 500; round += 1) kept.push(readPsbt(transaction, 'mainnet').outputs[10 * round].address);
    console.log((used() - before) / kept.length);`;
  const options = ['--expose-gc', '--no-warnings', '--input-type=module', '--eval', script];
  const printed = execFileSync(process.execPath, options, { cwd: fileURLToPath(new URL('.', import.meta.url)), encoding: 'utf8' });
  assert.ok(Number(printed) <= 1024, printed);
});
