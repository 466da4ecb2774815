import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { cx } from '../../lib/cx';
import { listen } from '../../lib/listen';
import { pageAddress } from '../../lib/site';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { PageTitle } from '../../ui/page';
import { DocumentLink } from '../../ui/text-link';
import { StillSafe } from '../../ui/why-safe';
import { FromWallet } from '../upload/from-wallet';
import { StepHeading, StepTrail } from '../upload/step-trail';
import { useMaking } from '../upload/use-making';
import { workQuery } from '../../lib/work-query';
import { useReady } from '../verify/use-ready';
import { type Asked, keptAsked, STEPS } from './asked';
import { AskedCard } from './asked-card';
import { wordsIn } from './link';
import { SigningStep } from './signing-step';
import { WordsForm } from './words-form';

const MOST_BYTES = 32 * 1024 * 1024;

/** A private proof: all of it in this browser, without an account and without a public row. */
export function ProvePage() {
  const linked = useLinkedWords();
  const [asked, setAsked] = useState(keptAsked.get);
  // A link with other words asks for another proof, and what was begun is still there.
  const [resumed, setResumed] = useState(linked === null);
  const begun = asked && (resumed || asked.words === linked) ? asked : null;
  const offline = useOffline();
  const begin = (next: Asked) => {
    keptAsked.set(next);
    setAsked(next);
    setResumed(true);
  };
  const startOver = () => {
    keptAsked.remove();
    setAsked(null);
  };
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 pb-10 sm:px-6 lg:pt-5 print:p-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 print:hidden">
        <PageTitle title="Private proof" documentTitle="Private proof" className="text-sm font-medium text-muted" />
        {/* It has its place before, so that nothing moves. */}
        <p className={cx('text-sm text-muted', !offline && 'invisible')}>Works offline.</p>
      </div>
      {begun ? (
        <Making key={begun.statement} asked={begun} onOver={startOver} />
      ) : (
        <div className="mt-2 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12">
          <div className="min-w-0 space-y-4">
            <StepTrail now={0} steps={STEPS} />
            <StepHeading>Who will read your proof?</StepHeading>
            {asked && (
              <Notice title="You have begun another proof">
                <p>
                  It is for “<bdi>{asked.words}</bdi>”. A new one replaces it.
                </p>
                <Button look="secondary" className="mt-2" onClick={() => setResumed(true)}>
                  Go on with it
                </Button>
              </Notice>
            )}
            <WordsForm key={linked} linked={linked} onAsked={begin} />
          </div>
          <About />
        </div>
      )}
    </div>
  );
}

/** The words in the fragment of the address, which may change while the page is open. */
function useLinkedWords(): string | null {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => listen(window, { hashchange: () => setHash(location.hash) }), []);
  return wordsIn(hash);
}

function About() {
  return (
    <aside aria-label="About these proofs" className="h-fit space-y-3 rounded-card border border-line bg-surface p-5 text-sm shadow-card">
      <h2 className="font-semibold">For a lender, an auditor, a buyer</h2>
      <p>You sign one line that names your reader. They check the file in their own browser. Nothing is published.</p>
      <ul className="list-disc space-y-1 pl-5 text-muted">
        <StillSafe />
        <li>It names your reader, so it proves nothing to others. Anyone who sees the file can link you to these coins.</li>
        <li>It shows neither your debts nor that only you have the keys.</li>
      </ul>
      <p>
        You are the reader? <DocumentLink to={pageAddress('/prove/ask')}>Ask for a proof</DocumentLink> or{' '}
        <DocumentLink to={pageAddress('/verify')}>check one</DocumentLink>.
      </p>
    </aside>
  );
}

/** From the coins to the report: the step on the left, what the proof commits to on the right. */
function Making({ asked, onOver }: { asked: Asked; onOver: () => void }) {
  const { network } = asked.block;
  const making = useMaking({ network, max_file_bytes: MOST_BYTES, coins_alone: true });
  const { file } = making;
  // Here, because the step of another file is another one.
  const [made, setMade] = useState<Uint8Array<ArrayBuffer> | null>(null);
  return (
    <div className="mt-2 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12 print:block">
      <div className="min-w-0 space-y-4">
        {file.step === 'ready' ? (
          <SigningStep asked={asked} making={making} ready={file} made={made} onMade={setMade} />
        ) : (
          <>
            <StepTrail now={1} steps={STEPS} />
            <FromWallet network={network} hint="It never leaves this browser. A signed file is welcome, too." {...making}>
              <p className="text-sm text-muted">Choose the coins to show in your wallet.</p>
            </FromWallet>
          </>
        )}
      </div>
      <AskedCard asked={asked} contents={file.step === 'ready' ? file.contents : null} onOver={onOver} />
    </div>
  );
}

/** Loads all that the page may need later, so that it works without a connection; whether it is there. What is missing is loaded when it is needed. */
function useOffline(): boolean {
  const ready = useReady();
  const rest = workQuery('rest', [], () => Promise.all([import('../upload/made-codes'), import('../upload/scan-dialog')]));
  return useQuery({ ...rest, enabled: ready }).isSuccess;
}
