import { CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { cx } from '../../lib/cx';
import type { Step, StepState } from './judge';
import { Sentence } from './told';

const LOOKS = {
  right: { icon: CircleCheck, ink: 'text-positive', word: 'Right' },
  open: { icon: CircleDashed, ink: 'text-warning', word: 'Not shown yet' },
  false: { icon: CircleAlert, ink: 'text-danger', word: 'False' },
} as const satisfies Record<StepState, object>;

/** What was checked, step by step: what was found, and what that shows. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className="divide-y divide-line">
      {steps.map(({ title, state, found, shows }) => {
        const { icon: Icon, ink, word } = LOOKS[state];
        return (
          <li key={title} className="flex gap-3 py-4 first:pt-0 last:pb-0">
            <Icon className={cx('mt-0.5 size-5 shrink-0', ink)} aria-hidden="true" />
            <div className="min-w-0 flex-1 space-y-1 text-sm [overflow-wrap:anywhere]">
              <h3 className="text-base font-semibold">{title}</h3>
              <p>
                <strong className={ink}>{word}.</strong> <Sentence>{found}</Sentence>
              </p>
              <p className="text-muted">{shows}</p>
            </div>
          </li>
        );
      })}
    </ol>
  );
}
