import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { Download, Printer } from 'lucide-react';
import { sourcesFor } from '../../lib/chains';
import { download } from '../../lib/download';
import { plural } from '../../lib/format';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Notice } from '../../ui/notice';
import { messageOf } from '../../lib/errors';
import { readerVerdict } from '../verify/judge-reader';
import { READER } from '../verify/proof';
import Report from '../verify/report';
import type { Price } from '../verify/report-data';
import { reportGiven } from '../verify/report-given';
import { SourceChoice } from '../verify/source-choice';
import { told } from '../verify/told';
import { useCoins } from '../verify/use-coins';
import { jsonFrom, SourceError } from '../../api/elsewhere';
import type { Asked } from './asked';
import type { ReaderProof } from './use-reader-proof';

/** The last step: the file for the reader, a look at the chain, and the paper. */
export function ReportStep({ asked, built }: { asked: Asked; built: ReaderProof }) {
  const { proof, checked, file } = built;
  const asking = useCoins([{ proof, report: checked.report }]);
  const [price, setPrice] = useState<Price | null>(null);
  const [prepared] = useState(() => new Date());
  const check = asking.busy ? null : (asking.checks.at(-1) ?? null);
  const verdict = readerVerdict({ proof, board: told``, origin: READER, check: checked.check, asked: asking.asked, now: prepared.getTime(), words: asked.words });
  const state = verdict.state === 'nobody' ? 'open' : verdict.state;
  const given = reportGiven({ proofs: [built], verdicts: [verdict], result: verdict.sentence, state, joint: null, words: asked.words, askedFor: asking.askedFor, check, prepared });
  const files = given.files.map((one) => ({ ...one, pasted: asked.block.source === null }));
  const open = checked.check.inputs.filter(({ status }) => status === 'inconclusive').length;
  return (
    <div className="space-y-6">
      <div className="space-y-6 print:hidden">
        {open > 0 ? (
          <Notice tone="warning" title={`${plural(open, 'signature')} could not be checked here`} text="The scripts are of a kind that this page cannot run. Your reader’s checker may say the same." />
        ) : (
          <Notice tone="positive" role="status" title="Your proof is signed, and every signature is valid" text="Send the file to your reader yourself. The report alone proves nothing." />
        )}
        <div className="flex flex-wrap gap-3">
          <Button icon={Download} size="large" onClick={() => download(file)}>Download the proof file</Button>
          <Button icon={Printer} size="large" look="secondary" onClick={() => window.print()}>
            Print the report or save it as PDF
          </Button>
        </div>
        <Card title="Check the coins">
          <p className="mb-4 text-sm text-muted">If you do, the report says when, at which block and by whom. Your reader checks them again.</p>
          <SourceChoice offered={sourcesFor(proof)} asking={asking} quiet />
        </Card>
        <Card title="Dollars">
          <PriceChoice price={price} onPrice={setPrice} />
        </Card>
        <h2 className="text-lg font-semibold">The report</h2>
      </div>
      <Report {...given} by="holder" files={files} price={price} />
    </div>
  );
}

/** A price is added only if the holder wants it, with its source and its time. */
function PriceChoice({ price, onPrice }: { price: Price | null; onPrice: (price: Price | null) => void }) {
  const asking = useMutation({ mutationFn: () => newestPrice(), onSuccess: onPrice });
  return (
    <div className="space-y-3 text-sm">
      <p className="text-muted">Add what the coins are worth in dollars? {new URL(PRICE_SOURCE).host} gives the price and sees your IP address.</p>
      {asking.error && <Notice tone="warning" role="alert" text={messageOf(asking.error, 'The price could not be read. Try again later.')} />}
      {price ? (
        <Button look="secondary" onClick={() => onPrice(null)}>
          Leave out dollars
        </Button>
      ) : (
        <Button look="secondary" disabled={asking.isPending} onClick={() => asking.mutate()}>
          {asking.isPending ? 'Asking...' : 'Add dollars'}
        </Button>
      )}
    </div>
  );
}

/** A public source that lets any page read its price. */
const PRICE_SOURCE = 'https://mempool.space/api/v1/prices';

/** The price of one bitcoin in dollars, as the source says it. */
export async function newestPrice(signal?: AbortSignal): Promise<Price> {
  const answer = await jsonFrom(PRICE_SOURCE, signal);
  const { USD: usd, time } = (answer ?? {}) as { USD?: unknown; time?: unknown };
  const source = new URL(PRICE_SOURCE).host;
  if (typeof usd !== 'number' || !(usd > 0) || typeof time !== 'number') throw new SourceError('unreadable', `${source} sent no valid price.`);
  return { usd, source, at: new Date(time * 1000) };
}
