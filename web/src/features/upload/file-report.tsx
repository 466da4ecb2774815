import type { ReactNode } from 'react';
import type { PsbtReport } from '../../psbt';
import { InputList, OutputList } from './coin-list';
import { SignatureNotice, Warnings } from './signatures';
import { Totals, warningsOf, ZeroValueWarning } from './totals';
import type { Signatures } from './use-signatures';

interface FileReportProps {
  report: PsbtReport;
  signatures: Signatures;
  /** A proof, a file that one is made of, which is itself neither signed nor sent, or any file. */
  as: 'proof' | 'source' | 'file';
  /** Nothing is sent to a server that would check it again. */
  local: boolean;
  /** What is to be read first. */
  children?: ReactNode;
}

/** The contents of a file, as they were read in the browser. */
export function FileReport({ report, signatures, as, local, children }: FileReportProps) {
  const source = as === 'source';
  return (
    <div className="space-y-5 text-ink">
      {children}
      <Totals report={report} source={source} />
      <ZeroValueWarning report={report} />
      {!source && <SignatureNotice report={report} signatures={signatures} local={local} />}
      {!source && <Warnings warnings={warningsOf(report, as === 'proof')} />}
      <InputList inputs={report.inputs} check={signatures.check ?? null} />
      {!source && <OutputList outputs={report.outputs} />}
    </div>
  );
}
