import { Check } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { cx } from '../../lib/cx';
import type { Stage } from './stage';

export const STEPS = ['Coins', 'Sign', 'Verify'] as const;

/** Where one is on the way from a wallet to a rank; `now` counts from 0, and is past the last when all is done. */
export function StepTrail({ now, steps = STEPS }: { now: number; steps?: readonly string[] }) {
  return (
    <ol aria-label="Steps" className="mt-2 flex gap-2 text-xs sm:text-[0.8125rem]">
      {steps.map((name, index) => {
        const past = index < now;
        const here = index === now;
        return (
          <li
            key={name}
            aria-current={here ? 'step' : undefined}
            className={cx('flex flex-auto items-center sm:flex-1 gap-1.5 border-t-3 pt-2 whitespace-nowrap', here || past ? 'border-accent' : 'border-line', here ? 'font-semibold text-ink' : 'font-medium text-muted')}
          >
            {past ? <Check className="size-4 text-positive" aria-hidden="true" /> : <span className="num">{index + 1}</span>}
            {name}
            {past && <span className="sr-only"> (done)</span>}
          </li>
        );
      })}
    </ol>
  );
}

/** A file's stage, or that its coins are on another network. */
export type Place = Stage['at'] | 'elsewhere';

const HEADINGS: Record<Place, string> = {
  elsewhere: 'Coins of another network',
  make: 'Sign your proof',
  sign: 'Sign your proof',
  cosign: 'More signatures are needed',
  mend: 'A signature is not valid',
  prove: 'Your proof is signed',
};

/** The name of a step. */
export function StepHeading({ children }: { children: string }) {
  return <h2 className={LOOK}>{children}</h2>;
}

const LOOK = 'scroll-mt-36 pt-1 text-[1.375rem]/7 font-bold sm:text-[1.75rem]/9';

/** The name of a file's stage, which takes the focus: it may begin above what was pressed. */
export function StageHeading({ at, title = HEADINGS[at] }: { at: Place; /** A more telling one. */ title?: string | undefined }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 ref={heading} tabIndex={-1} className={LOOK}>
      {title}
    </h2>
  );
}
