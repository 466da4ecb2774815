import { expect, test } from 'vitest';
import { stubNetwork } from '../testing/network';
import { changeProfile, clearMockProofs, submitProof } from './mutations';
import { upsertProfile } from './own-profile';

const SUBMISSION = { psbtBase64: 'cHNidP8=', utxos: [], file_name: 'a.psbt' };

test('a conflict and a refusal are answers', async () => {
  stubNetwork(() => ({ status: 409, body: { status: 'conflict', message: 'Conflict detected.' } }));
  expect(await submitProof(SUBMISSION)).toMatchObject({ status: 'conflict', message: 'Conflict detected.' });
  stubNetwork(() => ({ status: 422, body: { status: 'error', code: 'input-not-signed', message: 'Why.', input: 3 } }));
  expect(await submitProof(SUBMISSION)).toEqual({ status: 'error', code: 'input-not-signed', message: 'Why.', input: 3 });
});

test('a problem document from in front of the handler is a refusal as well', async () => {
  stubNetwork(() => ({ status: 413, body: { status: 413, code: 'body-too-large', message: 'Too large.' } }));
  expect(await submitProof(SUBMISSION)).toMatchObject({ status: 'error', message: 'Too large.' });
  stubNetwork(() => ({ status: 502 }));
  expect(await submitProof(SUBMISSION)).toMatchObject({ status: 'error', message: '' });
});

test.each([{}, { status: 'success' }, { status: 'splendid', message: '' }, []])('a 200 with %j is no success', async (body) => {
  stubNetwork(() => ({ body }));
  expect(await submitProof(SUBMISSION)).toMatchObject({ status: 'error', message: expect.stringContaining('can’t be read') });
});

test('without a session the answer is the specified sentence', async () => {
  stubNetwork(() => ({ status: 401, body: { message: 'This endpoint requires a valid Bearer token.' } }));
  expect(await submitProof(SUBMISSION)).toMatchObject({ status: 'error', message: 'You must be logged in to verify a PSBT.' });
});

test('no answer at all is thrown', async () => {
  stubNetwork(() => new TypeError('Failed to fetch'));
  await expect(submitProof(SUBMISSION)).rejects.toMatchObject({ status: 0 });
});

test('the client writes its name and its tier, never what is verified', async () => {
  const calls = stubNetwork(() => ({ status: 201 }));
  await upsertProfile({ id: 'me', username: 'satoshi', avatar_url: null });
  await changeProfile('me', { tier: 'free' });
  await clearMockProofs('me');
  expect(Object.keys(calls[0]?.body as object).toSorted()).toEqual(['avatar_url', 'id', 'updated_at', 'username']);
  expect(calls[1]).toMatchObject({ method: 'PATCH', body: { tier: 'free' } });
  expect(calls[1]?.url.search).toBe('?id=eq.me');
  expect(calls[2]).toMatchObject({ method: 'DELETE' });
  expect(calls[2]?.url.searchParams.get('file_name')).toBe('eq.wallet_verification.psbt');
});
