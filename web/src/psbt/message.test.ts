import { expect, test } from 'vitest';
import { messageIn } from './message';

const file = (...maps: string[]) => Buffer.from(`70736274ff${maps.join('')}`, 'hex');
const TX = '01000401020304'; // the unsigned transaction's key, and four bytes

test('the message is found behind other fields', () => {
  const text = 'Proof of Reserves reserves.example satoshi 7m2kq4xw9d3rt5yb8n6c';
  const length = text.length.toString(16);
  expect(messageIn(file(TX, '0109', length, Buffer.from(text).toString('hex'), '00'))).toBe(text);
});

test('a long message has a length of three bytes', () => {
  const text = 'a'.repeat(300);
  expect(messageIn(file('0109', 'fd2c01', Buffer.from(text).toString('hex'), '00'))).toBe(text);
});

test('a file without one has none, and one in another map is not the file’s', () => {
  expect(messageIn(file(TX, '00', '0109', '0161', '00'))).toBeNull();
  expect(messageIn(Buffer.from('02000000000101', 'hex'))).toBeNull();
});
