import { useId } from 'react';
import { ChevronDown } from 'lucide-react';
import NAMES from 'wallet-names';
import type { Wallet } from '../../lib/use-wallet';

/** All wallets by their names. */
export function WalletPicker({ wallet: { id, choose } }: { wallet: Wallet }) {
  const field = useId();
  return (
    <div className="relative flex h-14 items-center rounded-xl border border-line-strong bg-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink">
      <label htmlFor={field} className="pointer-events-none shrink-0 pl-4 text-muted">
        My wallet is
      </label>
      <select
        id={field}
        value={id ?? ''}
        onChange={({ target }) => choose(target.value)}
        className="h-full min-w-0 flex-1 cursor-pointer appearance-none truncate rounded-xl bg-transparent pr-10 pl-2 font-medium text-ink outline-none"
      >
        <option value="" disabled>
          …
        </option>
        <optgroup label="Programs">{optionsOf(({ id: one, kind }) => kind === 'program' && one !== ANOTHER)}</optgroup>
        <optgroup label="Devices">{optionsOf(({ kind }) => kind === 'device')}</optgroup>
        <optgroup label="Others">
          {optionsOf(({ kind }) => kind === undefined)}
          {optionsOf(({ id: one }) => one === ANOTHER)}
        </optgroup>
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-4 size-5 text-muted" />
    </div>
  );
}

/** The row of the table for a wallet that has none. */
const ANOTHER = 'another';

function optionsOf(belongs: (wallet: (typeof NAMES)[number]) => boolean) {
  return NAMES.filter(belongs).map(({ id, name }) => (
    <option key={id} value={id} className="bg-surface text-ink">
      {name}
    </option>
  ));
}
