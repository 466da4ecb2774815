import { CircleCheck } from 'lucide-react';
import type { ProofChallenge } from '../../api/types';
import { formatCount, formatDate } from '../../lib/format';
import { hexOf } from '../../lib/printed';
import { Code, Command } from '../../ui/code';
import { Copied } from '../../ui/copied';
import { More } from '../../ui/more';

/** The line that says whose proof a file is, to compare with what the wallet shows, and how to make the file by hand. */
export function Statement({ challenge, matches }: { challenge: ProofChallenge; /** Whether a file that was signed has it. */ matches: boolean }) {
  const { statement } = challenge;
  const name = statement.split(' ').slice(4, -1).join(' ');
  return (
    <section className="space-y-2 p-5">
      <Copied
        title={
          <>
            {matches && <CircleCheck className="size-5 text-positive" aria-hidden="true" />}
            {matches ? 'Statement matches yours' : 'Your statement'}
          </>
        }
        text={statement}
        label="Copy the statement"
      />
      {name.startsWith('~') && (
        <details className="text-[0.8125rem] text-muted">
          <summary className="list-none [&::-webkit-details-marker]:hidden">
            On your device you appear as <span className="font-mono text-ink">{name}</span>.{' '}
            <span className="font-medium text-accent-ink underline underline-offset-3">Why?</span>
          </summary>
          Your name here is not one that a provider vouches for, or a device can’t show it. This code identifies your account.
        </details>
      )}
      {!matches && <Advice challenge={challenge} />}
    </section>
  );
}

/** What to do with the statement, until a file has it. */
function Advice({ challenge }: { challenge: ProofChallenge }) {
  const { counts_until: until, counts_until_block: last, binding } = challenge;
  return (
    <>
      <p className="text-[0.8125rem] text-muted">Every proof contains this line. When your wallet shows it, check the site and your name.</p>
      <p className="text-[0.8125rem] font-semibold">Wrong site or name on the screen? Don’t sign.</p>
      <p className="text-[0.8125rem] text-muted">
        Sign before block {formatCount(last)}, about <time dateTime={until}>{formatDate(until)}</time>; after that this page shows a new line.
        {binding === 'optional' && ' Here it is optional: a file without it counts until someone proves the same coins with theirs.'}
      </p>
      <div className="mt-4 -mb-4 divide-y divide-line border-t border-line">
        <ByHand challenge={challenge} />
        <ByMessage />
      </div>
    </>
  );
}

/** The file in Bitcoin Core, where a transaction can be written down as it should be (proofs, section 3). */
function ByHand({ challenge: { statement, lock_time: lockTime } }: { challenge: ProofChallenge }) {
  const command = `createpsbt '[{"txid":"…","vout":0,"sequence":4294967293}]' '[{"your address":0.00000000},{"data":"${hexOf(statement)}"}]' ${lockTime}`;
  return (
    <More title="Make the file by hand in Bitcoin Core">
      <ol className="list-decimal space-y-2 pl-5">
        <li>
          <Code>listunspent</Code> in the console (Window, Console) shows your coins: txid, vout, address and amount of each.
        </li>
        <li>
          List your coins, and for each of their addresses exactly the sum that these coins hold:
          <Command text={command} label="Copy the command" />
          Separate several coins and addresses by commas.
        </li>
        <li>
          Sign its answer: <Code>walletprocesspsbt "the text"</Code>
        </li>
        <li>Copy the answer and paste it on this page.</li>
      </ol>
    </More>
  );
}

function ByMessage() {
  return (
    <More title="Use a BIP-322 message instead">
      <p>
        Does your wallet make BIP-322 proofs of funds? Sign exactly the statement over your coins, and drop the file here. It is no transaction at
        all. An ordinary signed message proves one address, not coins, so it does not work.
      </p>
    </More>
  );
}
