import { useCallback, useMemo, useState } from 'react';
import { isReceipt } from '../../lib/board-log/receipt';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Drop } from './drop';
import { LimitsCard } from './limits-card';
import { ProofView } from './proof-view';
import { PublishedList } from './published-list';
import { ReceiptView } from './receipt-view';
import { useProof, type Given } from './use-proof';
import { useReady } from './use-ready';

/** Enough to tell a receipt. */
const START_BYTES = 64;

interface VerifyPageProps {
  /** Where the document is. */
  address: Pick<Location, 'pathname' | 'search' | 'origin'>;
}

/** Check a proof: that of the address, those of a person, or a file. */
export function VerifyPage({ address: { pathname, search, origin } }: VerifyPageProps) {
  const id = /^\/verify\/([^/]+)\/?$/.exec(pathname)?.[1];
  const profile = new URLSearchParams(search).get('profile');
  const [dropped, setDropped] = useState<{ file: File; receipt: boolean } | null>(null);
  const given = useMemo((): Given | null => {
    if (dropped) return dropped.receipt ? null : { file: dropped.file };
    return id ? { id: decoded(id) } : null;
  }, [dropped, id]);
  const ready = useReady();
  const take = useCallback((file: File) => {
    // The bytes decide, not the name.
    const show = (start: string) => setDropped({ file, receipt: isReceipt(start) });
    file.slice(0, START_BYTES).text().then(show, () => show(''));
  }, []);
  return (
    <Page
      title="Check a proof"
      width="medium"
      intro="Somebody says what bitcoin they hold, and has published the proof. Your browser checks it; you need not trust this site’s server, nor us."
    >
      <div className="space-y-6">
        {given && <Checked given={given} origin={origin} />}
        {dropped?.receipt && <ReceiptView file={dropped.file} />}
        {!dropped && !given && profile && <PublishedList profile={profile} />}
        {/* Not before what stands above has its height, so that nothing moves. */}
        <div className="space-y-6 [[data-waiting]~&]:hidden">
          <Drop
            label="Choose or drop a proof or a receipt"
            hint="The .json file of a published proof, or a .tlog-proof. It stays in your browser; the board gets only its id."
            once={{ is: ready, say: 'You may go offline first: all that checks it is here.' }}
            onFile={take}
          />
          <LimitsCard origin={origin} />
        </div>
      </div>
    </Page>
  );
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

function Checked({ given, origin }: { given: Given; origin: string }) {
  const loaded = useProof(given, origin);
  if (loaded.at === 'loading') {
    return (
      <p role="status" data-waiting={'id' in given || undefined} className="min-h-24 text-muted data-waiting:min-h-svh">
        Checking the proof...
      </p>
    );
  }
  if (loaded.at === 'failed') {
    return (
      <Notice tone="danger" role="alert" title={loaded.missing ? 'No such proof' : 'It could not be checked'}>
        <p>{loaded.message}</p>
      </Notice>
    );
  }
  return <ProofView proof={loaded.proof} board={loaded.board} checked={loaded.checked} origin={origin} />;
}
