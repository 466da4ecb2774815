import type { ProofChallenge } from '../../api/types';
import { plural, shorten } from '../../lib/format';
import type { ProofContents, PsbtReport } from '../../psbt';
import { FirstFew } from '../../ui/long-list';
import { Notice } from '../../ui/notice';
import type { Binding } from './binding';
import { BindingNotice } from './binding-notice';
import { InputList, OutputList } from './coin-list';
import { PrivacyNote } from './privacy-note';
import { SignatureNotice, Warnings } from './signatures';
import { unsignedOf, type Stage } from './stage';
import { Totals, warningsOf, ZeroValueWarning } from './totals';
import type { Signatures } from './use-signatures';

interface FileReportProps {
  contents: ProofContents;
  signatures: Signatures;
  binding: Binding | null;
  stage: Stage;
  /** A limit of the server that the file would run into. */
  limit: string | null;
  challenge: ProofChallenge | null;
}

/** The contents of the file, read in the browser before anything is sent. */
export function FileReport({ contents, signatures, binding, stage, limit, challenge }: FileReportProps) {
  const { report } = contents;
  // What is made of the file is signed and sent, not the file itself.
  const source = stage.at === 'make';
  // A proof's lock time is explained elsewhere.
  const warnings = source ? [] : warningsOf(report).filter(({ code }) => code !== 'lock-time' || report.lockTime !== challenge?.lock_time);
  return (
    <div className="space-y-5 text-ink">
      <p className="text-muted">Read on this device. Nothing has been sent yet.{source && ' This file itself is never sent.'}</p>
        <Totals report={report} source={source} />
        <ZeroValueWarning report={report} />
        {!source && <UnsignedWarning report={report} />}
        {!source && <SignatureNotice report={report} signatures={signatures} />}
        <Warnings warnings={warnings} />
        {challenge && binding && !['unbound', 'foreign', 'moving'].includes(binding.state) && <BindingNotice binding={binding} challenge={challenge} />}
        {limit && <Notice tone="danger" role="alert" title="Too large to send" text={limit} />}
        <InputList inputs={report.inputs} check={signatures.check ?? null} />
        {!source && <OutputList outputs={report.outputs} />}
        {!source && <PrivacyNote contents={contents} />}
    </div>
  );
}

function UnsignedWarning({ report }: { report: PsbtReport }) {
  const unsigned = unsignedOf(report);
  if (unsigned.length === 0) return null;
  return (
    <Notice
      tone="warning"
      role="alert"
      title={`${unsigned.length} of ${plural(report.inputs.length, 'input')} ${unsigned.length === 1 ? 'is' : 'are'} not signed`}
    >
      <FirstFew
        items={unsigned}
        render={(index) => (
          <li key={index}>
            Input {index + 1} (<span className="font-mono">{`${shorten(report.inputs[index]?.txid ?? '')}:${report.inputs[index]?.vout}`}</span>) has no signature.
          </li>
        )}
      />
      <p>Open the file in the wallet that holds these coins, sign it, and export it again. The server refuses it as it is.</p>
    </Notice>
  );
}
