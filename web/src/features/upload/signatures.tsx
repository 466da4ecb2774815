import { plural, shorten } from '../../lib/format';
import { closeProofReader, type InputSignatures, type PsbtInput, type PsbtReport, type Warning } from '../../psbt';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { FirstFew } from '../../ui/long-list';
import { Notice } from '../../ui/notice';
import { Working } from '../../ui/working';
import type { Signatures } from './use-signatures';

/** The fault in the signatures of an input and how to mend it; null when nothing is, or the file does not tell. */
export function signatureProblem(check: InputSignatures, input: Pick<PsbtInput, 'address'>): string | null {
  const wallet = input.address ? `the wallet that holds ${shorten(input.address)}` : 'the wallet that holds this coin';
  const valid = check.signatures.filter((signature) => signature.valid).length;
  switch (check.status) {
    case 'invalid':
      return `${check.message ?? 'A signature does not fit.'} Sign it again in ${wallet}.`;
    case 'incomplete':
      return `It has ${valid} of ${check.needed ?? 'the'} signatures that it needs. Pass the file on to the other signers of ${wallet}.`;
    case 'valid':
      return check.signatures.some(({ commitsToAll }) => !commitsToAll)
        ? `Its signature leaves parts of the transaction open. Sign it in ${wallet} with SIGHASH_ALL, the usual setting.`
        : null;
    case 'missing': // told above, where unsigned inputs are named
    case 'inconclusive':
      return null;
  }
}

interface SignatureNoticeProps {
  report: PsbtReport;
  signatures: Signatures;
  /** Nothing is sent to a server that would check them again. */
  local?: boolean;
}

/** This device's verdict on the signatures, before anything is sent. */
export function SignatureNotice({ report: { inputs }, signatures: { check, stopped, again }, local }: SignatureNoticeProps) {
  if (check === undefined) {
    return <Working onStop={closeProofReader}>Checking the signatures of {plural(inputs.length, 'input')} on this device...</Working>;
  }
  if (stopped) {
    return (
      <Notice role="status" title="You stopped the check of the signatures">
        {!local && <p>The server checks them in any case.</p>}
        <Button look="secondary" className="mt-2" onClick={again}>
          Check the Signatures
        </Button>
      </Notice>
    );
  }
  if (check === null) return null;
  const problems = inputs.flatMap((input, index) => {
    const found = check.inputs[index];
    const problem = found ? signatureProblem(found, input) : null;
    return problem ? [{ index, problem }] : [];
  });
  if (problems.length > 0) return <Problems problems={problems} of={inputs.length} />;
  if (check.complete) {
    return (
      <Notice tone="positive" role="status" title={`The signatures of ${plural(inputs.length, 'input')} are valid`}>
        <p>
          Checked on this device.{' '}
          {local ? 'Only the chain knows whether the coins are unspent.' : 'The server checks them again, with the coins as the chain has them.'}
        </p>
      </Notice>
    );
  }
  const open = check.inputs.filter(({ status }) => status === 'inconclusive').length;
  if (open === 0) return null;
  return <Notice role="status" text={`The signatures of ${plural(open, 'input')} cannot be checked on this device.${local ? '' : ' The server checks them.'}`} />;
}

function Problems({ problems, of }: { problems: { index: number; problem: string }[]; of: number }) {
  return (
    <Notice tone="warning" role="status" title={`${problems.length} of ${plural(of, 'signature')} ${problems.length === 1 ? 'is' : 'are'} not valid`}>
      <FirstFew
        items={problems}
        render={({ index, problem }) => (
          <li key={index}>
            Input {index + 1}: {problem}
          </li>
        )}
      />
    </Notice>
  );
}

/** The label of one input, in addition to whether it is signed. */
export function SignatureBadge({ check }: { check: InputSignatures | undefined }) {
  switch (check?.status) {
    case 'valid':
      return <Badge tone="positive">Valid</Badge>;
    case 'invalid':
      return <Badge tone="danger">Not valid</Badge>;
    case 'incomplete':
      return (
        <Badge tone="warning">
          {check.signatures.length} of {check.needed ?? '?'}
        </Badge>
      );
    default:
      return null;
  }
}

/** Warnings that are shown next to their inputs. */
const TOLD = new Set<Warning['code']>(['unsigned-input', 'sighash-not-all', 'unknown-value']);

/** Warnings that a person should look at twice. */
export function Warnings({ warnings }: { warnings: Warning[] }) {
  const shown = warnings.filter(({ code }) => !TOLD.has(code));
  if (shown.length === 0) return null;
  return (
    <Notice tone="warning" title="Check this">
      {shown.map(({ code, message }) => (
        <p key={code}>{message}</p>
      ))}
    </Notice>
  );
}
