import { cx } from '../../lib/cx';
import { Button, ButtonLink } from '../../ui/button';
import { Spinner } from '../../ui/spinner';
import { RowSkeleton } from './entry-row';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

/** The table's skeleton while the first page loads. */
export function BoardLoading() {
  return (
    <div className="min-h-svh border-t border-line">
      <p role="status" className="flex h-10 items-center gap-3 px-5 text-sm text-muted">
        <Spinner />
        Loading leaderboard...
      </p>
      <div aria-hidden="true" className="animate-pulse">
        {ROWS.map((row) => (
          <div key={row} className="h-14 content-center border-t border-line px-5 lg:h-10">
            <RowSkeleton />
          </div>
        ))}
      </div>
    </div>
  );
}

const STATE = 'flex min-h-[24rem] flex-col items-center justify-center gap-3 border-t border-line px-6 text-center';

/** No rows on the board, or none that match the search and the filter. */
export function BoardEmpty({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div role="status" className={cx(STATE, 'text-muted')}>
      <p>{filtered ? 'No users found matching your search criteria.' : 'Be the first.'}</p>
      {!filtered && <ButtonLink to="/upload">Verify your bitcoin</ButtonLink>}
      {filtered && (
        <Button look="secondary" onClick={onClear}>
          Show Everyone
        </Button>
      )}
    </div>
  );
}

export function BoardError({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div role="alert" className={STATE}>
      <h2 className="text-lg font-semibold text-danger">Error</h2>
      <p className="text-muted">{message}</p>
      <Button onClick={onRetry}>Try Again</Button>
    </div>
  );
}
