import { LetterKeys } from './letter-keys';
import { Shown } from './states';

interface BoardFootProps {
  shown: number | undefined;
  total: number | undefined;
  letters: boolean;
  onLetters: (on: boolean) => void;
}

/** Where the rows end: how many there are, the whole board as a file, and the keys that move through it. */
export function BoardFoot({ shown, total, letters, onLetters }: BoardFootProps) {
  return (
    <div className="mt-3 flex min-h-10 flex-wrap items-center justify-between gap-x-6 gap-y-1 text-sm text-muted">
      <Shown shown={shown} total={total} />
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
