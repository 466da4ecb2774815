import type { CoinState } from '../../api/esplora';
import { formatSats, shorten } from '../../lib/format';
import type { ProofCheck, PsbtReport } from '../../psbt';
import { Badge, type Tone } from '../../ui/badge';
import { LongList } from '../../ui/long-list';
import { AT_DATE } from './at-date';
import { keyOf, outpointOf } from './coins';
import { conditionText } from './conditions';
import type { Asked } from './judge';
import { coinsOf, type Evidence, type PublishedProof } from './proof';

const STATES: Record<CoinState, { tone: Tone; word: string }> = {
  unspent: { tone: 'positive', word: 'Unspent' },
  leaving: { tone: 'positive', word: 'Unspent, a spending waits' },
  spent: { tone: 'warning', word: 'Spent' },
  unconfirmed: { tone: 'warning', word: 'In no block yet' },
  missing: { tone: 'danger', word: 'Not there' },
  locked: { tone: 'warning', word: 'Still locked' },
  differs: { tone: 'danger', word: 'Another value or script' },
};

interface CoinTableProps {
  proof: Evidence | PublishedProof;
  report: PsbtReport;
  /** What the scripts ask for, for each input. */
  conditions: ProofCheck['conditions'];
  asked: Asked | null;
  /** Whether the board has said it: what counts is its word alone. */
  fromBoard?: boolean;
}

/** The coins of a proof, and what the chain source says of each. */
export function CoinTable({ proof, report, conditions, asked, fromBoard = false }: CoinTableProps) {
  const coins = coinsOf(proof);
  const virtual = proof.inputs.length - coins.length;
  return (
    <LongList
      noun="coin"
      items={coins}
      className="divide-y divide-line"
      render={(coin, index) => {
        const state = asked?.states.get(keyOf(coin));
        const atDate = asked?.at?.verdict.coins[index];
        const label = atDate ? AT_DATE[atDate] : state && STATES[state];
        return (
          <li key={outpointOf(coin)} className="space-y-1 py-3 text-sm first:pt-0 last:pb-0">
            <p className="flex items-baseline justify-between gap-4">
              <span className="num text-muted">#{index + 1}</span>
              <span className="num font-semibold whitespace-nowrap">{formatSats(coin.value_sats)} BTC</span>
            </p>
            <p className="font-mono text-[0.8125rem] [overflow-wrap:anywhere]">{report.inputs[index + virtual]?.address ?? 'No address'}</p>
            <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-xs text-muted">
              <span className="font-mono" title={outpointOf(coin)}>
                {shorten(coin.txid)}:{coin.vout}
              </span>
              {label && <Badge tone={label.tone}>{label.word}</Badge>}
              <span>{conditionText(conditions?.[index + virtual])}</span>
              {fromBoard && 'counts' in coin && <span>{coin.counts ? 'Counts on the board' : 'Does not count on the board'}</span>}
            </p>
          </li>
        );
      }}
    />
  );
}
