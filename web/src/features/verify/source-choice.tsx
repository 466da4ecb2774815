import { type ReactNode, useState } from 'react';
import { hostOf } from '../../api/elsewhere';
import { cx } from '../../lib/cx';
import { messageOf } from '../../lib/errors';
import { formatCount, formatDateTime, plural } from '../../lib/format';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { Select } from '../../ui/select';
import { TextField } from '../../ui/text-field';
import { storedText } from '../../lib/storage';
import type { Asking, CoinCheck } from './use-coins';
import { submitted } from '../../lib/submitted';
import type { InstantText } from '../../lib/instant';
import { TextButton } from '../../ui/text-link';
import { whenUsed } from './when-used';

const DateFields = whenUsed(() => import('./date-fields'));

/** The address of the chain source that was chosen last. */
const chosenSource = storedText('localStorage', 'verify-source');

/** An address as requests begin with it; null for what is none. */
function sourceIn(typed: string): string | null {
  try {
    const { protocol, origin, pathname, username } = new URL(typed.trim());
    return /^https?:$/.test(protocol) && username === '' ? origin + pathname.replace(/\/+$/, '') : null;
  } catch {
    return null;
  }
}

const OWN = 'own';

/** The choice of a chain source: one of those offered, or the visitor's own. */
export function useSource(offered: string[]) {
  const [remembered] = useState(() => sourceIn(chosenSource.get() ?? ''));
  const isOwn = remembered !== null && !offered.includes(remembered);
  const [choice, setChoice] = useState(isOwn ? OWN : (remembered ?? offered[0] ?? OWN));
  const [typed, setTyped] = useState(isOwn ? remembered : '');
  const [problem, setProblem] = useState<string | null>(null);

  /** The chosen source, remembered for the next time; null when the typed text is not an address. */
  const take = (): string | null => {
    const source = sourceIn(choice === OWN ? typed : choice);
    setProblem(source ? null : 'Type the whole address of a server that speaks Esplora’s API, such as http://127.0.0.1:3000.');
    if (source) chosenSource.set(source);
    return source;
  };
  return { choice, choose: setChoice, typed, type: setTyped, problem, take };
}

interface SourceFieldsProps {
  offered: string[];
  source: ReturnType<typeof useSource>;
  /** What the source learns. */
  note: string;
  /** The button that asks it. */
  children?: ReactNode;
}

/** The fields with which a visitor chooses a chain source. */
export function SourceFields({ offered, source: { choice, choose, typed, type, problem }, note, children }: SourceFieldsProps) {
  const isOwn = choice === OWN;
  const options: [string, string][] = [...offered.map((address): [string, string] => [address, hostOf(address)]), [OWN, 'Your own Esplora server']];
  return (
    <div className="space-y-2">
      <div className={cx('grid items-end gap-3', offered.length > 0 && !isOwn && children !== undefined && 'sm:grid-cols-[auto_minmax(0,1fr)]')}>
        {offered.length > 0 && <Select label="Block explorer" value={choice} options={options} onChange={choose} />}
        {isOwn && (
          <TextField
            label="Address"
            value={typed}
            onText={type}
            rows={1}
            inputMode="url"
            placeholder="http://127.0.0.1:3000"
            fault={problem}
            {...(offered.length > 0 ? {} : { hint: 'Of an Esplora server, such as your own.' })}
          />
        )}
        {children}
      </div>
      <p className="text-[0.8125rem] text-muted">{note}</p>
    </div>
  );
}

interface SourceChoiceProps {
  offered: string[];
  asking: Asking;
  /** Something else is to be pressed first. */
  quiet?: boolean;
}

/** Asks the chosen source about the coins, as often as the visitor wants. */
export function SourceChoice({ offered, asking, quiet = false }: SourceChoiceProps) {
  const source = useSource(offered);
  const date = useDate();
  const submit = submitted(() => {
    const [address, instant] = [source.take(), date.take()];
    if (address && instant !== undefined) asking.ask({ source: address, date: instant });
  });
  const stopped = asking.trouble !== null && asking.asked !== null;
  const done = asking.asked !== null && asking.asked.height !== null;
  return (
    <form onSubmit={submit} className="space-y-4 text-sm">
      {asking.trouble && <Notice tone="warning" role="alert" title="The block explorer didn’t answer for every coin" text={messageOf(asking.trouble, 'The block explorer didn’t answer. Try again later, or choose another one.')} />}
      {date.fields}
      <SourceFields offered={offered} source={source} note="The block explorer will see your IP address and which coins you look up; we won’t.">
        <Button type="submit" look={done || quiet ? 'secondary' : 'primary'} disabled={asking.busy}>
          {asking.busy ? 'Asking...' : stopped ? 'Continue' : done ? 'Check again' : 'Check the coins'}
        </Button>
      </SourceFields>
      {date.choice}
      {asking.checks.length > 0 && <Checks checks={asking.checks} />}
    </form>
  );
}

/** An instant to ask about instead of today. */
function useDate() {
  const [open, setOpen] = useState(false);
  const [instant, setInstant] = useState<InstantText | null>(null);
  const [judged, setJudged] = useState(false);
  const toggle = () => {
    setOpen(!open);
    setInstant(null);
    setJudged(false);
  };
  /** The instant, with its zone; null for today, undefined when a field is wrong. */
  const take = (): string | null | undefined => {
    setJudged(open);
    if (!open) return null;
    return instant && 'text' in instant ? instant.text : undefined;
  };
  return {
    take,
    fields: open && <DateFields judged={judged} onInstant={setInstant} />,
    choice: (
      <p>
        <TextButton onClick={toggle}>{open ? 'As of today instead' : 'As of a date'}</TextButton>
      </p>
    ),
  };
}

/** The source and the time of each check: a coin may be spent a minute later. */
function Checks({ checks }: { checks: CoinCheck[] }) {
  return (
    <ol aria-label="Checks" className="num list-disc pl-5 text-muted">
      {checks.map(({ at, host, height, unspent, of }) => (
        <li key={at.getTime()}>
          <time dateTime={at.toISOString()}>{formatDateTime(at)}</time>: {formatCount(unspent)} of {plural(of, 'coin')} unspent at block {formatCount(height)}, says {host}.
        </li>
      ))}
    </ol>
  );
}
