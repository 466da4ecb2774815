import type { ReactNode } from 'react';
import { ButtonLink } from '../../ui/button';
import { Page } from '../../ui/page';
import { DocumentLink, TextLink } from '../../ui/text-link';
import { WhySafe } from '../../ui/why-safe';
import browser from './pictures/browser.svg?raw';
import checks from './pictures/checks.svg?raw';
import file from './pictures/file.svg?raw';
import name from './pictures/name.svg?raw';
import rank from './pictures/rank.svg?raw';
import { WalletHelp } from './wallet-help';

/** A drawing for each step, by its number. The text next to it says the same. */
const PICTURES = [name, file, browser, checks, rank];
const DRAWN = 'shrink-0 sm:w-44 [&>svg]:w-full [&>svg]:max-w-56 [&>svg]:rounded-xl [&>svg]:bg-raised';

/** The five steps from signing in to a rank. */
export default function HowItWorksPage() {
  return (
    <Page
      title="How It Works"
      width="medium"
      intro="Five steps from your wallet to the leaderboard. Your coins never move and your keys never leave your wallet."
    >
      <ol className="space-y-4">
        <Step number={1} title="Log in with X">
          Your X account gives you the name that the leaderboard shows. We read your name and picture, and never post
          for you.
        </Step>
        <Step number={2} title="Generate a PSBT" more={<WalletHelp />}>
          In your wallet, prepare a small transfer of your coins to yourself, and save it without signing. The{' '}
          <TextLink to="/upload">Verify page</TextLink> turns it into your proof, in your browser: a file with your statement, a line with the
          site’s name and yours. Sign that file in your wallet. The whole value of its coins counts.
          <ul className="mt-3 list-disc space-y-1 pl-5 text-ink">
            <WhySafe />
          </ul>
        </Step>
        <Step number={3} title="Upload it on the Verify page">
          Drop the signed .psbt file on the <TextLink to="/upload">Verify page</TextLink>. It is read in your browser: you see every coin and
          amount before anything is sent. Private parts such as extended public keys are removed.
        </Step>
        <Step number={4} title="Automatic verification, with daily re-verification">
          The server checks every signature by Bitcoin's own rules, and that every coin exists and is unspent. A proof
          lasts 90 days on the free plan; Premium re-verifies it every day. A coin that is spent stops counting at once.
        </Step>
        <Step number={5} title="Leaderboard ranking">
          Your verified total takes its place among all holders, from Plankton to Whale. Addresses are never shown, and
          a coin counts for one person only. You choose whether others see the exact total or only a range, such as at least 1 BTC.
        </Step>
      </ol>
      <section id="log" className="mt-8">
        <h2 className="text-lg font-semibold">What anyone can check</h2>
        <p className="mt-1.5 text-muted">
          Holders can publish a proof. Anyone can then <DocumentLink to="/verify">check it in the browser</DocumentLink> without trusting us: who made it, that every coin is signed for and, with a block explorer or
          their own node, that every coin is unspent. Unpublished totals can’t be verified by others. The board can’t silently change what it has
          shown: it keeps a log that only grows (its{' '}
          <DocumentLink to="/log/checkpoint">newest signed state</DocumentLink>), browsers remember it, and a receipt proves your rank even offline. No proof shows that someone is the only
          one with the keys, has no debts, or will still have the coins tomorrow.
        </p>
      </section>
      <section className="mt-8">
        <h2 className="text-lg font-semibold">Only one person should see it?</h2>
        <p className="mt-1.5 text-muted">
          A lender, an auditor or a buyer can ask for a proof. <DocumentLink to="/prove">Prove to one person</DocumentLink>: you sign a line that names
          your reader, and send them the file yourself. It needs no account, nothing is uploaded, and no board accepts it. Readers{' '}
          <DocumentLink to="/prove/ask">ask for a proof</DocumentLink> in their own words.
        </p>
      </section>
      <section id="embed" className="mt-8">
        <h2 className="text-lg font-semibold">A row on your own site</h2>
        <p className="mt-1.5 text-muted">
          Open a row of the <TextLink to="/leaderboard">leaderboard</TextLink>, choose <em>Share</em> and then <em>For your own site</em>. There is HTML for the row
          and for a badge, both without scripts and with the board’s newest figures.
        </p>
      </section>
      <div className="mt-8 flex flex-wrap gap-3">
        <ButtonLink to="/upload">Verify Your Holdings</ButtonLink>
        <ButtonLink to="/leaderboard" look="secondary">
          See the Leaderboard
        </ButtonLink>
        <ButtonLink to="/inspect" look="ghost">
          See What Is in a PSBT
        </ButtonLink>
      </div>
    </Page>
  );
}

function Step({ number, title, more, children }: { number: number; title: string; more?: ReactNode; children: ReactNode }) {
  return (
    <li className="flex gap-4 rounded-card border border-line bg-surface p-5 shadow-card sm:gap-5 sm:p-6">
      <span
        aria-hidden="true"
        className="num grid size-9 shrink-0 place-items-center rounded-full bg-accent font-bold text-on-accent"
      >
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-col-reverse gap-4 sm:flex-row">
          <div className="min-w-0 flex-1">
            <h2 className="mt-1 text-lg font-semibold">{title}</h2>
            <div className="mt-1.5 text-muted">{children}</div>
          </div>
          <div className={DRAWN} dangerouslySetInnerHTML={{ __html: PICTURES[number - 1] ?? '' }} />
        </div>
        {more}
      </div>
    </li>
  );
}
