import { useId, type ReactNode } from 'react';
import { ChevronDown } from 'lucide-react';
import { ANOTHER, checkedWords, SIGNERS, UNABLE, type Signer } from '../../lib/signers';
import type { Wallet } from '../../lib/use-wallet';
import { DocumentLink } from '../../ui/text-link';

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
        <optgroup label="Programs">{optionsOf(SIGNERS.filter(({ kind }) => kind === 'program'))}</optgroup>
        <optgroup label="Devices">{optionsOf(SIGNERS.filter(({ kind }) => kind === 'device'))}</optgroup>
        <optgroup label="Others">{optionsOf([...UNABLE, ANOTHER])}</optgroup>
      </select>
      <ChevronDown aria-hidden="true" className="pointer-events-none absolute right-4 size-5 text-muted" />
    </div>
  );
}

function optionsOf(wallets: { id: string; name: string }[]) {
  return wallets.map(({ id, name }) => (
    <option key={id} value={id} className="bg-surface text-ink">
      {name}
    </option>
  ));
}

/** What the actions below are for. */
export function StepsHead({ children }: { children: ReactNode }) {
  return <h3 className="sr-only">{children}</h3>;
}

/** How a row of the table is known, with its source. */
export function CheckedLine({ checked, source }: Pick<Signer, 'checked' | 'source'>) {
  if (!checked || !source) return null;
  return (
    <p className="text-xs text-muted">
      {checkedWords(checked)} <DocumentLink to={source}>Source</DocumentLink>
    </p>
  );
}
