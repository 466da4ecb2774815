import type { ReactNode } from 'react';
import { formatLockTime, formatSats, shorten } from '../../lib/format';
import type { PsbtReport, Warning } from '../../psbt';
import { isMessage } from './binding';

/** A message over coins is not a transaction: it has no fee, and waits for no block. */
const NOT_OF_MESSAGES = new Set<Warning['code']>(['high-fee', 'lock-time']);

export function warningsOf(report: PsbtReport): Warning[] {
  return isMessage(report) ? report.warnings.filter(({ code }) => !NOT_OF_MESSAGES.has(code)) : report.warnings;
}

const ENCODINGS = { binary: 'binary', base64: 'base64 text', hex: 'hex text' };

function formatName({ format, version, encoding }: PsbtReport): string {
  const name = format === 'psbt' ? `PSBT version ${version ?? 0}` : 'Final transaction';
  return `${name}, ${ENCODINGS[encoding]}`;
}

const btc = (sats: bigint | null) => (sats === null ? 'Not in the file' : `${formatSats(sats)} BTC`);

/** What a file amounts to. */
export function Totals({ report }: { report: PsbtReport }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 rounded-xl bg-raised p-4 sm:grid-cols-3">
      <Fact label="Total of the inputs" strong>
        {btc(report.totalInputSats)}
      </Fact>
      <Fact label="Total of the outputs">{btc(report.totalOutputSats)}</Fact>
      <Fact label="Fee">{isMessage(report) ? 'None: it is a message' : btc(report.feeSats)}</Fact>
      <Fact label="Format">{formatName(report)}</Fact>
      <Fact label="Lock time">{formatLockTime(report.lockTime)}</Fact>
      <Fact label="Transaction">
        <span className="font-mono" title={report.txid}>
          {shorten(report.txid)}
        </span>
      </Fact>
    </dl>
  );
}

/** Of a file that a proof is made of, only its coins matter. */
export function SourceTotals({ report }: { report: PsbtReport }) {
  return (
    <dl className="grid gap-x-6 gap-y-4 rounded-xl bg-raised p-4 sm:grid-cols-3">
      <Fact label="Total of the inputs" strong>
        {btc(report.totalInputSats)}
      </Fact>
      <Fact label="Format">{formatName(report)}</Fact>
    </dl>
  );
}

function Fact({ label, strong, children }: { label: string; strong?: boolean; children: ReactNode }) {
  return (
    <div>
      <dt className="text-xs font-medium text-muted">{label}</dt>
      <dd className={strong ? 'num text-lg font-bold' : 'num text-sm font-medium'}>{children}</dd>
    </div>
  );
}
