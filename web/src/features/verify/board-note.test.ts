import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkNote } from './board-note';
import { proofIn, type PublishedProof } from './proof';

const fixture = new URL('../../../../psbt-wasm/tests/node/fixtures/published-message.json', import.meta.url);
const proof = proofIn(JSON.parse(readFileSync(fixture, 'utf8'))) as PublishedProof;
const { host } = new URL(proof.statement.origin);

beforeEach(() => vi.stubGlobal('location', new URL(proof.statement.origin)));

function signer(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  const id = createHash('sha256').update(`${name}\n`).update(Uint8Array.of(1)).update(raw).digest().subarray(0, 4);
  return {
    trusted: { key: `${name}+${id.toString('hex')}+${Buffer.concat([Uint8Array.of(1), raw]).toString('base64')}`, until: Number.POSITIVE_INFINITY },
    note: (text: string) => `${text}\n\u2014 ${name} ${Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]).toString('base64')}\n`,
  };
}

const { origin, text: line, provider, subject, account_id: account } = proof.statement;
const said = { origin, line, provider, subject, account, name: '@satoshi', block: null };
const textOf = (json: string) => `proof-of-reserves/proof-note/1\n${json}\n`;

test('a note of the board names the person', async () => {
  for (const name of [`${host}/log`, `${host}/log/2`]) {
    const board = signer(name);
    const file = { ...proof, note: board.note(textOf(JSON.stringify(said))) };
    expect(await checkNote(file, proof, { block: null }, [board.trusted])).toEqual({ is: 'valid', name: '@satoshi' });
    // A copy of another proof, or one that is dated otherwise.
    const block = { height: 1, hash: 'ff', time: 1 };
    expect(await checkNote(file, proof, { block }, [board.trusted])).toEqual({ is: 'false' });
  }
});

test('a note that says something else, or that was changed, is false', async () => {
  const board = signer(`${host}/log`);
  const keys = [board.trusted];
  for (const other of [{ ...said, subject: '1' }, { ...said, account: 'x' }, { ...said, origin: 'https://evil.example' }, { ...said, more: 1 }]) {
    const file = { ...proof, note: board.note(textOf(JSON.stringify(other))) };
    expect(await checkNote(file, proof, { block: null }, keys)).toEqual({ is: 'false' });
  }
  const note = board.note(textOf(JSON.stringify(said)));
  for (const changed of [note.replace('@satoshi', '@famous'), board.note(textOf(JSON.stringify(said, null, 1))), board.note('another text\n'), note.slice(0, 40), '']) {
    expect(await checkNote({ ...proof, note: changed }, proof, { block: null }, keys)).toEqual({ is: 'false' });
  }
});

test('a note by a key that nobody here knows says nothing', async () => {
  const [board, stranger, other] = [signer(`${host}/log`), signer(`${host}/log`), signer('evil.example/log')];
  const note = stranger.note(textOf(JSON.stringify(said)));
  expect(await checkNote({ ...proof, note }, proof, { block: null }, [board.trusted])).toEqual({ is: 'none' });
  const theirs = other.note(textOf(JSON.stringify(said)));
  expect(await checkNote({ ...proof, note: theirs }, proof, { block: null }, [other.trusted])).toEqual({ is: 'none' });
  expect(await checkNote(proof, proof, { block: null }, [board.trusted])).toEqual({ is: 'none' });
});
