import { SearchX } from 'lucide-react';
import type { BoardPlace } from '../../api/board';
import { formatCount } from '../../lib/format';
import { displayName } from '../../lib/names';
import { Button } from '../../ui/button';
import { useWords } from '../../ui/places';
import { Spinner } from '../../ui/spinner';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** The table's outline while the first page is on its way. */
export function BoardLoading() {
  return (
    <div>
      <p role="status" className="flex items-center gap-3 px-6 py-5 text-muted">
        <Spinner />
        Loading leaderboard...
      </p>
      <div aria-hidden="true" className="animate-pulse">
        {ROWS.map((row) => (
          <div key={row} className="flex items-center gap-4 border-t border-line px-6 py-4">
            <span className="h-4 w-8 rounded bg-raised" />
            <span className="size-10 rounded-full bg-raised" />
            <span className="h-4 w-40 max-w-[30%] rounded bg-raised" />
            <span className="ml-auto h-4 w-28 rounded bg-raised" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Nobody is on the board, or nobody whom the search and the filter let through. */
export function BoardEmpty({ filtered }: { filtered: boolean }) {
  return (
    <div role="status" className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center text-muted">
      <SearchX className="size-8" aria-hidden="true" />
      <p>{filtered ? 'No users found matching your search criteria.' : 'Nobody is on the board yet.'}</p>
    </div>
  );
}

export function BoardError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center">
      <h2 className="text-lg font-semibold text-danger">Error</h2>
      <p className="text-muted">{message}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}

/** 'Showing N of M users'; nothing until both are known. */
export function Shown({ shown, total }: { shown: number | undefined; total: number | undefined }) {
  const words = useWords(() => ({ shown: formatCount(shown ?? 0), total: formatCount(total ?? 0) }));
  return (
    <p role="status" className="num">
      {shown !== undefined && total !== undefined && `Showing ${words.shown} of ${words.total} users`}
    </p>
  );
}

/** The answer to a shared link; `place` is null when nobody has the name, undefined while it is looked up. */
export function PlaceNote({ name, place }: { name: string; place: BoardPlace | null | undefined }) {
  return <p role="status">{place !== undefined && placeSentence(name, place)}</p>;
}

function placeSentence(name: string, place: BoardPlace | null): string {
  if (!place) return `Nobody on the leaderboard is called ${name}.`;
  const who = displayName(place.entry);
  return place.entry.rank === null ? `${who} has no verified holdings at present.` : `${who} has rank #${formatCount(place.entry.rank)}.`;
}
