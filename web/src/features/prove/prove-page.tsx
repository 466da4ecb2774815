import { useCallback, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { cx } from '../../lib/cx';
import { listen } from '../../lib/listen';
import { pageAddress } from '../../lib/site';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';
import { PageTitle } from '../../ui/page';
import { DocumentLink } from '../../ui/text-link';
import { StillSafe } from '../../ui/why-safe';
import type { Batch } from '../upload/many-scripts';
import { BringFile, type Bringing } from '../upload/bring-file';
import { StepHeading, StepTrail } from '../upload/step-trail';
import { useProofFile } from '../upload/use-proof-file';
import { useWallet, type Wallet } from '../../lib/use-wallet';
import { dropTitle, WalletPicker, WalletSteps } from '../upload/wallet-picker';
import { workQuery } from '../../lib/work-query';
import { useReady } from '../verify/use-ready';
import { type Asked, forgetAsked, keepAsked, keptAsked, STEPS } from './asked';
import { AskedCard } from './asked-card';
import { wordsIn } from './link';
import { SigningStep } from './signing-step';
import { WordsForm } from './words-form';

const MOST_BYTES = 32 * 1024 * 1024;

/** Prove to one person: all of it in this browser, without an account and without a public row. */
export function ProvePage() {
  const linked = useLinkedWords();
  const [asked, setAsked] = useState(keptAsked);
  // A link with other words asks for another proof, and what was begun is still there.
  const [resumed, setResumed] = useState(linked === null);
  const begun = asked && (resumed || asked.words === linked) ? asked : null;
  const offline = useOffline();
  const begin = (next: Asked) => {
    keepAsked(next);
    setAsked(next);
    setResumed(true);
  };
  const startOver = () => {
    forgetAsked();
    setAsked(null);
  };
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-3 pb-10 sm:px-6 lg:pt-5 print:p-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 print:hidden">
        <PageTitle title="Prove to one person" documentTitle="Prove to one person" className="text-sm font-medium text-muted" />
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
  const wallet = useWallet();
  const { state: file, select, stop } = useProofFile({ network: asked.block.network, max_file_bytes: MOST_BYTES });
  const choose = useCallback((files: File[], waiting?: boolean) => void select(files, waiting), [select]);
  const [batch, setBatch] = useState<Batch | null>(null);
  const [made, setMade] = useState<Uint8Array<ArrayBuffer> | null>(null);
  const isReady = file.step === 'ready';
  return (
    <div className="mt-2 grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-12 print:block">
      <div className="min-w-0 space-y-4">
        {isReady ? (
          <SigningStep asked={asked} ready={file} wallet={wallet} batch={batch} onBatch={setBatch} onFiles={choose} made={made} onMade={setMade} />
        ) : (
          <Bring wallet={wallet} network={asked.block.network} file={file} onFiles={choose} onStop={stop} />
        )}
      </div>
      <AskedCard asked={asked} contents={isReady ? file.contents : null} onOver={onOver} />
    </div>
  );
}

/** The second step: a file over the coins, or one that was made and signed before. */
function Bring({ wallet, network, ...bringing }: Bringing & { wallet: Wallet; network: string }) {
  return (
    <>
      <StepTrail now={1} steps={STEPS} />
      <StepHeading>Which wallet or device holds your bitcoin?</StepHeading>
      <p className="text-sm text-muted">Choose the coins to show in your wallet. Signed already? Drop the signed file here.</p>
      <WalletPicker wallet={wallet} />
      <BringFile title={dropTitle(wallet)} hint="Read in this browser. Nothing is sent." {...bringing} />
      <WalletSteps wallet={wallet} network={network} />
    </>
  );
}

/** Loads all that the page may need later, so that it works without a connection; whether it is there. What is missing is loaded when it is needed. */
function useOffline(): boolean {
  const ready = useReady();
  const rest = workQuery('rest', [], () => Promise.all([import('../upload/made-codes'), import('../upload/scan-dialog')]));
  return useQuery({ ...rest, enabled: ready }).isSuccess;
}
