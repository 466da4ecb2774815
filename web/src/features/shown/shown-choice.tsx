import { useId, useState, type ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { profileQuery } from '../../api/queries';
import type { Profile, ShownAs } from '../../api/types';
import { cx } from '../../lib/cx';
import { amountWords } from '../../lib/shown';
import { Failure } from '../../ui/failure';
import { useShownAs } from './use-shown-as';
import { later } from '../../ui/later';

const ConfirmDialog = later(() => import('../../ui/confirm-dialog'));

/** Chooses between the exact total and a range, with the price of each. Applies at once. */
export function ShownChoice({ userId }: { userId: string }) {
  const { data: profile } = useQuery(profileQuery(userId));
  return profile ? <Choice profile={profile} /> : null;
}

function Choice({ profile }: { profile: Profile }) {
  const [asking, setAsking] = useState<ShownAs | null>(null);
  // Set with the press: the mutation's own state follows a moment later.
  const [storing, setStoring] = useState<ShownAs | null>(null);
  const change = useShownAs(profile);
  const published = profile.published_sats !== null;
  const chosen = storing ?? profile.shown_as;
  const store = (shownAs: ShownAs) => {
    setStoring(shownAs);
    change.mutate(shownAs, { onSettled: () => setStoring(null) });
  };
  const choose = (shownAs: ShownAs) => {
    if (storing || shownAs === profile.shown_as) return;
    // What was shown once stays known, so a stray key must not show it.
    if (shownAs === 'range' ? published : profile.verified) setAsking(shownAs);
    else store(shownAs);
  };
  const amount = (shown_as: ShownAs) => profile.verified && `${amountWords({ ...profile, shown_as })} BTC`;
  return (
    <fieldset className="min-w-0">
      <legend className="text-lg font-semibold">What others see of your total</legend>
      <div className="mt-4 grid gap-3 sm:max-lg:grid-cols-2">
        <Option value="exact" chosen={chosen} onChoose={choose} title="The exact total" amount={amount('exact')}>
          Your best rank. An exact amount can be matched to coins on the chain, and tells thieves what you have.
        </Option>
        <Option value="range" chosen={chosen} onChoose={choose} title="Only a range" amount={amount('range') || 'such as at least 1 BTC'}>
          You share one rank with everyone in your tier who hides the amount. Your dates are hidden too, and proofs can’t be published.
        </Option>
      </div>
      <p className="mt-3 text-sm text-muted">
        Changes apply at once. What was public before (log, published proofs, copies) stays public.
      </p>
      <Failure error={change.error} fallback="Couldn’t save your choice. Try again." className="mt-3" />
      {asking && (
        <ConfirmDialog
          {...(asking === 'range' ? UNPUBLISH : { ...SHOW, text: showText(amountWords({ ...profile, shown_as: 'exact' })) })}
          onCancel={() => setAsking(null)}
          onConfirm={() => {
            setAsking(null);
            store(asking);
          }}
        />
      )}
    </fieldset>
  );
}

const SHOW = { title: 'Show the exact total?', confirmLabel: 'Show it' };
const showText = (total: string) =>
  `Everyone will see ${total} BTC. You can’t take that back: copies stay.`;

const UNPUBLISH = {
  title: 'Unpublish your proofs?',
  text: 'Published proofs show their coins, which a range would hide. Your proofs still count. Copies others made stay.',
  confirmLabel: 'Unpublish and show a range',
};

interface OptionProps {
  value: ShownAs;
  chosen: ShownAs;
  onChoose: (value: ShownAs) => void;
  title: string;
  /** The amount in the row. */
  amount: string | false;
  children: ReactNode;
}

function Option({ value, chosen, onChoose, title, amount, children }: OptionProps) {
  const [name, costs] = [useId(), useId()];
  const isChosen = value === chosen;
  return (
    <label
      className={cx(
        'flex cursor-pointer gap-3 rounded-xl border p-4 has-focus-visible:outline-2 has-focus-visible:outline-accent',
        isChosen ? 'border-accent bg-accent-soft' : 'border-line-strong hover:bg-raised',
      )}
    >
      <input
        type="radio"
        value={value}
        checked={isChosen}
        aria-labelledby={name}
        aria-describedby={costs}
        onChange={() => onChoose(value)}
        className="mt-1 size-4 shrink-0 accent-accent"
      />
      <span className="min-w-0 text-sm">
        <span id={name} className="block font-semibold">
          {title}{' '}
          {amount && <span className="num mt-0.5 block font-medium text-muted">{amount}</span>}
        </span>
        <span id={costs} className="mt-1.5 block text-muted">
          {children}
        </span>
      </span>
    </label>
  );
}
