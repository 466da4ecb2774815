import { plural } from '../../lib/format';
import type { PsbtReport } from '../../psbt';
import { Notice } from '../../ui/notice';
import { isMessage } from './binding';

/** Warns about coins of 0 sats before the file is sent: the server refuses them. Input 1 of a message is not a coin and has no value. */
export function ZeroValueWarning({ report }: { report: Pick<PsbtReport, 'inputs' | 'outputs'> }) {
  const first = isMessage(report) ? 1 : 0;
  const worthless = report.inputs.flatMap(({ valueSats }, input) => (input >= first && valueSats === 0n ? [input + 1] : []));
  if (worthless.length === 0) return null;
  const title = worthless.length === 1 ? `Input ${worthless[0]} is a coin of 0 sats` : `${plural(worthless.length, 'input')} are coins of 0 sats`;
  return (
    <Notice tone="danger" role="alert" title={title}>
      <p>A coin without value can't be proven, so the server refuses this file. Make it again without {worthless.length === 1 ? 'this coin' : 'these coins'}.</p>
    </Notice>
  );
}
