import { readFileSync } from 'node:fs';
import { answers } from '../../answers.js';

// A component of the server, which draws it for each request.
export const dynamic = 'force-dynamic';

export default async function Component() {
  return <p>{await answers(new Uint8Array(readFileSync('wallet.psbt')))}</p>;
}
