import { readFileSync } from 'node:fs';
import { checkSignatures, combine, makeProof, PsbtError, readPsbt, stripPsbt } from 'psbt-wasm';
import initialize, { readPsbt as readInWeb } from 'psbt-wasm/web';

const bytes = readFileSync(process.argv[2]);
const report = readPsbt(bytes, 'mainnet');
console.log(report.inputs.length, String(report.totalInputSats), report.private.extendedPublicKeys);
console.log(readPsbt(stripPsbt(bytes), 'mainnet').private.extendedPublicKeys);

const { complete, inputs } = await checkSignatures(bytes);
console.log(complete, inputs.map(({ status }) => status).join(' '));

const made = await makeProof(bytes, { statement: 'A line of my own', form: 'transaction' });
const together = await combine([made.psbt, made.psbt]);
console.log(made.inputs, String(made.amountSats), readPsbt(together.psbt, 'mainnet').feeSats === 0n);

try {
  readPsbt(new Uint8Array(5), 'mainnet');
} catch (error) {
  console.log(error instanceof PsbtError, error.code);
}

// The entry for browsers takes the module's bytes, wherever they are from.
const module = new URL(import.meta.resolve('psbt-wasm/package.json').replace('package.json', 'psbt_wasm_bg.wasm'));
await initialize(readFileSync(module));
console.log(readInWeb(bytes, 'mainnet').txid === report.txid);
