import { formatCount } from '../../lib/format';
import { LetterKeys } from './letter-keys';
import { Shown } from './states';
import { MOST_ROWS } from './use-window';

interface BoardFootProps {
  shown: number | undefined;
  total: number | undefined;
  letters: boolean;
  onLetters: (on: boolean) => void;
}

/** Below the rows: their number, the board as a file, and the keyboard shortcuts. */
export function BoardFoot({ shown, total, letters, onLetters }: BoardFootProps) {
  return (
    <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-muted">
      <div>
        <Shown shown={shown} total={total} />
        {(shown ?? 0) > MOST_ROWS && <p>Only the first {formatCount(MOST_ROWS)} are listed. Search to find the others.</p>}
      </div>
      <p className="print:hidden">
        The whole board:{' '}
        <a className="rounded font-semibold text-accent-ink hover:underline" href="/api/functions/v1/board.csv" download>
          CSV
        </a>{' '}
        <a className="ml-2 rounded font-semibold text-accent-ink hover:underline" href="/api/functions/v1/board.json" download>
          JSON
        </a>
      </p>
      <LetterKeys on={letters} onChange={onLetters} />
    </div>
  );
}
