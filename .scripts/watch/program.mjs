import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const GRACE_MS = 3_000;

/** A program that answers at an address, and is started again when there is a newer one. */
export class Program {
  #command;
  #options;
  #address;
  #child = null;
  #ready = Promise.resolve(false);

  constructor(command, options, address) {
    this.#command = command;
    this.#options = options;
    this.#address = address;
  }

  /** Whether it answers; settles when it does, or when it has ended. */
  get ready() {
    return this.#ready;
  }

  /** Ends the one that runs, and starts the one that is there now. */
  restart() {
    this.#ready = this.stop().then(() => this.#start());
    return this.#ready;
  }

  /** Asks it to end, and insists after a while. */
  async stop() {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    const insist = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
    await ended;
    clearTimeout(insist);
  }

  async #start() {
    const [file, ...args] = this.#command;
    const child = spawn(file, args, this.#options);
    this.#child = child;
    let ended = false;
    child.once('exit', () => (ended = true));
    child.once('error', () => (ended = true));
    const until = performance.now() + PATIENCE_MS;
    while (!ended && performance.now() < until) {
      const answer = await fetch(this.#address).catch(() => null);
      if (answer?.ok) return !ended;
      await sleep(100);
    }
    return false;
  }
}
