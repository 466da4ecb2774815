import { answer, type Arguments, type Result, type Task } from '../psbt/read';
import { ProofReadError } from '../psbt';

let last: Promise<unknown> = Promise.resolve();

/** A task of the real package, without the worker that jsdom and Node lack. One at a time: two imports at once find a module without its stand-in. */
export const realTask =
  <T extends Task>(task: T) =>
  async (...args: Arguments<T>): Promise<Result<T>> => {
    const answered = last.then(() => answer<T>({ id: 1, task, args }));
    last = answered;
    const found = await answered;
    if (found.ok) return found.result;
    throw new ProofReadError(found.message, found.code, found.input);
  };
