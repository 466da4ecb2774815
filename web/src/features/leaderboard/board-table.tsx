import type { Profile } from '../../api/types';
import { cx } from '../../lib/cx';
import { EntryRow } from './entry-row';

const COLUMNS = [
  { label: 'Rank', className: 'pl-6 pr-2' },
  { label: 'User', className: 'px-3' },
  { label: 'Bitcoin', className: 'px-3 text-right' },
  { label: 'USD Value', className: 'px-3 text-right' },
  { label: 'Status', className: 'px-3' },
  { label: 'Profile', className: 'pl-3 pr-6 text-right' },
];

interface BoardTableProps {
  entries: Profile[];
  price: number | null;
  currentUserId: string | null;
  /** The name that a shared link leads to. */
  target: string;
  /** Older rows are on show while newer ones are fetched. */
  stale: boolean;
}

export function BoardTable({ entries, price, currentUserId, target, stale }: BoardTableProps) {
  return (
    <table role="table" aria-label="Bitcoin Leaderboard" className={cx('block w-full md:table', stale && 'opacity-60')}>
      <thead role="rowgroup" className="sr-only md:not-sr-only md:table-header-group">
        <tr role="row" className="border-b border-line text-left text-xs font-semibold tracking-wide text-muted uppercase">
          {COLUMNS.map(({ label, className }) => (
            <th key={label} role="columnheader" scope="col" className={cx('py-3', className)}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="block md:table-row-group">
        {entries.map((entry) => (
          <EntryRow
            key={entry.id}
            entry={entry}
            price={price}
            isYou={entry.id === currentUserId}
            isTarget={target !== '' && entry.username === target}
          />
        ))}
      </tbody>
    </table>
  );
}
