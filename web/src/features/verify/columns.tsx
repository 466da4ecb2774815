import type { ReactNode } from 'react';
import { cx } from '../../lib/cx';
import { Card } from '../../ui/card';
import type { Step, StepState } from './judge';
import { StepList } from './step-list';

/** The two columns of a checked proof on a desktop: the result and its checks, and what the file has. What comes after stands below the first. */
export function Columns({ main, aside }: { main: ReactNode; aside: ReactNode }) {
  return (
    <>
      <div className="min-w-0 space-y-6">{main}</div>
      <div className="min-w-0 divide-y divide-line self-start rounded-card border border-line bg-surface shadow-card lg:col-start-2 lg:row-span-2 lg:row-start-1">{aside}</div>
    </>
  );
}

/** A part of the second column. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="p-5 text-sm [overflow-wrap:anywhere]">
      <h2 className="mb-3 text-base font-semibold">{title}</h2>
      {children}
    </section>
  );
}

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

/** What was checked. */
export function Steps({ steps }: { steps: Step[] }) {
  return (
    <Card title="What was checked">
      <StepList steps={steps} />
    </Card>
  );
}
