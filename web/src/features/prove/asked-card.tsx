import { useState } from 'react';
import { formatCount, formatDate, formatSats } from '../../lib/format';
import type { ProofContents } from '../../psbt';
import { Button } from '../../ui/button';
import { FactLine } from '../../ui/fact';
import { Notice } from '../../ui/notice';
import type { Asked } from './asked';
import { OLD_AFTER_SECONDS } from '../verify/report-data';

interface AskedCardProps {
  asked: Asked;
  contents: ProofContents | null;
  onOver: () => void;
}

/** What the proof commits to, shown next to the step. */
export function AskedCard({ asked: { words, name, block }, contents, onOver }: AskedCardProps) {
  const total = contents?.report.totalInputSats;
  const [isOld] = useState(() => block.height > 0 && Date.now() / 1000 - block.time > OLD_AFTER_SECONDS);
  return (
    <aside aria-label="Your proof so far" className="h-fit divide-y divide-line rounded-card border border-line bg-surface text-sm shadow-card print:hidden">
      <section className="space-y-3 p-5">
        <h2 className="font-semibold">For one reader</h2>
        <dl className="space-y-2">
          <FactLine label="For">
            <bdi>{words}</bdi>
          </FactLine>
          <FactLine label="By">
            says they are “<bdi>{name}</bdi>”
          </FactLine>
          <FactLine label="Signed after">
            block {formatCount(block.height)}
            {block.height > 0 && ` (${formatDate(new Date(block.time * 1000))})`}
            {block.source === null && ', not checked'}
          </FactLine>
          {contents && <FactLine label="Coins">{contents.report.inputs.length}</FactLine>}
          {total != null && <FactLine label="Total">{formatSats(total)} BTC</FactLine>}
        </dl>
        {isOld && <Notice tone="warning" title="Its block is old" text="Your reader will read “old”. Start over, unless you have signed already." />}
      </section>
      <section className="p-5">
        <p className="mb-2 text-[0.8125rem] text-muted">Kept in this browser until you start over, because signing can take days.</p>
        <Button look="secondary" size="small" onClick={onOver}>
          Start over
        </Button>
      </section>
    </aside>
  );
}
