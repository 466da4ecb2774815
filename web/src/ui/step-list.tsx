import { filledCommand, type CommandValues, type Step } from '../lib/signers';
import { Command } from './code';

/** Numbered actions in a wallet, its own labels in bold; lines to copy have the reader's own values. */
export function StepList({ steps, values }: { steps: Step[]; values: CommandValues }) {
  const all = steps.map((step) => (typeof step === 'string' ? { text: step } : step));
  const numbered = all.filter((step) => !step.instead);
  return (
    <ol className="divide-y divide-line border-y border-line">
      {all.map((step) => (
        <li key={step.text} className="flex gap-3 py-3">
          <span aria-hidden="true" className="num grid size-6 shrink-0 place-items-center rounded-full bg-raised text-xs font-semibold text-muted">
            {step.instead ? '·' : numbered.indexOf(step) + 1}
          </span>
          <div className="min-w-0 flex-1 text-ink">
            <Labelled text={step.text} />
            {step.command && <Command text={filledCommand(step.command, values)} label="Copy the command" />}
            {step.note && (
              <p className="text-[0.8125rem] text-muted">
                <Labelled text={step.note} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** A text with labels between asterisks. */
export function Labelled({ text }: { text: string }) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
  return text.split('*').map((part, at) => (at % 2 === 1 ? <strong key={at} className="font-semibold">{part}</strong> : part));
}
