import { useState } from 'react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { isOfHost } from '../../lib/board-log/address';
import { requireKey, trustedKeys, type Trusted } from '../../lib/board-log/checkpoints';
import { LogError } from '../../lib/board-log/log-error';
import { checkReceipt, holdingsOf, type ShownRow } from '../../lib/board-log/receipt';
import { formatCount, formatDateTime } from '../../lib/format';
import { displayName } from '../../lib/names';
import { workQuery } from '../../lib/work-query';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import { messageOf } from '../../lib/errors';
import { submitted } from '../../lib/submitted';
import { logOfBoard } from './board-keys';

/** The keys of the board's log that this browser has seen before, and trusts. */
const keptKeys = (): Trusted[] => trustedKeys(location.host);

/** For example a page that could not load the module of the checks, or a file that was removed. */
const UNCHECKED =
  'This browser couldn’t check the receipt, which may still be valid. Try a newer browser, or run “reserves-audit --receipt”.';

/** Nobody can tell whether a receipt of another key is good: the log may have got a new one since. */
const STRANGER =
  'The receipt is not signed with a key that this browser trusts. If the log’s key has changed since, paste the old key below.';

/** The row of a right receipt, or what is wrong; `known` says that the receipt is at fault. */
type Checked = { row: ShownRow } | { fault: string; known: boolean };

async function check(file: File, keys: Trusted[]): Promise<Checked> {
  try {
    return { row: await checkReceipt(await file.text(), keys) };
  } catch (error) {
    if (keys.length === 0) return { fault: 'This browser does not know the key of the board’s log yet. Paste it below, from your own notes or from someone you trust.', known: false };
    if (error instanceof LogError && error.code === 'stranger') return { fault: STRANGER, known: false };
    return { fault: messageOf(error, UNCHECKED), known: error instanceof LogError };
  }
}

/** A receipt: the board showed this row at a block. Checked with the reader's keys, never with those in the receipt. */
export function ReceiptView({ file }: { file: File }) {
  const [keys, setKeys] = useState(keptKeys);
  const { data: checked } = useQuery(workQuery('receipt', [file, keys], () => check(file, keys)));
  if (!checked) return <p role="status">Checking the receipt...</p>;
  return (
    <>
      {'row' in checked ? (
        <RightReceipt shown={checked.row} />
      ) : (
        <Notice tone={checked.known ? 'danger' : 'warning'} role="alert" title={checked.known ? 'This receipt is not right' : 'This receipt couldn’t be checked yet'} text={checked.fault} />
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

function RightReceipt({ shown: { origin, height, at, row } }: { shown: ShownRow }) {
  const own = isOfHost(origin, location.host);
  const holdings = holdingsOf(row);
  return (
    <Notice tone={own ? 'positive' : 'warning'} role="status" title={own ? 'This receipt is right' : 'This is a receipt of another board'}>
      {!own && <p>It is right, by the key that you gave. It says nothing about {location.host}.</p>}
      <p>
        At block {formatCount(height)}, {formatDateTime(at)}, the board <bdi>{origin}</bdi> showed <bdi>{displayName(row)}</bdi>{' '}
        {holdings === null ? 'without holdings' : `with ${holdings}`}.
      </p>
      <p className="text-muted">
        It shows what the board said, and that the board can’t take that back unnoticed. Whether it was true, only published proofs show.
      </p>
    </Notice>
  );
}

function KeyChoice({ known, onKey }: { known: Trusted[]; onKey: (key: string) => void }) {
  const [typed, setTyped] = useState('');
  const use = useMutation({ mutationFn: (text: string) => requireKey(text), onSuccess: (_, text) => onKey(text.trim()) });
  const fill = useMutation({
    mutationFn: () => logOfBoard(),
    onSuccess: ({ key }) => setTyped(key),
    onSettled: () => use.reset(),
  });
  const submit = submitted(() => {
    fill.reset();
    if (typed.trim() !== '') use.mutate(typed);
  });
  const fault = (use.error && messageOf(use.error, 'This is not a key of a log.')) ?? (fill.error && messageOf(fill.error, 'The key couldn’t be fetched. Please try again.'));
  return (
    <form onSubmit={submit} className="space-y-3 text-sm">
      <p className="text-muted">
        {known.length > 0 ? 'We used the keys that this browser has seen or that you gave. ' : ''}
        Take a key from your own notes or from someone you trust. The key that this board shows is only as good as your trust in it.
      </p>
      <TextField label="A key of the log" value={typed} onText={setTyped} rows={1} fault={fault} mono />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Check with This Key</Button>
        <Button look="secondary" onClick={() => fill.mutate()}>
          Fill In What This Board Shows Now
        </Button>
      </div>
    </form>
  );
}
