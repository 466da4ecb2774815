// An Esplora server, as `psbt-wasm verify` asks it: about each transaction, output and block once.

import { findDate } from './node.js';
import { Falsehood, Unchecked } from './cli-words.js';

/** Requests under way at once. */
const AT_ONCE = 6;

/** How often a server that wants fewer requests is asked again, and the longest wait for that, in seconds. */
const TRIES = 5;
const LONGEST_WAIT = 30;

/** How often everything is asked again because a block arrived that replaces others. */
const ATTEMPTS = 3;

const isHeight = (value) => Number.isSafeInteger(value) && value >= 0;

export class Esplora {
  #asked = new Map();
  #bounds = null;

  /** @param base its address, without a slash at its end */
  constructor(base) {
    this.base = base;
    this.host = new URL(base).host;
  }

  #odd = () => new Unchecked(`${this.host} does not answer as Esplora does.`);

  /** The answer to a path; null when there is none. */
  async #fetch(path) {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(`${this.base}/${path}`, { signal: AbortSignal.timeout(20_000), redirect: 'error' }).catch(() => null);
      if (!answer) throw new Unchecked(`${this.host} does not answer.`);
      if (answer.status === 404) return null;
      if (answer.ok) return (await answer.text()).trim();
      const wait = Number(answer.headers.get('retry-after') ?? attempt);
      if (answer.status !== 429 || attempt === TRIES || !(wait <= LONGEST_WAIT)) {
        throw new Unchecked(`${this.host} answered with status ${answer.status}.`);
      }
      await new Promise((resolve) => setTimeout(resolve, wait * 1000));
    }
  }

  async #json(path) {
    const answer = await this.#fetch(path);
    try {
      return JSON.parse(answer ?? 'null');
    } catch {
      throw this.#odd();
    }
  }

  /** What `path` answered, also if it was asked before. */
  #once(path) {
    if (!this.#asked.has(path)) this.#asked.set(path, this.#json(path));
    return this.#asked.get(path);
  }

  /** Refuses a server of another chain. */
  async requireGenesis(genesis) {
    if ((await this.hashAt(0)) !== genesis) throw new Unchecked(`${this.host} knows another chain than the one that the proof is about.`);
  }

  hashAt(height) {
    return this.#fetch(`block-height/${height}`);
  }

  async #tip() {
    const height = Number((await this.#fetch('blocks/tip/height')) || 'none');
    if (!isHeight(height)) throw this.#odd();
    return height;
  }

  /** The block at a height, and some below it. */
  async #blocksAt(height) {
    const listed = await this.#json(`blocks/${height}`);
    const blocks = Array.isArray(listed) ? listed : [await this.#json(`block/${await this.hashAt(height)}`)];
    const known = blocks.map((block) => ({ height: block?.height, hash: block?.id, time: block?.timestamp, medianTime: block?.mediantime }));
    const isBlock = ({ height, hash, time, medianTime }) => [height, time, medianTime].every(isHeight) && typeof hash === 'string';
    if (!known.every(isBlock) || !known.some((block) => block.height === height)) throw this.#odd();
    return known;
  }

  /** When a coin was funded and spent. Throws when it is not what the proof states. */
  async #history({ txid, vout, value_sats: sats, script_pubkey: script }) {
    const funding = await this.#once(`tx/${txid}`);
    const output = funding?.vout?.[vout];
    if (!output) throw new Falsehood(`${this.host} does not know the coin ${txid}:${vout}.`);
    if (output.value !== sats || output.scriptpubkey !== script) throw new Falsehood(`The coin ${txid}:${vout} has another value or script.`);
    if (funding.status?.confirmed !== true) return { funded: null, spent: null };
    const spend = await this.#once(`tx/${txid}/outspend/${vout}`);
    if (typeof spend?.spent !== 'boolean') throw this.#odd();
    const { block_height: funded } = funding.status;
    const { confirmed, block_height: spent } = (spend.spent && spend.status) || {};
    return { funded: isHeight(funded) ? funded : 'unknown', spent: confirmed !== true ? null : isHeight(spent) ? spent : 'unknown' };
  }

  /** The histories of coins, so many at once. */
  async #histories(coins) {
    const histories = new Array(coins.length);
    const waiting = coins.map((coin, at) => [at, coin]).reverse();
    const work = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const [at, coin] = next;
        histories[at] = await this.#history(coin);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return histories;
  }

  /**
   * Its newest height, the heights of coins, whether it has the block of the proof, and the bounds of the instant, if one is given: all of
   * one chain.
   */
  async lookUp({ coins, block, time }) {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const tip = await this.#tip();
      if (time !== null) this.#bounds ??= await findDate(time, tip, (height) => this.#blocksAt(height));
      const bounds = this.#bounds;
      const histories = await this.#histories(coins);
      if (time !== null && histories.some(({ funded }) => funded === 'unknown')) throw this.#odd();
      const isDated = block.height !== 0 && (await this.hashAt(block.height)) === block.hash;
      const heights = [bounds?.lower, bounds?.upper].filter(Boolean);
      const hashes = await Promise.all(heights.map(({ height }) => this.hashAt(height)));
      // A reorganization moves spends and blocks.
      if (heights.every(({ hash }, at) => hash === hashes[at])) return { host: this.host, tip, bounds, histories, isDated };
      this.#asked.clear();
      this.#bounds = null;
    }
    throw new Unchecked(`${this.host} has replaced blocks again and again. Check again later.`);
  }
}
