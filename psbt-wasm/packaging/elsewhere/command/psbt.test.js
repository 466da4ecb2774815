import { readFileSync } from 'node:fs';
import { answers } from './answers.js';

test('it reads, checks and makes', async () => {
  const answer = await answers(new Uint8Array(readFileSync('wallet.psbt')));
  console.log(answer);
  expect(answer).toBe('7 true 700000');
});
