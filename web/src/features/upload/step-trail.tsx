import { Check } from 'lucide-react';
import { cx } from '../../lib/cx';

export const STEPS = ['Your coins', 'Sign', 'Prove'] as const;

/** Where one is on the way from a wallet to a rank; `now` counts from 0, and is past the last when all is done. */
export function StepTrail({ now }: { now: number }) {
  return (
    <ol aria-label="Steps" className="flex gap-2 text-sm sm:gap-3">
      {STEPS.map((name, index) => {
        const past = index < now;
        const here = index === now;
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className={cx(
              'flex flex-1 items-center gap-2 border-t-4 pt-2.5 font-semibold',
              here || past ? 'border-accent text-ink' : 'border-line text-muted',
            )}
          >
            <span
              className={cx(
                'num grid size-6 shrink-0 place-items-center rounded-full text-xs',
                here || past ? 'bg-accent text-on-accent' : 'bg-raised text-muted',
              )}
            >
              {past ? <Check className="size-3.5" aria-hidden="true" /> : index + 1}
            </span>
            {name}
            {past && <span className="sr-only"> (done)</span>}
          </li>
        );
      })}
    </ol>
  );
}
