import { FileText } from 'lucide-react';
import type { Proof } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatBtc, formatDate } from '../../lib/format';
import { Badge } from '../../ui/badge';
import { Fact } from '../../ui/fact';
import { Publication } from './publication';
import { Tooltip } from '../../ui/tooltip';
import { endedNote, standing, statusLabel } from './history';

/** One proof of the timeline. */
export function ProofEntry({ number, proof }: { number: number; proof: Proof }) {
  const { active } = proof;
  const ended = standing(proof);
  // What ended before its time has no use for the day on which it would have.
  const end = proof.ended_at !== null && ended !== 'Expired' ? { label: 'Ended', at: proof.ended_at } : { label: 'Expires', at: proof.expires_at };
  const note = endedNote(proof);
  return (
    <li className="relative">
      <span
        aria-hidden="true"
        className={cx(
          'absolute top-5 -left-[1.9rem] size-3 rounded-full border-2 border-surface',
          active ? 'bg-accent' : 'bg-line-strong',
        )}
      />
      <div className="rounded-xl border border-line p-4">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="mr-auto flex items-center gap-1.5 font-semibold">
            <span className="num">Proof #{number}</span>
            <Tooltip label={`File: ${proof.file_name}`} text={proof.file_name} className="grid size-7 place-items-center rounded text-muted hover:text-ink">
              <FileText className="size-4" aria-hidden="true" />
            </Tooltip>
          </h3>
          <Badge tone={active ? 'positive' : ended === 'Replaced' ? 'neutral' : 'danger'}>{ended}</Badge>
          <Badge>{statusLabel(proof.status)}</Badge>
          {proof.binding === 'unbound' && <Badge tone="warning">Unbound</Badge>}
          {proof.published && <Badge tone="accent">Published</Badge>}
        </div>
        <dl className="mt-3 grid gap-3 text-sm sm:grid-cols-3">
          <Fact label="Amount">
            <span className="num font-semibold">{formatBtc(proof.bitcoin_amount)} BTC</span>
          </Fact>
          <Fact label="Verified">
            <time dateTime={proof.created_at}>{formatDate(proof.created_at)}</time>
          </Fact>
          <Fact label={end.label}>
            <time dateTime={end.at}>{formatDate(end.at)}</time>
          </Fact>
        </dl>
        {active && <Publication proof={proof} />}
        {note && <p className="mt-3 text-sm text-muted">{note}</p>}
      </div>
    </li>
  );
}
