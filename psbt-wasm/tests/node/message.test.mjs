// Signed messages as JavaScript sees them. What is valid and what is not: tests/behavior/messages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PsbtError, verifyMessage } from 'psbt-wasm';
import { bytesOf } from './support.mjs';

const ADDRESS = 'bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l';
// The first vector of BIP-322.
const SIGNATURE =
  'smpAkcwRAIgM2gBAQqvZX15ZiysmKmQpDrG83avLIT492QBzLnQIxYCIBaTpOaD20qRlEylyxFSeEA2ba9YOixpX8z46TSDtS40ASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=';

test('a message is text or bytes', async () => {
  const valid = {
    status: 'valid', reason: null, message: null, format: 'simple', loose: false, lockTime: 0, sequence: 0, amountSats: 0n, lineEndings: null, otherText: null,
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

/** A BIP-137 signature of "Das gehört Jörg" in composed letters. */
const COMPOSED = ['1NbfNXwjw6hgMzkd7wdenqBixwNVg1dAD6', 'IIZu9n3jJtQw5h+YEzM6a12J+sl/AZ0A8hAMEtNtdQ2/DmGY8Iw0bCjUJMGkr4A0SAo1g3hxl7R4BL/2UHRgSl8='];

test('a text of other letters that look the same is named, as text and as bytes', async () => {
  const [address, signature] = COMPOSED;
  const text = 'Das geh\u00f6rt J\u00f6rg';
  assert.equal((await verifyMessage(address, text, signature)).status, 'valid');
  assert.equal((await verifyMessage(address, text, signature.replace(/(.{20})/g, '$1\r\n'))).status, 'valid');
  for (const given of [text.normalize('NFD'), bytesOf(text.normalize('NFD'))]) {
    const { status, reason, otherText, message } = await verifyMessage(address, given, signature);
    assert.deepEqual([status, reason, otherText], ['invalid', 'other-text', 'nfc']);
    assert.match(message, /composed letters/);
  }
  const { otherText } = await verifyMessage(address, `${text}\n`, signature);
  assert.equal(otherText, 'without-line-break');
  // Bytes that are not UTF-8.
  assert.equal((await verifyMessage(address, Uint8Array.of(0xff), signature)).reason, 'wrong-signature');
});

test('coins of a proof of funds have the form of a report', async () => {
  const coin = { txid: '11'.repeat(32), vout: 0, valueSats: 5n, scriptPubKey: '51' };
  const { status, amountSats } = await verifyMessage(ADDRESS, '', SIGNATURE, { coins: [coin] });
  assert.deepEqual([status, amountSats], ['valid', 0n]);
  for (const wrong of [{ coins: [{ ...coin, valueSats: 5 }] }, { coins: [null] }, { coins: [{ ...coin, txid: '11' }] }, { coin: [] }]) {
    await assert.rejects(verifyMessage(ADDRESS, '', SIGNATURE, wrong), { code: 'invalid-option' });
  }
});
