import { useEffect, useState, type FormEvent } from 'react';
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
import { TextField } from '../../ui/text-field';
import { sentenceOf } from './sentence';

/** The keys of the board's log that this browser has seen before, and trusts. */
const keptKeys = (): Trusted[] => trustedKeys(location.host);

/** For example a browser without Ed25519, or a file that was removed. */
const UNCHECKED =
  'This browser couldn’t check the receipt, which may still be valid. Try a newer browser, or run “reserves-audit --receipt”.';

/** Nobody can tell whether a receipt of another key is good: the log may have got a new one since. */
const STRANGER =
  'The receipt is not signed with a key that this browser trusts. If the log’s key has changed since, check it with the old key.';

type Checked = { of: File; keys: Trusted[]; row: ShownRow | null; fault: string; known: boolean };

/** A receipt: the board showed this row at a block. Checked with the reader's keys, never with those in the receipt. */
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
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() === '') return;
    try {
      await readKey(typed);
      setFault(null);
      onKey(typed.trim());
    } catch (error) {
      setFault(sentenceOf(error, 'This is not a key of a log.'));
    }
  };
  const fetched = async () => {
    try {
      setFault(null);
      const address = logAddress(JSON.parse(await textFrom('/api/functions/v1/app-config')));
      setTyped((await textFrom(`${address}/key`)).trim());
    } catch (error) {
      setFault(sentenceOf(error, 'The key couldn’t be fetched. Please try again.'));
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-3 text-sm">
      <p className="text-muted">
        {known.length > 0 ? 'We used the keys that this browser has seen or that you gave. ' : ''}
        Take a key from your own notes or from someone you trust. The key that this board shows is only as good as your trust in it.
      </p>
      <TextField label="A key of the log" value={typed} onText={setTyped} rows={1} fault={fault} mono />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Check with This Key</Button>
        <Button look="secondary" onClick={() => void fetched()}>
          Fill In What This Board Shows Now
        </Button>
      </div>
    </form>
  );
}
