import { Fragment } from 'react';
import { ArrowRight, CircleCheck, FileLock2, type LucideIcon, PenLine, Wallet } from 'lucide-react';
import { cx } from '../../lib/cx';

const STOPS: [LucideIcon, name: string, note: string, color?: string][] = [
  [Wallet, 'Export from your wallet', 'not signed'],
  [FileLock2, 'We make a locked copy', 'in your browser'],
  [PenLine, 'You sign the copy', 'nothing moves'],
  [CircleCheck, 'You’re verified', '', 'text-positive'],
];

/** What happens to the coins' file, in one drawing. */
export function Way() {
  return (
    <ol aria-label="What happens" className="flex items-start justify-between gap-1 py-2 text-center text-xs/4.5 font-medium sm:text-sm">
      {STOPS.map(([Icon, name, note, color], at) => (
        <Fragment key={name}>
          {at > 0 && (
            <li aria-hidden="true" className="mt-1.5 shrink-0 text-muted max-[22rem]:hidden">
              <ArrowRight className="size-4" />
            </li>
          )}
          <li className="min-w-0 flex-1">
            <Icon aria-hidden="true" className={cx('mx-auto mb-1.5 size-7', color)} strokeWidth={1.6} />
            {name}
            {note && <span className="block text-[0.8125rem] font-normal text-muted max-sm:hidden">{note}</span>}
          </li>
        </Fragment>
      ))}
    </ol>
  );
}
