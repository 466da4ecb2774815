import { useId, useState, type FormEvent } from 'react';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { rememberSource, rememberedSource, sourceIn } from './source';
import type { Asking } from './use-coins';

const OWN = 'own';

/** Which chain source is asked about the coins: one of those offered, or one's own. */
export function SourceChoice({ offered, asking }: { offered: string[]; asking: Asking }) {
  const id = useId();
  const [remembered] = useState(rememberedSource);
  const isOwn = remembered !== null && !offered.includes(remembered);
  const [choice, setChoice] = useState(isOwn ? OWN : (remembered ?? offered[0] ?? OWN));
  const [typed, setTyped] = useState(isOwn ? remembered : '');
  const [problem, setProblem] = useState<string | null>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const source = sourceIn(choice === OWN ? typed : choice);
    setProblem(source ? null : 'Type the whole address of a server that speaks Esplora’s API, such as http://127.0.0.1:3000.');
    if (!source) return;
    rememberSource(source);
    asking.ask(source);
  };
  const again = asking.trouble !== null && asking.asked !== null;
  return (
    <form onSubmit={submit} className="space-y-4 text-sm">
      <fieldset className="space-y-1">
        <legend className="mb-2 text-muted">
          Choose a block explorer. It will see your IP address and which coins you look up; we won’t.
        </legend>
        {[...offered, OWN].map((source) => (
          <label key={source} className="flex min-h-10 items-center gap-3">
            <input type="radio" name="source" value={source} checked={choice === source} onChange={() => setChoice(source)} className="size-4 accent-accent-ink" />
            <span className="[overflow-wrap:anywhere]">{source === OWN ? 'Your own Esplora server' : source}</span>
          </label>
        ))}
      </fieldset>
      {choice === OWN && (
        <div>
          <label htmlFor={id} className="mb-1 block font-medium">
            Address
          </label>
          <input
            id={id}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            placeholder="http://127.0.0.1:3000"
            aria-invalid={problem !== null}
            aria-describedby={problem ? `${id}-problem` : undefined}
            className="h-12 w-full rounded-lg border border-line-strong bg-surface px-3"
          />
          {problem && (
            <p id={`${id}-problem`} role="alert" className="mt-1 text-danger">
              {problem}
            </p>
          )}
        </div>
      )}
      {asking.trouble && (
        <Notice tone="warning" role="alert" title="The source could not be asked about all coins">
          <p>{asking.trouble.message}</p>
        </Notice>
      )}
      <Button type="submit" disabled={asking.busy}>
        {asking.busy ? 'Asking...' : again ? 'Go On' : 'Check the coins'}
      </Button>
    </form>
  );
}
