import type { ReactNode } from 'react';
import { cx } from '../../lib/cx';
import { ANOTHER, checkedWords, SIGNERS, UNABLE, USUAL, type Signer } from '../../lib/signers';
import { colorOf } from '../../ui/avatar';
import type { Wallet } from '../../lib/use-wallet';

/** Letters next to one another have different colors. */
const SEEDS = 'abcdef';
/** On a phone there is room for so many. */
const ON_PHONES = 4;
const TILE =
  'relative flex min-w-0 flex-col items-center gap-1.5 rounded-xl border bg-surface px-1 py-2.5 text-xs font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-ink';
const look = (chosen: boolean) => cx(TILE, chosen ? 'border-accent shadow-[inset_0_0_0_1px_var(--accent)]' : 'border-line hover:border-line-strong');

/** Wallets by their marks, the usual ones first; the last tile has them all. */
export function WalletPicker({ wallet: { id, signer, unable, choose } }: { wallet: Wallet }) {
  const at = USUAL.findIndex((one) => one.id === id);
  const name = unable?.name ?? signer?.name;
  const all = `All ${SIGNERS.length + UNABLE.length + 1}`;
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">Which wallet or device holds your bitcoin?</legend>
      <div className="grid grid-cols-5 gap-2 sm:grid-cols-7">
        {USUAL.map((one, place) => (
          <label key={one.id} className={cx(look(one.id === id), place >= ON_PHONES && 'max-sm:hidden')}>
            <input type="radio" name="wallet" className="sr-only" checked={one.id === id} onChange={() => choose(one.id)} />
            <Mark seed={SEEDS.charAt(place)}>{one.name.slice(0, 2)}</Mark>
            <span className="w-full truncate text-center">{one.name.replace('Bitcoin Core', 'Core')}</span>
          </label>
        ))}
        <div className={cx(look(id !== null && at === -1), at >= ON_PHONES && 'max-sm:border-accent')}>
          <Mark seed="">•••</Mark>
          <span className="w-full truncate text-center sm:hidden">{id !== null && (at === -1 || at >= ON_PHONES) ? name : all}</span>
          <span className="w-full truncate text-center max-sm:hidden">{id !== null && at === -1 ? name : all}</span>
          <select
            aria-label="All wallets"
            value={id ?? ''}
            onChange={(event) => choose(event.target.value)}
            className="absolute inset-0 w-full cursor-pointer opacity-0"
          >
            <option value="" disabled>
              Choose your wallet or device
            </option>
            <optgroup label="Programs">{optionsOf(SIGNERS.filter(({ kind }) => kind === 'program'))}</optgroup>
            <optgroup label="Devices">{optionsOf(SIGNERS.filter(({ kind }) => kind === 'device'))}</optgroup>
            <optgroup label="Others">{optionsOf([...UNABLE, ANOTHER])}</optgroup>
          </select>
        </div>
      </div>
    </fieldset>
  );
}

function optionsOf(wallets: { id: string; name: string }[]) {
  return wallets.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));
}

/** Two letters on a color: nobody's trademark. */
function Mark({ seed, children }: { seed: string; children: ReactNode }) {
  return (
    <span aria-hidden="true" className={cx('grid size-8 place-items-center rounded-lg text-[0.8125rem] font-bold', seed === '' ? 'bg-raised text-muted' : colorOf(seed))}>
      {children}
    </span>
  );
}

/** What the actions below are for, and how they are known. */
export function StepsHead({ signer, children }: { signer: Signer; children: ReactNode }) {
  return (
    <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
      <h3 className="font-semibold">{children}</h3>
      <CheckedLine {...signer} />
    </div>
  );
}

/** How a row of the table is known, with its source. */
export function CheckedLine({ checked, source }: Pick<Signer, 'checked' | 'source'>) {
  if (!checked) return null;
  return (
    <p className="text-xs text-muted">
      {checkedWords(checked)}{' '}
      <a href={source} target="_blank" rel="noreferrer" className="rounded underline underline-offset-3">
        Source
      </a>
    </p>
  );
}
