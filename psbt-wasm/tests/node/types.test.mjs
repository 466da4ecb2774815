// The public types: they change only on purpose (Semantic Versioning), and the functions return what they say.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as api from 'psbt-wasm/sync';
import ts from 'typescript';
import { binary, bytesOf, fixture, thrownBy } from './support.mjs';

const inPackage = (path) => fileURLToPath(new URL(path, import.meta.resolve('psbt-wasm/package.json')));
const frozen = new URL('fixtures/types.txt', import.meta.url);

/** A declaration file without its comments. */
function declared(name) {
  const source = ts.createSourceFile(name, readFileSync(inPackage(name), 'utf8'), ts.ScriptTarget.Latest);
  return ts.createPrinter({ removeComments: true }).printFile(source);
}

test('the types are those that were released', () => {
  const found = ['index.d.ts', 'api.d.ts', 'module.d.ts'].map((name) => `// ${name}\n${declared(name)}`).join('\n');
  if (process.env.UPDATE_FIXTURES) writeFileSync(frozen, found);
  // A new function or member is a minor version, any other difference a major one: UPDATE_FIXTURES=1, and CHANGELOG.md.
  assert.equal(found, readFileSync(frozen, 'utf8'));
});

const program = ts.createProgram([inPackage('index.d.ts')], { strict: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.NodeNext });
const checker = program.getTypeChecker();
const symbols = new Map(
  checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(inPackage('index.d.ts'))))
    .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
);

/** What a function returns, or what the promise that it returns is of. */
function returned(name) {
  const type = checker.getTypeOfSymbol(symbols.get(name));
  const [signature] = type.getCallSignatures();
  return checker.getAwaitedType(signature.getReturnType()) ?? signature.getReturnType();
}

/** Where a value is not of a type; null if it is. Objects have all members that are not optional, and no others. */
function mismatch(value, type, path = '') {
  const is = (flag) => (type.flags & flag) !== 0;
  const wrong = `${path}: ${String(value)} is no ${checker.typeToString(type)}`;
  if (type.isUnion()) return type.types.some((member) => mismatch(value, member, path) === null) ? null : wrong;
  if (type.isLiteral()) return value === type.value ? null : wrong;
  if (is(ts.TypeFlags.BooleanLiteral)) return String(value) === type.intrinsicName ? null : wrong;
  if (is(ts.TypeFlags.Null)) return value === null ? null : wrong;
  for (const [flag, kind] of [['String', 'string'], ['Number', 'number'], ['BigInt', 'bigint']]) {
    if (is(ts.TypeFlags[flag])) return typeof value === kind ? null : wrong;
  }
  if (type.symbol?.name === 'Uint8Array') return value instanceof Uint8Array ? null : wrong;
  if (typeof value !== 'object' || value === null) return wrong;
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type);
    return Array.isArray(value) ? first(value.entries(), ([index, each]) => mismatch(each, item, `${path}[${index}]`)) : wrong;
  }
  const all = type.getStringIndexType();
  if (all) return first(Object.entries(value), ([key, each]) => mismatch(each, all, `${path}.${key}`));
  const members = checker.getPropertiesOfType(type);
  const unknown = Object.keys(value).find((key) => !members.some(({ name }) => name === key));
  if (unknown !== undefined) return `${path}.${unknown} is not declared`;
  return first(members, (member) => {
    if (!(member.name in value)) return member.flags & ts.SymbolFlags.Optional ? null : `${path}.${member.name} is missing`;
    return mismatch(value[member.name], checker.getTypeOfSymbol(member), `${path}.${member.name}`);
  });
}

function first(values, find) {
  for (const value of values) {
    const found = find(value);
    if (found) return found;
  }
  return null;
}

const mixed = binary(fixture('mixed.psbt'));
const seed = (name) => readFileSync(new URL(`../../fuzz/seeds/${name}`, import.meta.url));
const published = fixture('published-message.json');
const request = { words: 'Acme Bank', name: 'Alice', nonce: '00'.repeat(16), header: '00'.repeat(80), height: 1 };
const options = { statement: 'A line', form: 'transaction' };

const block = (height) => ({ height, hash: '00', time: 600 * height, medianTime: 600 * Math.max(0, height - 5) });
const blocksTo = async (height) => [block(height)];
const coin = { txid: '00'.repeat(32), vout: 0, valueSats: 1n, counts: true };
const joinedFile = { sha256: '00', network: 'mainnet', request: 'Acme Bank', name: 'Alice', status: 'right', coins: [coin] };

/** Calls of each function whose results differ as much as they can. */
const CALLS = {
  readPsbt: (call) => [call(mixed, 'mainnet'), call(fixture('final.txn'), 'mainnet'), call(seed('every-kind-v2.psbt'), 'mainnet')],
  stripPsbt: (call) => [call(mixed)],
  checkSignatures: (call) => [call(mixed), call(seed('every-kind.psbt')), call(fixture('final.txn'))],
  inspect: (call) => [call(mixed, { whole: true }), call(mixed.slice(0, -9)), call(fixture('final.txn'))],
  derivations: (call) => [call(mixed, { fingerprint: '00000000' }), call(seed('every-kind-v2.psbt')), call(fixture('final.txn'))],
  recognize: (call) => [call('<!doctype html>'), call(mixed)],
  makeProof: (call) => [call(mixed, options), call(seed('every-kind.psbt'), { ...options, form: 'message' })],
  combine: (call) => [call([mixed])],
  convert: (call) => [call(mixed, 2), call(seed('every-kind-v2.psbt'), 0)],
  extract: (call) => [call(seed('every-kind.psbt'))],
  readProof: (call) => [call(published), call(fixture('reader-message.json')), call(fixture('reader-multisig.json'))],
  checkProof: (call) => [call(published, 'https://board.example'), call(fixture('reader-transaction.json'), 'reader'), call(fixture('reader-multisig.json'), 'reader')],
  readInstant: (call) => [call('2027-01-01T00:00Z')],
  findDate: (call) => [call(800, 20, blocksTo), call(1, 20, blocksTo), call(100_000, 20, blocksTo)],
  judgeDate: (call) => [
    call({ bounds: { lower: block(4), upper: block(9), settled: true }, signedAfter: 3, tip: 20, coins: [{ valueSats: 1n, funded: 1, spent: null }] }),
    call({ bounds: { lower: null, upper: null, settled: false }, signedAfter: null, tip: 20, coins: [{ valueSats: 1n, funded: null, spent: 'unknown' }] }),
  ],
  joinProofs: (call) => [call([joinedFile]), call([joinedFile, joinedFile, { ...joinedFile, name: 'Ivo' }]), call([])],
  normalizeWords: (call) => [call('Acme')],
  readerStatement: (call) => [call(request)],
  readerProof: (call) => [call(request, seed('final.psbt'), seed('final.psbt'))],
  verifyMessage: (call) => [call('bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l', '', 'smp'), call('1', '', '')],
};

for (const [name, calls] of Object.entries(CALLS)) {
  test(`${name} returns what its type says`, async () => {
    for (const result of await Promise.all(calls(api[name]))) assert.equal(mismatch(result, returned(name)), null);
  });
}

test('every function is tried, and every one is declared', () => {
  const names = Object.keys(api).filter((name) => !['PsbtError', 'init', 'loadTools', 'loadLog'].includes(name));
  assert.deepEqual(Object.keys(CALLS).sort(), names.sort());
  for (const name of Object.keys(api)) assert.ok(symbols.has(name), name);
});

test('an error has what its type says', () => {
  const type = checker.getDeclaredTypeOfSymbol(symbols.get('PsbtError'));
  for (const file of ['', bytesOf('psbt'), mixed.slice(0, 200)]) {
    const error = thrownBy(() => api.readPsbt(file, 'mainnet'));
    for (const name of ['name', 'code', 'map', 'index', 'field', 'message']) {
      assert.equal(mismatch(error[name], checker.getTypeOfPropertyOfType(type, name), name), null);
    }
  }
});
