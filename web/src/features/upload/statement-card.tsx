import type { ReactNode } from 'react';
import type { ProofChallenge } from '../../api/types';
import { formatCount, formatDate } from '../../lib/format';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Code, Command } from '../../ui/code';
import { CopyButton } from '../../ui/copy-button';
import { Notice } from '../../ui/notice';
import { Spinner } from '../../ui/spinner';
import { dataOf } from './statement-data';

/** The line that says whose proof a file is, and how to make the file by hand. */
export function StatementCard({ challenge }: { challenge: ProofChallenge }) {
  const { statement, counts_until: until, counts_until_block: last, binding } = challenge;
  return (
    <Card title="Your statement">
      <div className="-mt-1 flex flex-wrap items-center gap-x-4 gap-y-3">
        <code className="min-w-0 flex-1 basis-72 rounded-lg bg-raised p-3 font-mono text-sm [overflow-wrap:anywhere]">{statement}</code>
        <CopyButton text={statement} label="Copy the statement" />
      </div>
      <p className="mt-3 text-sm text-muted">
        Every proof contains this line. When your wallet shows it, check the site and your name. Sign before block {formatCount(last)}, about{' '}
        <time dateTime={until}>{formatDate(until)}</time>; after that this page shows a new line.
        {binding === 'optional' && ' Here it is optional: a file without it counts until somebody proves the same coins with theirs.'}
      </p>
      <ByHand challenge={challenge} />
      <ByMessage />
    </Card>
  );
}

/** The file in Bitcoin Core, where a transaction can be written down as it should be (proofs, section 3). */
function ByHand({ challenge }: { challenge: ProofChallenge }) {
  const command = `createpsbt '[{"txid":"…","vout":0,"sequence":4294967293}]' '[{"your address":0.00000000},{"data":"${dataOf(challenge)}"}]' ${challenge.lock_time}`;
  return (
    <More title="Make the file by hand in Bitcoin Core">
      <ol className="list-decimal space-y-2 pl-5">
        <li>
          <Code>listunspent</Code> in the console (Window, Console) shows your coins: txid, vout, address and amount of each.
        </li>
        <li>
          Write down the coins that you want to prove, and for each of their addresses exactly the sum of what these coins hold:
          <Command text={command} label="Copy the command" />
          Several coins and several addresses stand in one list, separated by commas.
        </li>
        <li>
          Sign the text that it answers: <Code>walletprocesspsbt "the text"</Code>
        </li>
        <li>Save the psbt of the answer in a file whose name ends in .psbt, and drop it above.</li>
      </ol>
    </More>
  );
}

function ByMessage() {
  return (
    <More title="Or sign it as a message (BIP-322)">
      <p>
        If your wallet makes a BIP-322 proof of funds, sign exactly the statement over the coins that you want to prove, and
        upload the file that it writes. It is no transaction at all. An ordinary signed message does not do: it proves one
        address, not coins.
      </p>
    </More>
  );
}

function More({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="mt-4 rounded-xl border border-line px-4 text-sm">
      <summary className="py-3 font-semibold marker:text-accent-ink">{title}</summary>
      <div className="pb-4">{children}</div>
    </details>
  );
}

/** Without the statement nothing can be proven here: it is said, and asked for again by itself. */
export function StatementMissing({ message, trying, onTry }: { message: string; trying: boolean; onTry: () => void }) {
  return (
    <Notice tone="danger" role="alert" title="Your statement could not be fetched">
      <p>{message}</p>
      <p className="text-muted">A proof needs it, so the file cannot be sent yet. This page asks for it again by itself every few seconds.</p>
      <Button className="mt-2" disabled={trying} onClick={onTry}>
        {trying && <Spinner className="text-on-accent" />}
        Try Again
      </Button>
    </Notice>
  );
}
