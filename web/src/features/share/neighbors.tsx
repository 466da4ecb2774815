import { useQuery } from '@tanstack/react-query';
import { BOARD_PAGE, boardPageQuery, EVERYBODY } from '../../api/board';
import { profileQuery } from '../../api/queries';
import { cx } from '../../lib/cx';
import { formatCount } from '../../lib/format';
import { displayName, initial } from '../../lib/names';
import { ownPicture } from '../../lib/picture';
import { bitcoinWords } from '../../lib/shown';
import { Avatar } from '../../ui/avatar';

/** How many rows are shown: the holder's own, and those above and below it. */
const ROWS = 3;

/** After a success: the ranks around the holder's own, which show that it is there. Nothing until it is. */
export function Neighbors({ userId }: { userId: string }) {
  const rank = useQuery(profileQuery(userId)).data?.rank ?? null;
  const page = Math.floor(((rank ?? 1) - 1) / BOARD_PAGE);
  const rows = useQuery({ ...boardPageQuery(EVERYBODY, page), enabled: rank !== null }).data?.rows.filter((row) => row.rank !== null) ?? [];
  const own = rows.findIndex(({ id }) => id === userId);
  if (own === -1 || rows.length < 2) return null;
  const first = Math.max(0, Math.min(own - 1, rows.length - ROWS));
  return (
    <ol aria-label="Your row on the board" className="h-fit overflow-hidden rounded-card border border-line bg-surface text-sm shadow-card">
      {rows.slice(first, first + ROWS).map((row) => {
        const isYou = row.id === userId;
        return (
          <li key={row.id} className={cx('flex h-12 items-center gap-3 border-t border-line px-4 first:border-t-0 max-[24rem]:gap-2 sm:px-5', isYou && 'bg-accent-soft shadow-[inset_3px_0_var(--accent)]')}>
            <span className={cx('num min-w-8 sm:min-w-10', isYou ? 'font-semibold' : 'text-muted')}>#{formatCount(row.rank ?? 0)}</span>
            <span className="max-[24rem]:hidden">
              <Avatar picture={ownPicture(row.avatar_url)} initial={initial(row.username)} seed={row.id} size="tiny" />
            </span>
            <span className="flex min-w-0 flex-1 gap-1.5">
              <bdi className={cx('truncate', isYou && 'font-semibold')}>{displayName(row)}</bdi>
              {isYou && <span className="shrink-0 text-muted">(you)</span>}
            </span>
            <span className={cx('num whitespace-nowrap', isYou && 'font-semibold')}>{bitcoinWords(row)}</span>
          </li>
        );
      })}
    </ol>
  );
}
