import type { ProofChallenge } from '../../api/types';
import { formatCount, formatDateTime, formatSats } from '../../lib/format';
import { Card } from '../../ui/card';
import { CopyButton } from '../../ui/copy-button';
import { Notice } from '../../ui/notice';
import { bindingSentence, type Binding } from './binding';

/** The personal amount that says whose proof a file is, and how to use it. */
export function ChallengeCard({ challenge }: { challenge: ProofChallenge }) {
  const { amount_sats: sats, binding, changes_at: changesAt } = challenge;
  const btc = formatSats(sats);
  return (
    <Card title="Your challenge amount">
      <div className="-mt-1 flex flex-wrap items-center gap-x-4 gap-y-3">
        <p className="num text-2xl font-bold">
          {btc} <span className="text-base font-semibold text-muted">BTC</span>{' '}
          <span className="text-sm font-medium text-muted">({formatCount(sats)} sats)</span>
        </p>
        <CopyButton text={btc} label="Copy the challenge amount" />
      </div>
      <ol className="mt-4 list-decimal space-y-1 pl-5 text-sm">
        <li>Select the coins that you want to prove.</li>
        <li>Send exactly this amount to one of the addresses that you spend from.</li>
        <li>Send the rest (Max) back to one of the addresses that you spend from.</li>
        <li>Sign it and save it. Do not broadcast it.</li>
      </ol>
      <p className="mt-3 text-sm text-muted">
        It ties the file to your account, so that nobody can use a file of yours, and nobody can pass yours off as theirs.{' '}
        {binding === 'optional' && 'Here it is optional: a file without it counts until somebody proves the same coins with theirs. '}
        The amount changes on <time dateTime={changesAt}>{formatDateTime(changesAt)}</time>.
      </p>
      <MessageInstead challenge={challenge} />
    </Card>
  );
}

/** The other way to say whose proof it is, for wallets that can sign a text over their coins. */
function MessageInstead({ challenge: { message, message_expires_at: expiresAt } }: { challenge: ProofChallenge }) {
  return (
    <details className="mt-4 rounded-xl border border-line px-4 text-sm">
      <summary className="py-3 font-semibold marker:text-accent-ink">Or sign a message instead (BIP-322)</summary>
      <div className="space-y-3 pb-4">
        <p className="text-muted">
          If your wallet makes a BIP-322 proof of funds, sign exactly this message over the coins that you want to prove,
          with its line breaks, and upload the file that it writes. No amount has to be sent then.
        </p>
        <pre
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- long lines scroll, for the keyboard as well
          tabIndex={0}
          aria-label="The message to sign"
          role="region"
          className="overflow-x-auto rounded-lg bg-raised p-3 font-mono text-xs leading-relaxed"
        >
          {message}
        </pre>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <CopyButton text={message} label="Copy the message to sign" />
          <p className="text-muted">
            It works once, until <time dateTime={expiresAt}>{formatDateTime(expiresAt)}</time>.
          </p>
        </div>
      </div>
    </details>
  );
}

/** Whether the chosen file is bound, before it is sent. */
export function BindingNotice({ binding, challenge }: { binding: Binding; challenge: ProofChallenge }) {
  if (binding.state === 'unknown') return null;
  if (binding.state === 'bound') {
    return (
      <Notice tone="positive">
        <p>This file carries your challenge amount: it is bound to your account.</p>
      </Notice>
    );
  }
  const required = challenge.binding === 'required';
  return (
    <Notice tone="warning" role="alert" title="This file is not bound to your account">
      <p>{bindingSentence(binding)}</p>
      <p>
        Send exactly {formatSats(challenge.amount_sats)} BTC to one of the addresses that you spend from, and the rest
        back to one of them.{' '}
        {required ? 'The server refuses the file as it is.' : 'The file counts until somebody proves the same coins with a bound one.'}
      </p>
    </Notice>
  );
}
