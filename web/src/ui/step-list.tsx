import type { CommandValues, Step } from '../lib/signers';
import { Command } from './code';

/** Steps in a wallet, one below the other; lines to copy stand with the reader's own values. */
export function StepList({ steps, values }: { steps: Step[]; values: CommandValues }) {
  return (
    <ol className="list-decimal space-y-2 pl-5">
      {steps.map((step) =>
        typeof step === 'string' ? (
          <li key={step}>{step}</li>
        ) : (
          <li key={step.text}>
            {step.text}
            <Command text={step.command(values)} label="Copy the command" />
          </li>
        ),
      )}
    </ol>
  );
}
