import { vi } from 'vitest';
import type { StatedCoin } from '../api/esplora';

export const MAINNET_GENESIS = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';
export const TIP = 900_000;

interface Answer {
  status?: number;
  body: unknown;
}

/** A chain on which these coins are unspent, as Esplora tells of it; `change` may give another answer. Returns the addresses that were asked. */
export function stubEsplora(coins: StatedCoin[], change: (path: string) => Answer | Error | null = () => null): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal('fetch', async (address: string) => {
    const url = new URL(address);
    asked.push(url);
    const answer = change(url.pathname) ?? answerOn(coins, url.pathname);
    if (answer instanceof Error) throw answer;
    const { status = 200, body } = answer;
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status });
  });
  return asked;
}

function answerOn(coins: StatedCoin[], path: string): Answer {
  if (path.endsWith('/blocks/tip/height')) return { body: String(TIP) };
  if (path.endsWith('/block-height/0')) return { body: MAINNET_GENESIS };
  const [, txid, spend] = /\/tx\/([0-9a-f]{64})(\/outspend\/\d+|\/outspends)?$/.exec(path) ?? [];
  const own = coins.filter((coin) => coin.txid === txid);
  if (spend === '/outspends') return { body: Array.from({ length: 1 + Math.max(...own.map((coin) => coin.vout)) }, () => ({ spent: false })) };
  // Esplora's own answer about an output that does not exist is that it is not spent.
  if (spend) return { body: { spent: false } };
  if (own.length === 0) return { status: 404, body: 'Transaction not found' };
  const vout = Array.from({ length: 1 + Math.max(...own.map((coin) => coin.vout)) }, () => ({ scriptpubkey: '6a', value: 0 }));
  for (const coin of own) vout[coin.vout] = { scriptpubkey: coin.script_pubkey, value: coin.value_sats };
  return { body: { txid, vout, status: { confirmed: true, block_height: 800_000 } } };
}

/** The block at a height of a chain with one every ten minutes, as Esplora tells of it. */
export function blockOf(height: number, first = 1_231_006_505) {
  const timestamp = first + 600 * height;
  return { id: height.toString(16).padStart(64, '0'), height, version: 0x2000_0000, timestamp, mediantime: timestamp - 3_000, tx_count: 2_000, bits: 386_000_000 };
}

/** What Esplora answers about blocks of that chain; null for any other path. */
export function answerOnBlocks(path: string, tip: number): Answer | null {
  const [, kind, of = ''] = /\/(blocks|block-height|block)\/([0-9a-f]+)$/.exec(path) ?? [];
  if (path.endsWith('/blocks/tip/height')) return { body: String(tip) };
  if (!kind || path.endsWith('/block-height/0')) return null;
  const height = kind === 'block' ? Number.parseInt(of, 16) : Number(of);
  if (height > tip) return { status: 404, body: 'Block not found' };
  if (kind === 'block-height') return { body: blockOf(height).id };
  if (kind === 'block') return { body: blockOf(height) };
  return { body: Array.from({ length: Math.min(10, height + 1) }, (_, back) => blockOf(height - back)) };
}
