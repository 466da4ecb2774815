// Compiles only if the types say what the documentation says.

import {
  checkSignatures,
  checkProof,
  combine,
  convert,
  init,
  inspect,
  loadLog,
  loadTools,
  makeProof,
  PsbtError,
  readPsbt,
  recognize,
  stripPsbt,
  type CheckOptions,
  type CombinedPsbt,
  type InputSignatures,
  type InspectedField,
  type Place,
  type Problem,
  type MadeProof,
  type MakerNote,
  type ProofCheck,
  type ProofOptions,
  type ProofFile,
  type PublishedProof,
  readProof,
  type PsbtInput,
  type PsbtReport,
  type SignatureReport,
  type Warning,
} from 'psbt-wasm';
import { readPsbt as readByImport } from 'psbt-wasm/bundler';
import { readPsbt as readNow } from 'psbt-wasm/sync';
import module from 'psbt-wasm/psbt_wasm_tools_bg.wasm';

export async function everything(bytes: Uint8Array): Promise<string> {
  await init('https://example.org/psbt_wasm_bg.wasm');
  await loadTools(module);
  await loadLog('https://example.org/psbt_wasm_log_bg.wasm');
  const report: PsbtReport = readPsbt(bytes, 'mainnet');
  const input: PsbtInput | undefined = report.inputs[0];
  const value: bigint | null = input?.valueSats ?? null;
  const fee: bigint | null = report.feeSats;
  const warning: Warning | undefined = report.warnings[0];
  const about: number[] = warning?.inputs ?? [];
  const minimal: Uint8Array<ArrayBuffer> = stripPsbt(bytes);
  const limits: CheckOptions = { maxChecks: 5_000, signal: { throwIfAborted: () => {} } };
  const checked: SignatureReport = await checkSignatures(minimal, limits);
  const first: InputSignatures | undefined = checked.inputs[0];
  if (first?.status === 'valid' || report.version === 2) return first?.message ?? '';
  const text: PsbtReport = readNow('cHNidP8=', 'regtest');
  const imported: PsbtReport = readByImport(bytes.slice().buffer, 'signet');
  return `${value} ${fee} ${about} ${text.txid} ${imported.txid}`;
}

export async function proof(bytes: Uint8Array): Promise<string> {
  const options: ProofOptions = { statement: 'a line', form: 'message', lockTime: 840_000, derivations: 'first-ten', split: 10 };
  await loadTools(new ArrayBuffer(8));
  const made: MadeProof = await makeProof(bytes, options);
  const note: MakerNote | undefined = made.notes[0];
  const sats: bigint = made.amountSats;
  const together: CombinedPsbt = await combine([made.psbt, (await convert(made.psbt, 2)).psbt]);
  const signatures: number | undefined = together.inputs[0]?.signatureCount;
  return `${note?.code} ${note?.input} ${sats} ${signatures}`;
}

export async function published(given: string): Promise<string> {
  const read: ProofFile | PublishedProof = await readProof(given);
  const check: ProofCheck = await checkProof(given, read.statement.origin, {});
  const confirmed: boolean = check.claimed.confirmed;
  if (confirmed) throw new Error(check.claimed.name ?? check.claimed.subject);
  return `${check.complete} ${check.statement} ${check.carrier} ${check.amountSats} ${check.inputs.length} ${readPsbt(check.psbt, 'mainnet').txid}`;
}

export async function inspected(bytes: Uint8Array): Promise<string> {
  const { fields, problems } = await inspect(bytes, { network: 'testnet4' });
  const field: InspectedField | undefined = fields[0];
  const problem: Problem | undefined = problems[0];
  const other = await recognize('a text');
  return `${field?.decoded['txid']} ${problem?.message} ${other?.kind} ${other?.secret}`;
}

export function failure(error: unknown): string {
  if (!(error instanceof PsbtError)) throw error;
  const place: Place = error;
  switch (error.code) {
    case 'could-not-parse':
      return `${place.map} ${place.index} ${error.field}`;
    // @ts-expect-error There is no such code.
    case 'couldNotParse':
      return '';
    default:
      return error.code;
  }
}

// @ts-expect-error There is no such network.
readPsbt(new Uint8Array(), 'bitcoin');
// @ts-expect-error A file is bytes or text.
stripPsbt([1, 2, 3]);
// @ts-expect-error There are no such options.
readPsbt(new Uint8Array(), 'mainnet', { keys: 'curve' });
// @ts-expect-error A proof needs a statement.
makeProof(new Uint8Array(), { form: 'message' });
