import { useEffect, useId, useState, type FormEvent } from 'react';
import { textFrom } from '../../api/elsewhere';
import { isOfHost, logAddress } from '../../lib/board-log/address';
import { trustedKeys, type Trusted } from '../../lib/board-log/checkpoints';
import { LogError, readKey } from '../../lib/board-log/note';
import { checkReceipt, readReceipt, type ShownRow } from '../../lib/board-log/receipt';
import { formatCount, formatDateTime } from '../../lib/format';
import { displayName } from '../../lib/names';
import { amountWords } from '../../lib/shown';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { sentenceOf } from './sentence';

/** The keys of the board's log that this browser has seen before, and trusts. */
const keptKeys = (): Trusted[] => trustedKeys(location.host);

/** One that has no Ed25519, for instance, or a file that is no longer there. */
const UNCHECKED =
  'This browser could not check it, which says nothing about the receipt. Choose the file again, try a newer browser, or use the command “reserves-audit --receipt”.';

/** Nobody can tell whether a receipt of another key is good: the log may have got a new one since. */
const STRANGER =
  'It is not signed by a key that this browser trusts. If the log has got another key since, the one that it had then shows whether this receipt is right.';

type Checked = { of: File; keys: Trusted[]; row: ShownRow | null; fault: string; known: boolean };

/** A receipt: that the board showed somebody's row at a block. Checked with keys that the reader has, and never with those of the receipt. */
export function ReceiptView({ file }: { file: File }) {
  const [keys, setKeys] = useState(keptKeys);
  const [checked, setChecked] = useState<Checked | null>(null);
  useEffect(() => {
    let current = true;
    const show = (row: ShownRow | null, fault: string, known = true) => current && setChecked({ of: file, keys, row, fault, known });
    const fail = (error: unknown) => {
      if (keys.length === 0) show(null, 'This browser does not know the key of the board’s log yet.', false);
      else if (error instanceof LogError && error.code === 'stranger') show(null, STRANGER, false);
      else show(null, sentenceOf(error, UNCHECKED), error instanceof LogError);
    };
    file
      .text()
      .then((text) => checkReceipt(readReceipt(text), keys))
      .then((row) => show(row, ''), fail);
    return () => {
      current = false;
    };
  }, [file, keys]);

  if (checked?.of !== file || checked.keys !== keys) return <p role="status">Checking the receipt...</p>;
  return (
    <>
      {checked.row ? (
        <RightReceipt shown={checked.row} />
      ) : (
        <Notice tone={checked.known ? 'danger' : 'warning'} role="alert" title={checked.known ? 'This receipt is not right' : 'This receipt is not shown to be right yet'}>
          <p>{checked.fault}</p>
        </Notice>
      )}
      <Card title="The key of the log">
        <KeyChoice known={keys} onKey={(key) => setKeys(withKey(keys, key))} />
      </Card>
    </>
  );
}

/** With a key that the reader has given. One that is known to have been replaced is not made good by that. */
function withKey(keys: Trusted[], key: string): Trusted[] {
  return keys.some((known) => known.key === key) ? keys : [...keys, { key, until: Number.POSITIVE_INFINITY }];
}

const SATS = 100_000_000;

/** The holdings as the board showed them. */
function holdingsOf({ holdings_sats: sats, ...row }: ShownRow['row']): string {
  if (sats === null) return 'without holdings';
  return `with ${amountWords({ bitcoin_holdings: sats / SATS, shown_as: row['shown_as'] === 'range' ? 'range' : 'exact' })} BTC`;
}

function RightReceipt({ shown: { origin, height, at, row } }: { shown: ShownRow }) {
  const own = isOfHost(origin, location.host);
  return (
    <Notice tone={own ? 'positive' : 'warning'} role="status" title={own ? 'This receipt is right' : 'This is a receipt of another board'}>
      {!own && <p>It is right, by the key that you gave. It says nothing about {location.host}.</p>}
      <p>
        At block {formatCount(height)}, {formatDateTime(at)}, the board <bdi>{origin}</bdi> showed <bdi>{displayName({ ...row, named: row.named !== false })}</bdi>{' '}
        {holdingsOf(row)}.
      </p>
      <p className="text-muted">
        It shows what the board said, and that the board cannot take it back unnoticed. Not that it was true: that, published proofs show.
      </p>
    </Notice>
  );
}

function KeyChoice({ known, onKey }: { known: Trusted[]; onKey: (key: string) => void }) {
  const id = useId();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    try {
      readKey(typed);
      setFault('');
      onKey(typed.trim());
    } catch (error) {
      setFault(sentenceOf(error, 'This is no key of a log.'));
    }
  };
  const fetched = async () => {
    try {
      setFault('');
      const address = logAddress(JSON.parse(await textFrom('/api/functions/v1/app-config')));
      setTyped((await textFrom(`${address}/key`)).trim());
    } catch (error) {
      setFault(sentenceOf(error, 'The key could not be fetched. Please try again.'));
    }
  };
  return (
    <form onSubmit={submit} className="space-y-3 text-sm">
      <p className="text-muted">
        {known.length > 0 ? 'It was checked with the keys that this browser has seen, or that you gave. ' : ''}
        Take a key from your own notes or from somebody whom you trust. The one that this board shows now is as good as your trust in it.
      </p>
      <label htmlFor={id} className="block font-medium">
        A key of the log
      </label>
      <input
        id={id}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        spellCheck={false}
        className="h-12 w-full rounded-lg border border-line-strong bg-surface px-3 font-mono"
      />
      {fault && (
        <p role="alert" className="text-danger">
          {fault}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Check with This Key</Button>
        <Button look="secondary" onClick={() => void fetched()}>
          Fill In What This Board Shows Now
        </Button>
      </div>
    </form>
  );
}
