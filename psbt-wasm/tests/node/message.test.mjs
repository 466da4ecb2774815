// Signed messages as JavaScript sees them. What is valid and what is not: tests/behavior/messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PsbtError, verifyMessage } from 'psbt-wasm';

const ADDRESS = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
// The first vector of BIP-322.
const SIGNATURE =
  'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';

test('a message is text or bytes', async () => {
  const valid = {
    status: 'valid', reason: null, message: null, format: 'simple', loose: false, lockTime: 0, sequence: 0, lineEndings: null,
  };
  assert.deepEqual(await verifyMessage(ADDRESS, '', SIGNATURE), valid);
  assert.deepEqual(await verifyMessage(ADDRESS, new Uint8Array(), SIGNATURE), valid);
});

test('what is not valid has a reason and a sentence', async () => {
  const other = await verifyMessage(ADDRESS, 'Another message', SIGNATURE);
  assert.deepEqual([other.status, other.reason], ['invalid', 'wrong-signature']);
  assert.match(other.message, /does not match/);
  assert.equal((await verifyMessage('nobody', '', SIGNATURE)).reason, 'address');
});

test('long input is refused before it is copied', async () => {
  await assert.rejects(async () => verifyMessage(ADDRESS, 'x'.repeat(33 * 1024 * 1024), SIGNATURE), { name: 'PsbtError', code: 'file-too-large' });
  await assert.rejects(async () => verifyMessage(1, '', SIGNATURE), TypeError);
  assert.ok(PsbtError);
});
