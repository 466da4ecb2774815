import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { Upload } from 'lucide-react';
import { SourceError } from '../../api/elsewhere';
import { isReceipt } from '../../lib/board-log/receipt';
import { cx } from '../../lib/cx';
import { messageOf } from '../../lib/errors';
import { STATIC } from '../../lib/site';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { Command } from '../../ui/code';
import { DropZone, type Taken } from '../../ui/drop-zone';
import { More } from '../../ui/more';
import { isForReader } from './proof';
import { ProofView } from './proof-view';
import { PublishedList } from './published-list';
import { ReaderView } from './reader-view';
import { ReceiptView } from './receipt-view';
import { ResultPage } from './result-page';
import { SignedMessage } from './signed-message';
import { type Given, useProof } from './use-proof';
import { useReady } from './use-ready';
import { auditCommand } from './judge';

const PROOFS: Taken = { label: 'Choose or drop a proof or a receipt', accept: '.json,.tlog-proof', texts: false };

/** Enough to tell a receipt. */
const START_BYTES = 64;

/** Check a proof: that of the document's address, those of a person, or a file. */
export function VerifyPage({ address: { pathname, search, origin } }: { address: Pick<Location, 'pathname' | 'search' | 'origin'> }) {
  const id = STATIC ? undefined : /^\/verify\/([^/]+)\/?$/.exec(pathname)?.[1];
  const profile = STATIC ? null : new URLSearchParams(search).get('profile');
  const [dropped, setDropped] = useState<{ file: File; receipt: boolean } | null>(null);
  const given = useMemo((): Given | null => {
    if (dropped) return dropped.receipt ? null : { file: dropped.file };
    return id ? { id } : null;
  }, [dropped, id]);
  const ready = useReady();
  const field = useRef<HTMLInputElement>(null);
  const take = useCallback(([file]: File[]) => {
    if (!file) return;
    // The bytes decide, not the name.
    const show = (start: string) => setDropped({ file, receipt: isReceipt(start) });
    file.slice(0, START_BYTES).text().then(show, () => show(''));
  }, []);
  // Once a file was checked, the button opens its field.
  const zone = (
    <DropZone
      field={field}
      takes={PROOFS}
      title={PROOFS.label}
      hint={
        <>
          A .json file, published or made for you, or a .tlog‑proof. It stays in your browser; a board gets only its id.{' '}
          {/* It has its place before, so that nothing moves. */}
          <span className={cx(!ready && 'invisible')}>Works offline.</span>
        </>
      }
      onFiles={take}
    />
  );
  const foot = (
    <>
      <More title={LIMITS} boxed>
        <Limits />
      </More>
      <div className="pt-2">
        <Button icon={Upload} look="secondary" onClick={() => field.current?.click()}>
          Check another file
        </Button>
        <div className="hidden">{zone}</div>
      </div>
    </>
  );
  if (given) return <Checked given={given} origin={origin} foot={foot} />;
  if (dropped) {
    return (
      <ResultPage foot={foot}>
        <ReceiptView file={dropped.file} />
      </ResultPage>
    );
  }
  return (
    <Page title="Check a proof" width="medium" intro="Check someone’s proof in your own browser, without trusting us.">
      <div className="space-y-6">
        {profile && <PublishedList profile={profile} />}
        {zone}
        <SignedMessage />
        <LimitsCard origin={origin} />
      </div>
    </Page>
  );
}

function Checked({ given, origin, foot }: { given: Given; origin: string; foot: ReactNode }) {
  const { data: read, error } = useProof(given, origin);
  if (read && !error) {
    const View = isForReader(read.proof) ? ReaderView : ProofView;
    return <View {...read} origin={origin} foot={foot} />;
  }
  const missing = error instanceof SourceError && error.trouble === 'not-found';
  return (
    // Hidden while it waits, so that nothing moves; a dropped file is taken.
    <ResultPage foot={error ? foot : <div className="hidden">{foot}</div>}>
      {error ? (
        <Notice tone="danger" role="alert" title={missing ? 'No such proof' : 'It could not be checked'} text={missing ? MISSING : messageOf(error, 'Something went wrong while it was checked. Please reload the page, or try another browser.')} />
      ) : (
        <p role="status" className="min-h-svh text-muted">
          Checking the proof...
        </p>
      )}
    </ResultPage>
  );
}

const MISSING = 'There is no such proof on this board. It was unpublished or has expired. Ask its holder for a new link or for the file.';

const LIMITS = 'What no proof shows';

/** The limits of every proof, as a list. */
function Limits() {
  return (
    <ul className="list-disc space-y-1 pl-5 text-sm">
      <li>That one person controls these keys and hasn’t shared or lent them.</li>
      <li>That they have no debts: coins may be borrowed or pledged.</li>
      <li>That they will hold them tomorrow. A spent coin is noticed at once; a sold key is not.</li>
    </ul>
  );
}

/** The limits of every proof, and how to check a whole board. */
function LimitsCard({ origin }: { origin: string }) {
  return (
    <Card title={LIMITS}>
      <Limits />
      {!STATIC && (
        <>
          <p className="mt-4 text-sm">Check the whole board with Bitcoin Core’s own engine and your own node:</p>
          <div className="text-sm">
            <Command text={auditCommand(origin)} label="Copy the command" />
          </div>
        </>
      )}
    </Card>
  );
}
