import { formatLockTime, formatSats, plural, shorten } from '../../lib/format';
import type { PsbtReport, Warning } from '../../psbt';
import { Fact } from '../../ui/fact';
import { Notice } from '../../ui/notice';
import { isMessage } from './binding';

/** The lock time of a still transaction (proofs, section 2). */
const STILL_LOCK_TIME = 452_038_930;

/** The warnings of a file. A message over coins has no fee and waits for no block; what locks a proof is explained elsewhere. */
export function warningsOf(report: PsbtReport, isProof: boolean): Warning[] {
  const untold: Warning['code'][] = isMessage(report) ? ['high-fee', 'lock-time'] : isProof && report.lockTime === STILL_LOCK_TIME ? ['lock-time'] : [];
  return report.warnings.filter(({ code }) => !untold.includes(code));
}

const ENCODINGS = { binary: 'binary', base64: 'base64 text', hex: 'hex text' };

function formatName({ format, version, encoding }: PsbtReport): string {
  const name = format === 'psbt' ? `PSBT version ${version ?? 0}` : 'Final transaction';
  return `${name}, ${ENCODINGS[encoding]}`;
}

const btc = (sats: bigint | null) => (sats === null ? 'Not in the file' : `${formatSats(sats)} BTC`);

const VALUE = 'num text-sm font-medium';

/** What a file amounts to. Of a `source`, which a proof is made of, only the coins matter. */
export function Totals({ report, source }: { report: PsbtReport; source?: boolean }) {
  const facts = source
    ? { Format: formatName(report) }
    : {
        'Total of the outputs': btc(report.totalOutputSats),
        Fee: isMessage(report) ? 'None: it is a message' : btc(report.feeSats),
        Format: formatName(report),
        'Lock time': formatLockTime(report.lockTime),
      };
  return (
    <dl className="grid gap-x-6 gap-y-4 rounded-xl bg-raised p-4 sm:grid-cols-3">
      <Fact label="Total of the inputs" className="num text-lg font-bold">
        {btc(report.totalInputSats)}
      </Fact>
      {Object.entries(facts).map(([label, value]) => (
        <Fact key={label} label={label} className={VALUE}>
          {value}
        </Fact>
      ))}
      {!source && (
        <Fact label="Transaction" className={VALUE}>
          <span className="font-mono" title={report.txid}>
            {shorten(report.txid)}
          </span>
        </Fact>
      )}
    </dl>
  );
}

/** Warns about coins of 0 sats before the file is sent: the server refuses them. Input 1 of a message is not a coin and has no value. */
export function ZeroValueWarning({ report }: { report: Pick<PsbtReport, 'inputs' | 'outputs'> }) {
  const first = isMessage(report) ? 1 : 0;
  const worthless = report.inputs.flatMap(({ valueSats }, input) => (input >= first && valueSats === 0n ? [input + 1] : []));
  if (worthless.length === 0) return null;
  const title = worthless.length === 1 ? `Input ${worthless[0]} is a coin of 0 sats` : `${plural(worthless.length, 'input')} are coins of 0 sats`;
  return <Notice tone="danger" role="alert" title={title} text={`A coin without value can’t be proven. Make the file again without ${worthless.length === 1 ? 'this coin' : 'these coins'}.`} />;
}
