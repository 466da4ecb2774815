import { ChevronDown, CircleAlert, CircleCheck, CircleDashed } from 'lucide-react';
import { cx } from '../../lib/cx';
import { plural } from '../../lib/format';
import { More } from '../../ui/more';
import type { Step, StepState } from './judge';
import { Sentence } from './told';

const INKS = { right: 'bg-positive', open: 'bg-line-strong', false: 'bg-danger' } as const satisfies Record<StepState, string>;

/** How far the checks have come, for the eye: the sentence below says it. */
export function Progress({ steps }: { steps: Step[] }) {
  return (
    <div aria-hidden="true" className="flex gap-1">
      {steps.map(({ title, state }) => (
        <span key={title} className={cx('h-1.5 flex-1 rounded-full', INKS[state])} />
      ))}
    </div>
  );
}

interface StepsProps {
  steps: Step[];
  /** Whether what is open is a fault, and not only still to come. */
  warns: boolean;
}

const LOOKS = {
  right: { icon: CircleCheck, ink: 'text-positive', word: 'Right' },
  open: { icon: CircleDashed, ink: 'text-warning', word: 'Open' },
  false: { icon: CircleAlert, ink: 'text-danger', word: 'False' },
} as const satisfies Record<StepState, object>;

/** What was checked, step by step, folded unless something is wrong: what was found, and what that shows. */
export function Steps({ steps, warns }: StepsProps) {
  return (
    <More title="What was checked" aside={plural(steps.length, 'check')} open={warns || steps.some(({ state }) => state === 'false')} boxed>
      <ol className="divide-y divide-line text-sm">
        {steps.map(({ title, state, found, shows }) => {
          const { icon: Icon, ink: usual, word } = LOOKS[state];
          const ink = state === 'open' && !warns ? 'text-muted' : usual;
          return (
            <li key={title}>
              <details className="group [overflow-wrap:anywhere] print:[&::details-content]:[content-visibility:visible]">
                <summary className="grid cursor-pointer list-none grid-cols-[auto_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded py-3 sm:grid-cols-[auto_auto_minmax(0,1fr)_auto] [&::-webkit-details-marker]:hidden">
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
    </More>
  );
}
