import { filledCommand, type CommandValues, type Step } from '../lib/signers';
import { Command } from './code';
import { More } from './more';

/** Numbered actions in a wallet, its own labels in bold; lines to copy have the reader's own values. Other ways are folded. */
export function StepList({ steps, values }: { steps: Step[]; values: CommandValues }) {
  const all = steps.map((step) => (typeof step === 'string' ? { text: step } : step));
  const others = all.filter(({ instead }) => instead);
  return (
    <div className="divide-y divide-line border-y border-line">
      <ol className="divide-y divide-line">
        {all
          .filter(({ instead }) => !instead)
          .map((step, at) => (
            <li key={step.text} className="flex gap-3 py-2.5">
              <span aria-hidden="true" className="num w-3 shrink-0 text-muted">
                {at + 1}
              </span>
              <Action step={step} values={values} />
            </li>
          ))}
      </ol>
      {others.length > 0 && (
        <More title="Another way">
          {others.map((step) => (
            <Action key={step.text} step={step} values={values} />
          ))}
        </More>
      )}
    </div>
  );
}

function Action({ step: { text, note, command }, values }: { step: Exclude<Step, string>; values: CommandValues }) {
  return (
    <div className="min-w-0 flex-1 text-ink">
      <Labelled text={text} />
      {command && <Command text={filledCommand(command, values)} label="Copy the command" />}
      {note && (
        <p className="text-[0.8125rem] text-muted">
          <Labelled text={note} />
        </p>
      )}
    </div>
  );
}

/** A text with labels between asterisks. */
export function Labelled({ text }: { text: string }) {
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a fixed text
  return text.split('*').map((part, at) => (at % 2 === 1 ? <strong key={at} className="font-semibold">{part}</strong> : part));
}
