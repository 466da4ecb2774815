import type { ProofChallenge } from '../../api/types';
import { formatCount, formatLockTime, formatSats } from '../../lib/format';
import { Notice } from '../../ui/notice';
import type { PsbtInput } from '../../psbt';
import type { Binding, Fault } from './binding';

interface BindingNoticeProps {
  binding: Binding;
  challenge: Pick<ProofChallenge, 'binding' | 'lock_time'>;
  /** Those of the file. */
  inputs: Pick<PsbtInput, 'address'>[];
}

/** Whether the chosen file is bound, before it is sent, and what to do when it is not. */
export function BindingNotice({ binding, challenge, inputs }: BindingNoticeProps) {
  switch (binding.state) {
    case 'bound':
      return <Notice tone="positive" title="This file is bound to your account" text="It contains your statement, moves nothing, and no node will accept it." />;
    case 'unknown':
      return <Notice text={UNKNOWN[binding.why]} />;
    case 'foreign':
      return (
        <Notice tone="danger" role="alert" title="This file was made for another account">
          <p>
            It says: <q className="font-mono">{binding.statement}</q>. That is not your statement, and the server refuses
            the file. If you have been renamed, or have signed in with another account, make the file again with the
            statement on this page.
          </p>
        </Notice>
      );
    case 'moving':
      return (
        <Notice tone="danger" role="alert" title="This file carries your statement, but it is not a proof yet">
          <p>{faultSentence(binding.fault, challenge, inputs)}</p>
          <p>Do not send it anywhere. Make the file again as this page says, and sign that one.</p>
        </Notice>
      );
    case 'changed':
      return <ChangedNotice />;
    case 'unbound':
      return (
        <Notice tone="warning" role="alert" title="This file is not bound to your account">
          <p>It is an ordinary transaction without your statement, so it does not say who signed it.</p>
          <p>
            {challenge.binding === 'required'
              ? 'The server refuses it as it is. Make a file with your statement, as this page says.'
              : 'It counts until someone proves the same coins with a file that carries a statement.'}
          </p>
        </Notice>
      );
  }
}

/** A known fault of some devices: what they sign is not what they were given. */
export function ChangedNotice() {
  return <Notice tone="danger" role="alert" title="Your device changed the file (a known fault): use the transaction form" text="The file to sign here is that form, made of the same coins." />;
}

const UNKNOWN: Record<Extract<Binding, { state: 'unknown' }>['why'], string> = {
  message:
    'This is a BIP-322 proof of funds whose message is not in the file. The server accepts it when it was signed over exactly your statement.',
  values:
    'This file carries your statement, but not what its coins hold. The server looks that up, and accepts the file when every address gets back exactly what it had.',
  'earlier-code':
    'The statement in this file has your name, but another code than today. The server accepts it if the code was yours in the period before; otherwise make the file again with the statement on this page.',
};

/** The sentence on what makes a file with a statement not a proof. */
export function faultSentence(fault: Fault, { lock_time: lockTime }: Pick<ProofChallenge, 'lock_time'>, inputs: BindingNoticeProps['inputs']): string {
  switch (fault.of) {
    case 'lock-time':
      return `Its lock time is ${fault.found === 0 ? 'not set' : lowerFirst(formatLockTime(fault.found))}, and must be block ${formatCount(lockTime)}: until then no node takes it.`;
    case 'sequences':
      return 'Every input has the final sequence number, which turns the lock time off. One input at least needs a lower one, such as 4294967293.';
    case 'form':
      return `Output ${fault.output + 1} has your statement in the wrong form. It must be the only data of an OP_RETURN, in one piece, and the output must have no value.`;
    case 'valueless':
      return 'It has more than one output without a value. A proof has one, with your statement.';
    case 'elsewhere':
      return `Output ${fault.output + 1} pays an address that this file does not spend from. In a proof nobody gains and nobody loses.`;
    case 'sum': {
      const where = inputs[fault.input]?.address ?? 'the script of one of its inputs';
      return `${where} has ${formatSats(fault.had)} BTC in this file, and gets ${formatSats(fault.back)} BTC. In a proof it gets back exactly what it had, without a fee.`;
    }
  }
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
