import { useId } from 'react';
import { TextLink } from '../../ui/text-link';

interface PublishChoiceProps {
  /** Whether the file carries the statement; only then can it be published. */
  bound: boolean;
  /** Whether others see only a range of the total. */
  ranged?: boolean;
  message: boolean;
  checked: boolean;
  disabled: boolean;
  onChange: (publish: boolean) => void;
}

/** Whether the proof is published with it, and what that costs. Off unless somebody wants it. */
export function PublishChoice({ bound, ranged = false, message, checked, disabled, onChange }: PublishChoiceProps) {
  const id = useId();
  return (
    <section className="enter rounded-card border border-line bg-surface p-5 text-sm shadow-card sm:p-6">
      <label className="flex items-start gap-3 text-base font-semibold">
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0 accent-accent-ink"
          checked={checked && bound && !ranged}
          disabled={disabled || !bound || ranged}
          aria-describedby={id}
          onChange={(event) => onChange(event.target.checked)}
        />
        Publish this proof, so that anybody can check it
      </label>
      <div id={id} className="mt-2 space-y-2 pl-8 text-muted">
        {ranged && <p>You have chosen that others see only a range of your total. A published proof shows its coins: choose the exact total below first.</p>}
        {bound ? (
          <>
            <p>
              Then nobody needs to trust this site about these coins. What it costs: the coins, where they came from and where they go
              are tied to your name for ever. You can withdraw it here at any time, but copies that others have made cannot be called back.
              Without it, the server keeps amounts, and shows your total alone.
            </p>
            {message ? (
              <p>This file is a signed message, which is the better form to publish: it is no transaction on any chain.</p>
            ) : (
              <p>
                A signed message is the better form to publish, because it is no transaction on any chain. If your wallet can sign one, choose it
                when the file to sign is made. <TextLink to="/how-it-works">How It Works</TextLink> says which can.
              </p>
            )}
          </>
        ) : (
          <p>Only a proof that carries your statement can be published: this file could be one that somebody broadcasts.</p>
        )}
      </div>
    </section>
  );
}
