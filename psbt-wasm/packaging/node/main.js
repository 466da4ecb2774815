import { readFileSync } from 'node:fs';
import { checkSignatures, combine, init, makeProof, PsbtError, readPsbt, stripPsbt } from 'psbt-wasm';
import { readPsbt as readNow } from 'psbt-wasm/sync';

await init();
const bytes = readFileSync(process.argv[2]);
const report = readPsbt(bytes, 'mainnet');
console.log(report.inputs.length, String(report.totalInputSats), report.privateFields.extendedPublicKeys);
console.log(readPsbt(stripPsbt(bytes), 'mainnet').privateFields.extendedPublicKeys);

const { complete, inputs } = await checkSignatures(bytes);
console.log(complete, inputs.map(({ status }) => status).join(' '));

const made = await makeProof(bytes, { statement: 'A line of my own', form: 'transaction' });
const together = await combine([made.psbt, made.psbt]);
console.log(made.inputCount, String(made.amountSats), readPsbt(together.psbt, 'mainnet').feeSats === 0n);

try {
  readPsbt(new Uint8Array(5), 'mainnet');
} catch (error) {
  console.log(error instanceof PsbtError, error.code);
}

console.log(readNow(bytes, 'mainnet').txid === report.txid);
