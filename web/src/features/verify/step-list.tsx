import { ChevronDown, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { cx } from '../../lib/cx';
import type { Step, StepState } from './judge';
import { Sentence } from './told';

const LOOKS = {
  right: { icon: CircleCheck, ink: 'text-positive', word: 'Right' },
  open: { icon: CircleDashed, ink: 'text-warning', word: 'Not shown yet' },
  false: { icon: CircleAlert, ink: 'text-danger', word: 'False' },
} as const satisfies Record<StepState, object>;

/** What was checked, step by step: what was found, and folded what that shows. */
export function StepList({ steps }: { steps: Step[] }) {
  return (
    <ol className="divide-y divide-line text-sm">
      {steps.map(({ title, state, found, shows }) => {
        const { icon: Icon, ink, word } = LOOKS[state];
        return (
          <li key={title}>
            <details className="group [overflow-wrap:anywhere] print:[&::details-content]:[content-visibility:visible]">
              <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded py-3 sm:grid-cols-[auto_minmax(0,5fr)_minmax(0,6fr)_auto] [&::-webkit-details-marker]:hidden">
                <Icon className={cx('size-5 self-start', ink)} aria-hidden="true" />
                <h3 className="font-medium">{title}</h3>
                <ChevronDown className="size-4 self-start text-muted transition-transform group-open:rotate-180 print:hidden sm:order-last sm:mt-0.5" aria-hidden="true" />
                <span className="col-start-2 text-pretty text-muted sm:col-start-3 sm:text-right sm:text-balance">
                  {/* The sign says it too. */}
                  <strong className={state === 'right' ? 'sr-only' : ink}>{word}.</strong> <Sentence>{found}</Sentence>
                </span>
              </summary>
              <p className="pb-3 pl-8 text-muted">{shows}</p>
            </details>
          </li>
        );
      })}
    </ol>
  );
}
