import { SearchX } from 'lucide-react';
import { Button } from '../../ui/button';
import { Spinner } from '../../ui/spinner';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

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

export function BoardEmpty() {
  return (
    <div role="status" className="flex flex-col items-center gap-3 px-6 py-16 text-center text-muted">
      <SearchX className="size-8" aria-hidden="true" />
      <p>No users found matching your search criteria.</p>
    </div>
  );
}

export function BoardError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-6 py-16 text-center">
      <h2 className="text-lg font-semibold text-danger">Error</h2>
      <p className="text-muted">{message}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}
