/** What the worker does with the package, and the messages between it and the page. */
import type { BlockTimes, DateBounds, JoinedFile, Network, ProofCheck, ProofOptions, ReaderRequest } from 'psbt-wasm';
import { toBase64 } from '../lib/bytes';
import { signedPrefix } from '../lib/names';
import { READER_UNAVAILABLE, type CheckedProof, type MadeProof, type ProofContents } from './types';

// Imported when it is needed, not above: this entry imports its wasm, which vite-plugin-wasm loads, and messages that come before the
// worker has its listener are lost.
const load = async () => {
  const reader = await import('psbt-wasm/bundler');
  await reader.init();
  return reader;
};
type Reader = Awaited<ReturnType<typeof load>>;
type Bytes = Uint8Array<ArrayBuffer>;

/** What only the pages need of the package's second module. */
const loadTools = async () => (await import('psbt-wasm/bundler/tools')).functions;

function contentsOf(reader: Reader, bytes: Uint8Array, network: Network): ProofContents {
  const report = reader.readPsbt(bytes, network);
  const stripped = reader.stripPsbt(bytes);
  return { report, psbtBase64: toBase64(stripped), strippedBytes: stripped.length };
}

/** A line that is no statement: what is made with it is read for its coins, and signed by nobody. */
const COINS_ALONE: ProofOptions = { statement: 'Coins', form: 'transaction' };

/** The bounds of a date, or the height of the next block that the search needs. */
type DateSearch = { bounds: DateBounds } | { needs: number };

/** Functions do not cross to a worker. So the page calls again with one block more, until the search has all that it asks for. */
async function searchDate(reader: Reader, time: number, tip: number, known: BlockTimes[]): Promise<DateSearch> {
  let needs: number | null = null;
  const ask = async (height: number) => {
    if (known.some((block) => block.height === height)) return known;
    needs ??= height;
    throw new Error('A block is missing.');
  };
  try {
    return { bounds: await reader.findDate(time, tip, ask) };
  } catch (error) {
    if (needs === null) throw error;
    return { needs };
  }
}

/** Whether the board shows the name that was signed: the full name, to which the code commits. */
async function isNamed({ proof }: Pick<ProofCheck, 'proof'>): Promise<boolean> {
  if (!('profile' in proof)) return false;
  const { statement, profile: { username, provider, named } } = proof;
  const prefix = named ? signedPrefix(provider) : null;
  const { fullName } = await loadTools();
  return statement.name === fullName(provider, statement.subject, prefix === null ? '' : prefix + username);
}

/** Each task takes the package and the arguments of a request. */
const TASKS = {
  read: contentsOf,
  source: async (reader: Reader, bytes: Bytes, network: Network): Promise<ProofContents> => {
    try {
      return contentsOf(reader, bytes, network);
    } catch (error) {
      if (!(error instanceof reader.PsbtError) || error.code !== 'no-outputs') throw error;
      const { psbt } = await reader.makeProof(bytes, COINS_ALONE);
      return contentsOf(reader, psbt, network);
    }
  },
  signatures: (reader: Reader, bytes: Bytes) => reader.checkSignatures(bytes),
  // Results are copies, not views of the module's memory.
  make: async (reader: Reader, bytes: Bytes, options: ProofOptions) => (await reader.makeProof(bytes, options)) as MadeProof,
  combine: async (reader: Reader, files: Bytes[]) => (await reader.combine(files)).psbt as Bytes,
  proof: async (reader: Reader, file: Bytes, origin: string, network: Network, keys: string[] = []): Promise<CheckedProof> => {
    const { psbt, ...check } = await reader.checkProof(file, origin, { keys });
    return { check: { ...check, isNamed: await isNamed(check) }, report: reader.readPsbt(psbt, network) };
  },
  binding: async (_: Reader, file: Bytes, statement: string) => (await loadTools()).bindingOf(file, statement),
  proofFile: (reader: Reader, file: Bytes) => reader.readProof(file),
  recognize: (reader: Reader, text: string) => reader.recognize(text),
  words: (reader: Reader, text: string) => reader.normalizeWords(text),
  statement: (reader: Reader, asked: ReaderRequest) => reader.readerStatement(asked),
  forReader: (reader: Reader, asked: ReaderRequest, toSign: Uint8Array, signed: Uint8Array, options?: { everyKey?: boolean }) =>
    reader.readerProof(asked, toSign, signed, options),
  instant: (reader: Reader, text: string) => reader.readInstant(text),
  searchDate,
  judgeDate: (reader: Reader, given: Parameters<Reader['judgeDate']>[0]) => reader.judgeDate(given),
  join: (reader: Reader, files: JoinedFile[], options?: { oneClient?: boolean }) => reader.joinProofs(files, options),
  message: (reader: Reader, address: string, message: string, signature: string) => reader.verifyMessage(address, message, signature),
};

type Tasks = typeof TASKS;
export type Task = keyof Tasks;
export type Arguments<T extends Task> = Tasks[T] extends (reader: Reader, ...args: infer Args) => unknown ? Args : never;
export type Result<T extends Task> = Awaited<ReturnType<Tasks[T]>>;

export interface WorkerRequest<T extends Task = Task> {
  id: number;
  task: T;
  args: Arguments<T>;
}

/** An answer of the worker; an error class does not survive the crossing, its members do. */
export type WorkerAnswer<T extends Task = Task> =
  | { id: number; ok: true; result: Result<T> }
  | { id: number; ok: false; message: string; code: string; input: number | null };

/** Does one task. Never throws: an error class would not survive the crossing to the page. */
export async function answer<T extends Task>({ id, task, args }: WorkerRequest<T>): Promise<WorkerAnswer<T>> {
  const failed = (error: unknown, code: string, input: number | null = null) =>
    ({ id, ok: false, message: error instanceof Error ? error.message : String(error), code, input }) as const;
  let reader: Reader;
  try {
    reader = await load();
  } catch (error) {
    return failed(error, READER_UNAVAILABLE);
  }
  try {
    return { id, ok: true, result: (await Reflect.apply(TASKS[task], null, [reader, ...args])) as Result<T> };
  } catch (error) {
    return error instanceof reader.PsbtError ? failed(error, error.code, error.map === 'input' ? error.index : null) : failed(error, 'unexpected');
  }
}
