import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { formatLockTime } from '../../lib/format';
import { verifyMessage, type MessageCheck } from '../../psbt';
import { Button } from '../../ui/button';
import { More } from '../../ui/more';
import { Notice } from '../../ui/notice';
import { TextField } from '../../ui/text-field';
import { messageOf } from '../../lib/errors';
import { submitted } from '../../lib/submitted';

/** Something else than a proof, so it is folded at first. */
export function SignedMessage() {
  const [open, setOpen] = useState(false);
  return (
    <More title="Check a signed message" boxed onToggle={setOpen}>
      {open && <MessageForm />}
    </More>
  );
}

/** An address, a message and a signature (BIP-322, BIP-137). The result is only about keys: no coins, no date, no person. */
function MessageForm() {
  const [given, setGiven] = useState({ address: '', message: '', signature: '' });
  const { address, message, signature } = given;
  const check = useMutation({ mutationFn: (to: string) => verifyMessage(to, message, signature.trim()) });
  const change = (name: keyof typeof given) => (value: string) => {
    setGiven({ ...given, [name]: value });
    // A result must belong to the fields next to it.
    check.reset();
  };
  return (
    <form onSubmit={submitted(() => check.mutate(address.trim()))} className="space-y-4 text-ink">
      <TextField label="Bitcoin address" value={address} onText={change('address')} rows={1} mono />
      <TextField label="Message, letter by letter" value={message} onText={change('message')} rows={3} />
      <TextField label="Signature" value={signature} onText={change('signature')} rows={2} mono />
      <Button type="submit" look="secondary" disabled={address.trim() === '' || signature.trim() === ''}>
        Check the signature
      </Button>
      {check.error && <Notice tone="danger" role="alert" title={messageOf(check.error, 'The signature couldn’t be checked. Reload the page, or try another browser.')} />}
      {check.data && <Answer check={check.data} address={check.variables} />}
    </form>
  );
}

const ANSWERS = {
  valid: { tone: 'positive', title: 'The signature is valid' },
  'valid-with-locks': { tone: 'warning', title: 'The signature is valid, with a time lock' },
  invalid: { tone: 'danger', title: 'The signature is not valid' },
  inconclusive: { tone: 'warning', title: 'Can’t be checked here' },
} as const;

function Answer({ check, address }: { check: MessageCheck; address: string }) {
  const { status, message, loose, lineEndings } = check;
  const isValid = status === 'valid' || status === 'valid-with-locks';
  return (
    <Notice {...ANSWERS[status]} role="status">
      {message && <p>{message}</p>}
      {isValid && (
        <p>
          Keys of <span className="font-mono">{address}</span> signed this message. It shows no coins, no date and no person.
        </p>
      )}
      {status === 'valid-with-locks' && <p>{locksIn(check)}</p>}
      {isValid && loose && <p>Its header names another kind of address, as Electrum writes it.</p>}
      {isValid && lineEndings && <p>It was signed with {lineEndings === 'crlf' ? 'Windows' : 'Unix'} line endings ({lineEndings.toUpperCase()}).</p>}
    </Notice>
  );
}

/** BIP-322: “valid at time T and age S”. */
function locksIn({ lockTime, sequence }: MessageCheck): string {
  const parts = [lockTime > 0 ? `from ${formatLockTime(lockTime)} on` : '', sequence > 0 ? `for coins of the age that the sequence ${sequence} asks for` : ''];
  return `The script accepts it only ${parts.filter(Boolean).join(', and ')}.`;
}
