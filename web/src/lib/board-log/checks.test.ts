import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { expect, test } from 'vitest';
import { countCosignatures } from './checks';

const CHECKPOINT = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const TIME = 1_795_000_000n;

interface Witness {
  key: string;
  line: (text: string, time?: bigint) => string;
}

function witness(name: string, { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject } = generateKeyPairSync('ed25519'), kind = 4): Witness {
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const id = createHash('sha256').update(`${name}\n`).update(Uint8Array.of(kind)).update(raw).digest().subarray(0, 4);
  return {
    key: `${name}+${id.toString('hex')}+${Buffer.concat([Uint8Array.of(kind), raw]).toString('base64')}`,
    line(text, time = TIME) {
      const stamp = Buffer.alloc(8);
      stamp.writeBigUInt64BE(time);
      const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), privateKey);
      return `\u2014 ${name} ${Buffer.concat([id, stamp, signature]).toString('base64')}\n`;
    },
  };
}

test('valid cosignatures of known witnesses count, each once', async () => {
  const pair = generateKeyPairSync('ed25519');
  const [one, two, other, same] = [witness('one.example/w'), witness('two.example/w', pair), witness('one.example/w'), witness('same.example/w', pair)];
  const keys = [one.key, two.key];
  const count = (...lines: string[]) => countCosignatures(`${CHECKPOINT}\n${lines.join('')}`, keys);
  expect(await count(one.line(CHECKPOINT), two.line(CHECKPOINT))).toBe(2);
  expect(await count(one.line(CHECKPOINT), one.line(CHECKPOINT, TIME + 1n))).toBe(1);
  for (const wrong of [one.line(CHECKPOINT.replace('163', '164')), one.line(CHECKPOINT, 0n), one.line(CHECKPOINT, 1n << 63n), other.line(CHECKPOINT)]) {
    expect(await count(wrong, two.line(CHECKPOINT))).toBe(1);
  }
  const both = `${CHECKPOINT}\n${two.line(CHECKPOINT)}${same.line(CHECKPOINT)}`;
  expect(await countCosignatures(both, [two.key, same.key, two.key])).toBe(1);
});

test('keys of other kinds count nothing', async () => {
  const log = witness('one.example/w', undefined, 1);
  expect(await countCosignatures(`${CHECKPOINT}\n${log.line(CHECKPOINT)}`, [log.key, 'no key', ''])).toBe(0);
});
