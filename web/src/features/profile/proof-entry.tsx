import { FileText } from 'lucide-react';
import type { Proof } from '../../api/types';
import { cx } from '../../lib/cx';
import { formatBtc, formatDate } from '../../lib/format';
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
    <li className="py-4 text-sm first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-1.5 font-semibold">
            <h3 className="num">Proof #{number}</h3>
            <span className={cx(active ? 'text-positive' : ended === 'Replaced' ? 'text-muted' : 'text-danger')}>{ended}</span>
            {proof.binding === 'unbound' && <span className="text-warning">Unbound</span>}
            <Tooltip label={`File: ${proof.file_name}`} text={proof.file_name} className="grid size-6 place-items-center rounded text-muted hover:text-ink">
              <FileText className="size-4" aria-hidden="true" />
            </Tooltip>
          </div>
          <p className="text-muted">
            {statusLabel(proof.status)} · Verified <time dateTime={proof.created_at}>{formatDate(proof.created_at)}</time>
          </p>
        </div>
        <div className="sm:text-right">
          <p className="num font-semibold">
            <span className="sr-only">Amount </span>
            {formatBtc(proof.bitcoin_amount)} BTC
          </p>
          <p className="text-muted">
            {end.label} <time dateTime={end.at}>{formatDate(end.at)}</time>
          </p>
        </div>
      </div>
      {active && <Publication proof={proof} />}
      {note && <p className="mt-2 text-muted">{note}</p>}
    </li>
  );
}
