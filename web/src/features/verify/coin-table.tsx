import { useState } from 'react';
import type { CoinState } from '../../api/esplora';
import { formatCount, formatSats, shorten } from '../../lib/format';
import type { PsbtReport } from '../../psbt';
import { Badge, type Tone } from '../../ui/badge';
import { Button } from '../../ui/button';
import { keyOf, type States } from './coins';
import { coinsOf, type Evidence, type PublishedProof } from './proof';

/** Rows that show at once. */
const FIRST_ROWS = 20;

const STATES: Record<CoinState, { tone: Tone; word: string }> = {
  unspent: { tone: 'positive', word: 'Unspent' },
  leaving: { tone: 'positive', word: 'Unspent, a spending waits' },
  spent: { tone: 'warning', word: 'Spent' },
  unconfirmed: { tone: 'warning', word: 'In no block yet' },
  missing: { tone: 'danger', word: 'Not there' },
  locked: { tone: 'warning', word: 'Still locked' },
  differs: { tone: 'danger', word: 'Another value or script' },
};

/** The coins of a proof, and what the chain source says of each. */
export function CoinTable({ proof, report, states }: { proof: Evidence | PublishedProof; report: PsbtReport; states: States | null }) {
  const [all, setAll] = useState(false);
  const coins = coinsOf(proof);
  const shown = all ? coins : coins.slice(0, FIRST_ROWS);
  const virtual = proof.inputs.length - coins.length;
  return (
    <>
      <ol className="divide-y divide-line rounded-xl border border-line">
        {shown.map((coin, index) => {
          const state = states?.get(keyOf(coin));
          return (
            <li key={keyOf(coin)} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 py-3 text-sm">
              <span className="num w-6 text-muted">#{index + 1}</span>
              <span className="min-w-0 flex-1 basis-56 font-mono [overflow-wrap:anywhere]">{report.inputs[index + virtual]?.address ?? 'No address'}</span>
              <span className="num ml-auto font-semibold whitespace-nowrap">{formatSats(coin.value_sats)} BTC</span>
              <span className="flex basis-full flex-wrap items-center gap-x-4 gap-y-1 pl-10 text-xs text-muted">
                <span className="font-mono" title={keyOf(coin)}>
                  {shorten(coin.txid)}:{coin.vout}
                </span>
                {state && <Badge tone={STATES[state].tone}>{STATES[state].word}</Badge>}
                {'counts' in coin && <span>{coin.counts ? 'Counts on the board' : 'Does not count on the board'}</span>}
              </span>
            </li>
          );
        })}
      </ol>
      {shown.length < coins.length && (
        <Button look="ghost" className="mt-2" onClick={() => setAll(true)}>
          Show all {formatCount(coins.length)} coins
        </Button>
      )}
    </>
  );
}
