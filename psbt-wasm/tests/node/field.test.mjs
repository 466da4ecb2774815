// The multiplication of csecp/psbt_wasm_field.h, compiled as it is for the module, beside arbitrary precision.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const PRIME = 2n ** 256n - 2n ** 32n - 977n;
const LIMBS = 10;
/** The largest limbs of magnitude 1. */
const LIMB = 2 * (2 ** 26 - 1);
const TOP_LIMB = 2 * (2 ** 22 - 1);
/** What libsecp256k1 multiplies at most. */
const MAGNITUDE = 8;

const SOURCE = `
#include "psbt_wasm_field.h"
uint32_t a[10], b[10], r[10];
__attribute__((export_name("a"))) uint32_t *get_a(void) { return a; }
__attribute__((export_name("b"))) uint32_t *get_b(void) { return b; }
__attribute__((export_name("r"))) uint32_t *get_r(void) { return r; }
__attribute__((export_name("multiply"))) void multiply(void) { psbt_wasm_multiply(r, a, b); }
__attribute__((export_name("multiply_in_place"))) void multiply_in_place(void) { psbt_wasm_multiply(a, a, b); }
__attribute__((export_name("square"))) void square(void) { psbt_wasm_square(r, a); }
__attribute__((export_name("square_in_place"))) void square_in_place(void) { psbt_wasm_square(a, a); }
`;

let module;

before(async () => {
  const directory = mkdtempSync(join(tmpdir(), 'psbt-wasm-field-'));
  try {
    const output = join(directory, 'field.wasm');
    const clang = process.env.CC_wasm32_unknown_unknown || 'clang';
    const flags = ['--target=wasm32-unknown-unknown', '-msimd128', '-O3', '-nostdlib', '-x', 'c', '-'];
    const headers = fileURLToPath(new URL('../../csecp', import.meta.url));
    execFileSync(clang, [...flags, '-I', headers, `-fuse-ld=${linker()}`, '-Wl,--no-entry', '-o', output], {
      input: SOURCE,
    });
    const { instance } = await WebAssembly.instantiate(readFileSync(output));
    module = instance.exports;
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/** The linker for WebAssembly that comes with Rust. */
function linker() {
  const root = execFileSync('rustc', ['--print', 'sysroot'], { encoding: 'utf8' }).trim();
  const hosts = join(root, 'lib/rustlib');
  const paths = readdirSync(hosts).map((host) => join(hosts, host, 'bin/gcc-ld'));
  const found = paths.flatMap((path) => {
    try {
      return readdirSync(path).filter((name) => /^wasm-ld/.test(name)).map((name) => join(path, name));
    } catch {
      return [];
    }
  });
  assert.ok(found.length > 0, 'Rust has no wasm-ld');
  return found[0];
}

function limbs(name) {
  return new Uint32Array(module.memory.buffer, module[name](), LIMBS);
}

function value(limbs) {
  return limbs.reduce((sum, limb, at) => sum + (BigInt(limb) << BigInt(26 * at)), 0n);
}

function agree(left, right) {
  const expected = (value(left) * value(right)) % PRIME;
  const square = value(left) ** 2n % PRIME;
  const cases = [
    ['multiply', 'r', expected],
    ['multiply_in_place', 'a', expected],
    ['square', 'r', square],
    ['square_in_place', 'a', square],
  ];
  for (const [name, result, number] of cases) {
    limbs('a').set(left);
    limbs('b').set(right);
    module[name]();
    const found = limbs(result);
    const described = `${name} ${left} ${right}`;
    assert.equal(value(found) % PRIME, number, described);
    // Magnitude 1.
    assert.ok(found.every((limb, at) => limb <= (at < LIMBS - 1 ? LIMB : TOP_LIMB)), described);
  }
}

/** Limbs of a magnitude, the last one smaller. */
const filled = (limb, top) => [...Array(LIMBS - 1).fill(limb), top];

test('products of the smallest, the largest, and what is around the prime are right', () => {
  const prime = Array.from({ length: LIMBS }, (_, at) => Number((PRIME >> BigInt(26 * at)) & 0x3ffffffn));
  const numbers = [filled(0, 0), [1, ...filled(0, 0).slice(1)], prime];
  numbers.push([prime[0] - 1, ...prime.slice(1)], [prime[0] + 1, ...prime.slice(1)]);
  for (let magnitude = 1; magnitude <= MAGNITUDE; magnitude += 1) {
    numbers.push(filled(magnitude * LIMB, magnitude * TOP_LIMB));
    numbers.push(filled(magnitude * LIMB, 0), filled(0, magnitude * TOP_LIMB));
  }
  for (let at = 0; at < LIMBS; at += 1) {
    const most = MAGNITUDE * (at < LIMBS - 1 ? LIMB : TOP_LIMB);
    numbers.push(Array.from({ length: LIMBS }, (_, limb) => (limb === at ? most : 0)));
  }
  for (const left of numbers) for (const right of numbers) agree(left, right);
});

test('products of random numbers of every magnitude are right', () => {
  let state = 1;
  // xorshift32: the same numbers in every run.
  const random = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const number = () => {
    const magnitude = 1 + Math.floor(random() * MAGNITUDE);
    const limb = (most) => {
      const kind = random();
      if (kind < 0.1) return 0;
      return kind < 0.2 ? magnitude * most : Math.floor(random() * (magnitude * most + 1));
    };
    return Array.from({ length: LIMBS }, (_, at) => limb(at < LIMBS - 1 ? LIMB : TOP_LIMB));
  };
  for (let count = 0; count < 20_000; count += 1) agree(number(), number());
});
